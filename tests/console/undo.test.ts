import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BankMoves } from '../../api/console/clock/moves.ts';
import { oneAtATime } from '../../api/pipeline/one-at-a-time.ts';
import { advanceClock, followClock } from '../../engine/runs/advance-clock.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { memoryBank } from '../lab/bank.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { beforeEaster, pay } from './console-bank.ts';
import { type Answered, ConsoleClient, hidden } from './console-client.ts';
import { oneOf } from '../support/sample.ts';

let folder: string;
let bank: TestBank;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'undo-'));
  // No heartbeat: what it catches up with after a change by the API would be a change since a page was shown.
  bank = await startTestBank(beforeEaster, ['--ledger', join(folder, 'ledger.sqlite')], { heartbeat: 3_600_000 });
  await bank.control('POST', '/sandbox/banks', { name: 'named', mode: 'frozen', now: beforeEaster });
}, 30_000);
afterAll(async () => {
  await bank.stop();
  await rm(folder, { recursive: true });
});

/** The forms of the clock bar of a page, by the text of their button, with their fields. */
function bar({ text }: Answered): Map<string, Map<string, string>> {
  const [section = ''] = /<section class="clock"[^]*?<\/section>/.exec(text) ?? [];
  const forms = [...section.matchAll(/<form method="post" action="[^"]*console([^"]+)"\s*>([^]*?)<\/form>/g)];
  return new Map(
    forms.map(([, path = '', inside = '']) => {
      const fields = [...inside.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
      const button = /<button[^>]*>([^<]*)</.exec(inside)?.[1] ?? '';
      return [button, new Map([['path', path], ...fields.map(([, name = '', value = '']) => [name, value] as const)])];
    }),
  );
}

const banks = [
  ['the bank at the root, in a file', ''],
  ['a named bank', '/banks/named'],
] as const;
describe.each(oneOf('undo', banks))('C10: %s', (_what, base) => {
  let client: ConsoleClient;
  const console = `${base}/console`;
  const state = async () => ({
    hash: (await bank.control('GET', `${base}/sandbox/ledger/hash?ids=included`)).body.hash,
    clock: (await bank.control('GET', `${base}/sandbox/clock`)).body.now,
  });
  /** Presses a button of the clock bar of a page; the page that it leads to. */
  const press = async (button: string, path = '/payments', shown?: Answered): Promise<Answered> => {
    const page = shown ?? (await client.get(console + path));
    const { path: action = '', ...fields } = Object.fromEntries(bar(page).get(button) ?? []);
    expect([button, action]).toEqual([button, expect.stringMatching(/^\/clock/)]);
    const sent = await client.post(console + action, fields);
    // A busy machine is on the way for longer than the first page waits.
    let reached = await client.follow(console + action, sent);
    for (; reached.text.includes('data-going'); await delay(20)) reached = await client.follow(console + action, sent);
    return reached;
  };
  const payments = (given: object = {}) => pay(bank, base + singlePath, singlePayment(given));
  beforeEach(async () => {
    await bank.control('POST', `${base}/sandbox/reset`);
    client = new ConsoleClient(bank.address);
    await payments({ requestedExecutionDate: '2027-03-26', creditorName: 'Påskeharen AS' });
  });

  test('moves go at once, say what happened, and an Undo of each restores ledger and clock exactly', async () => {
    const states = [await state()];
    const moved = await press('+1 run');
    expect(moved.text).toContain('<h2>What happened until Wed 24 Mar 2027, 13:30</h2>');
    states.push(await state());
    expect((await press('Next banking day')).text).toContain('<h2>What happened until Tue 30 Mar 2027, 05:30</h2>');
    expect((await state()).hash).not.toBe(states[1]?.hash);
    const back = await press('Undo');
    expect(back.text).toContain('The move is undone. The bank is back at Wed 24 Mar 2027, 13:30.');
    expect(await state()).toEqual(states[1]);
    // Where the first move ended nothing was changed: it is undone at once too.
    await press('Undo');
    expect(await state()).toEqual(states[0]);
    expect([...bar(await client.get(console)).keys()]).toEqual(['+1 run', 'Next banking day', 'Resume']);
    const { snapshots } = (await bank.control('GET', `${base}/sandbox/snapshots`)).body;
    expect(snapshots.map(({ name }: { name: string }) => name)).toEqual(['seeded']);
  });

  test('ticks of a bank that stands still change nothing that an Undo would ask about', async () => {
    await press('+1 run');
    await press('Next banking day');
    await delay(1_300);
    expect((await press('Undo')).text).toContain('The move is undone.');
    await delay(1_300);
    expect((await press('Undo')).text).toContain('The move is undone.');
  });

  test('an Undo stays on the page that it was pressed on', async () => {
    await press('+1 run');
    expect((await press('Undo', '/calendar')).text).toContain('<h1>March 2027</h1>');
  });

  test('C10b: where something was initiated, signed or moved since, it says so and asks', async () => {
    await press('+1 run');
    const old = await client.get(`${console}/payments`);
    await payments({ creditorName: 'Kiosken' });
    await bank.control('POST', `${base}/sandbox/clock/advance`, { to: '2027-03-30T06:00:00+02:00' });
    await bank.control('PUT', `${base}/sandbox/clock`, { mode: 'running' });
    await bank.control('PUT', `${base}/sandbox/clock`, { mode: 'frozen' });
    const quirks = async () => (await bank.control('GET', `${base}/sandbox/quirks`)).body;
    const usual = await quirks();
    await bank.control('PUT', `${base}/sandbox/quirks`, { quirks: { order: true } });
    expect(await quirks()).not.toEqual(usual);
    const before = await state();
    // A page that was shown before does not know it.
    expect((await press('Undo', '/payments', old)).text).toContain('Nothing was undone.');
    expect(await state()).toEqual(before);
    const page = await client.get(`${console}/payments`);
    expect([...bar(page).keys()]).not.toContain('Undo');
    expect(page.text).toMatch(/href="[^"]*console\/clock\/undo">Undo…<\/a>/);
    const asked = (await client.get(`${console}/clock/undo`)).text;
    expect(asked).toContain('<h1>Undo the move to Wed 24 Mar 2027, 13:30?</h1>');
    expect(asked).toContain('Every change since the move is lost too.');
    const shown = { text: asked, status: 200, headers: {} };
    const fields = { 'form-token': hidden(shown, 'form-token'), seen: hidden(shown, 'seen') };
    const undone = await client.follow(`${console}/clock/undo`, await client.post(`${console}/clock/undo`, fields));
    expect(undone.text).toContain('The bank is back at Wed 24 Mar 2027, 12:00.');
    expect((await state()).clock).toBe('2027-03-24T12:00:00.000+01:00');
    expect(await quirks()).toEqual(usual);
    const twice = await client.follow(`${console}/clock/undo`, await client.post(`${console}/clock/undo`, fields));
    expect(twice.text).toContain('Nothing was undone.');
  });

  test('a change of test data counts too, and moves by the API are not recorded', async () => {
    await bank.control('POST', `${base}/sandbox/clock/advance`, { runs: 1 });
    expect((await client.get(`${console}/clock/undo`)).text).toContain('Nothing to undo');
    await press('+1 run');
    await bank.control('POST', `${base}/sandbox/accounts/40000000034/top-up`, {});
    const [account] = (await bank.control('GET', `${base}/sandbox/accounts`)).body.accounts;
    const amount = { amount: '1.00', currency: account.currency };
    await bank.control('POST', `${base}/sandbox/accounts/${account.number}/top-up`, { amount });
    expect((await client.get(`${console}/clock/undo`)).text).toContain('Every change since the move is lost too.');
  });

  test('moves go with a reset, and with a snapshot that is restored', async () => {
    await bank.control('POST', `${base}/sandbox/snapshots`, { name: 'one' });
    for (const path of ['reset', 'snapshots/one/restore']) {
      await press('+1 run');
      expect([...bar(await client.get(console)).keys()]).toContain('Undo');
      await bank.control('POST', `${base}/sandbox/${path}`);
      expect([...bar(await client.get(console)).keys()]).not.toContain('Undo');
    }
    await bank.control('DELETE', `${base}/sandbox/snapshots/one`);
  });

  test('the last ten moves are kept', async () => {
    const states = [];
    for (let moves = 0; moves < 12; moves += 1) {
      states.push((await state()).clock);
      await press('+1 run');
    }
    for (let undone = 0; undone < 10; undone += 1) await press('Undo');
    expect((await state()).clock).toBe(states[2]);
    expect([...bar(await client.get(console)).keys()]).not.toContain('Undo');
  });
});

describe('C10b: the copies of a bank', () => {
  const turn = () => oneAtATime(() => undefined);
  const large = 64 * 1024 * 1024;
  async function bankWith(limits = { copies: large, ledger: large }) {
    const bank = await memoryBank(beforeEaster);
    const moves = new BankMoves({ bank, turn: turn(), catchUp: followClock(bank).catchUp }, limits);
    const move = (run: number) =>
      moves.recording().runExclusive(() => advanceClock(bank, (Date.parse(beforeEaster) + run * 3_600_000) as never));
    return { bank, moves, move };
  }

  test('above their limit the oldest go; forgotten, all go', async () => {
    const measured = await bankWith();
    await measured.move(1);
    // Room for two copies and a half.
    const { bank, moves, move } = await bankWith({ copies: measured.moves.bytes * 2.5, ledger: large });
    for (let run = 1; run < 4; run += 1) await move(run);
    expect(moves.bytes).toBeLessThanOrEqual(measured.moves.bytes * 2.5);
    const undone: number[] = [];
    for (let { last } = moves; last !== null; { last } = moves) undone.push((await moves.undo(last.seen)).id);
    expect(undone).toEqual([3, 2]);
    await move(5);
    moves.forget();
    expect([moves.last, moves.bytes]).toEqual([null, 0]);
    for (const each of [measured.bank, bank]) await each.close();
  });

  test('a ledger that is too large says so before the move, and is moved without a copy', async () => {
    const { bank, moves, move } = await bankWith({ copies: large, ledger: 64 * 1024 });
    expect(await moves.obstacle()).toMatch(
      /^The ledger has \d+ MB, and up to 1 MB are copied: this move cannot be undone\./,
    );
    await move(2);
    expect((await readClock(bank)).now).toBe(Date.parse(beforeEaster) + 2 * 3_600_000);
    expect(moves.last).toBeNull();
    await bank.close();
  });

  test('a move that failed before it changed anything leaves no Undo; one that failed halfway does', async () => {
    const { bank, moves } = await bankWith();
    const failed = (work: () => Promise<unknown>) =>
      moves
        .recording()
        .runExclusive(work)
        .catch((error: Error) => error.message);
    const hash = await hashLedger(bank, 'included');
    expect(await failed(() => Promise.reject(new Error('at once')))).toBe('at once');
    expect(moves.last).toBeNull();
    const halfway = async () => {
      await advanceClock(bank, (Date.parse(beforeEaster) + 7_200_000) as never);
      throw new Error('halfway');
    };
    expect(await failed(halfway)).toBe('halfway');
    await moves.undo(moves.last?.seen ?? '');
    expect(await hashLedger(bank, 'included')).toBe(hash);
    await bank.close();
  });
});
