import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Bank, connectBank, createBank } from '../../api/harness/index.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { hashOf as hashOfBank } from '../lab/copies.ts';
import { contentOf, forged, taken } from '../lab/forged-bundle.ts';
import { psuHeaders, startTestBank, type TestBank } from '../lab/server.ts';
import { ConsoleClient, hidden } from '../console/console-client.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* B10: a server makes banks that are copies: of its banks, of snapshots and of saved banks. */

const now = '2027-03-24T12:00:00.000+01:00';
const later = '2027-03-30T12:00:00.000+02:00';
const folder = tempFolder();
let count = 0;
let banks: string;
let server: TestBank;
beforeEach(async () => {
  banks = join(folder, `banks-${(count += 1)}`);
  server = await startTestBank(now, ['--banks', banks]);
});
afterEach(() => server.stop());

const make = (body: object) => server.control('POST', '/sandbox/banks', body);
const of = (name: string, path: string) => server.control('GET', `${baseOf(name)}/sandbox${path}`);
const baseOf = (name: string): string => (name === 'default' ? '' : `/banks/${name}`);
const hashOf = async (name: string): Promise<string> => (await of(name, '/ledger/hash?ids=left-out')).body.hash;
const advance = (name: string, by: string) => server.control('POST', `${baseOf(name)}/sandbox/clock/advance`, { by });
const reset = (name: string) => server.control('POST', `${baseOf(name)}/sandbox/reset`, {});

async function pay(name: string, amount = '7.00'): Promise<void> {
  const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
  const headers = { 'content-type': 'application/json', 'sandbank-approve': '13039319955', ...psuHeaders() };
  const path = `${baseOf(name)}/sandbox/as/shop${singlePath}`;
  const answer = await server.raw('POST', path, headers, Buffer.from(JSON.stringify(body)));
  expect([answer.status, answer.headers.get('sandbank-approved')]).toEqual([201, expect.stringContaining('http')]);
}

async function saved(name: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${server.address}${baseOf(name)}/sandbox/bundle`)).arrayBuffer());
}

const send = (bytes: Buffer, query: string) =>
  server.raw('POST', `/sandbox/banks?${query}`, { 'content-type': 'application/octet-stream' }, bytes);

describe('a copy of a bank of the server', () => {
  test.each(['default', 'first'])('%s goes on by itself, and is there after a restart', async (name) => {
    await make({ name: 'first', now, mode: 'frozen', quirks: ['order'], settlementTimes: ['06:00', '15:00'] });
    await pay(name);
    await server.control('PUT', `${baseOf(name)}/sandbox/clock`, { mode: 'frozen' });
    await server.control('POST', `${baseOf(name)}/sandbox/faults`, {
      code: 'SERVICE_BLOCKED',
      path: '/v1/accounts',
      times: 2,
    });
    await server.control('PUT', `${baseOf(name)}/sandbox/quirks`, { quirks: { 'plain-json': true } });
    const before = await hashOf(name);
    const made = await make({ name: 'copy', from: name });
    expect([made.status, made.body.name, made.body.fixtures]).toEqual([200, 'copy', 'known-state']);
    expect(made.body.quirks).toContain('plain-json');
    expect((await of('copy', '/faults')).body).toEqual((await of(name, '/faults')).body);
    expect((await of('copy', '/quirks')).body).toEqual((await of(name, '/quirks')).body);
    const settings = async (each: string) => (await of(each, '/info')).body.configuration;
    expect(await settings('copy')).toEqual({
      ...(await settings(name)),
      ledger: expect.anything(),
      quirks: made.body.quirks,
    });
    expect(await hashOf('copy')).toBe(before);
    await advance('copy', 'P7D');
    expect(await hashOf(name)).toBe(before);
    await advance(name, 'P7D');
    expect(await hashOf('copy')).toBe(await hashOf(name));
    await server.stop();
    server = await startTestBank(now, ['--banks', banks]);
    await reset('copy');
    expect(await hashOf('copy')).toBe(before);
    expect((await of('copy', '/quirks')).body.quirks).toMatchObject({ 'plain-json': true });
    const wrong = await make({ name: 'copy', from: name });
    expect([wrong.status, wrong.body.detail]).toEqual([
      409,
      'There is a bank copy already. DELETE /sandbox/banks/copy, or sandbank bank remove copy, takes it away.',
    ]);
    expect((await server.control('PUT', '/sandbox/banks/copy', { now, mode: 'frozen' })).status).toBe(409);
  });

  test('a snapshot of it, and its known state', async () => {
    await make({ name: 'first', now, mode: 'frozen' });
    const began = await hashOf('first');
    await pay('first');
    await server.control('POST', '/banks/first/sandbox/snapshots', { name: 'paid' });
    const paid = await hashOf('first');
    await advance('first', 'P2D');
    for (const [name, snapshot, hash] of [
      ['a', 'paid', paid],
      ['b', 'seeded', began],
    ] as const) {
      expect((await make({ name, from: { bank: 'first', snapshot } })).body.clock).toEqual({ now, mode: 'frozen' });
      expect(await hashOf(name)).toBe(hash);
    }
    await advance('a', 'P2D');
    expect(await hashOf('a')).toBe(await hashOf('first'));
    await make({ name: 'c', from: { bank: 'a', snapshot: 'seeded' } });
    expect(await hashOf('c')).toBe(paid);
  });

  test('members beside it win', async () => {
    await make({ name: 'first', now, mode: 'frozen', quirks: ['order'] });
    const made = await make({
      name: 'copy',
      from: 'first',
      now: later,
      mode: 'running',
      quirks: { order: false, 'plain-json': true },
    });
    expect(made.body).toMatchObject({ quirks: ['plain-json'], clock: { mode: 'running' } });
    expect(made.body.clock.now >= later).toBe(true);
  });
});

describe('a saved bank', () => {
  test('as the body makes a bank that stands still, with members in the query', async () => {
    await pay('default');
    const bytes = await saved('default');
    expect((await send(bytes, 'name=copy')).body.clock.mode).toBe('frozen');
    expect(await hashOf('copy')).toBe(await hashOf('default'));
    const other = await send(bytes, 'name=other&mode=running&quirks=plain-json,order&profile=bn-bank');
    expect(other.body).toMatchObject({ quirks: expect.arrayContaining(['plain-json']), clock: { mode: 'running' } });
    expect((await of('other', '/info')).body.configuration.profile).toBe('bn-bank');
  });

  test('prices that it was saved with stay, also after a restart', async () => {
    const { head, json, ledger } = taken(await saved('default'));
    const version = head[2] ?? '';
    const { exchangeRates } = json as { exchangeRates: { rates: Record<string, unknown> } };
    const rates = JSON.parse(JSON.stringify(exchangeRates).replaceAll(/"(\d+)\.(\d{2,})"/g, '"9$1.$2"'));
    expect(rates).not.toEqual(exchangeRates);
    await send(forged(contentOf({ ...json, exchangeRates: rates }, ledger), { version }), 'name=copy');
    const kept = async () => taken(await saved('copy')).json['exchangeRates'];
    expect(await kept()).toEqual(rates);
    await server.stop();
    server = await startTestBank(now, ['--banks', banks]);
    expect(await kept()).toEqual(rates);
  });
});

describe('bad input: one line, and nothing is left behind', () => {
  const names = (): readonly string[] =>
    existsSync(banks) ? readdirSync(banks).filter((name) => /^(?:copy|new)/.test(name)) : [];
  test.each<[string, object, number, RegExp]>([
    ['an unknown bank', { from: 'none' }, 404, /^There is no bank "none"\./],
    ['an unknown snapshot', { from: { bank: 'default', snapshot: 'none' } }, 404, /^There is no snapshot "none"\.$/],
    ['fixtures beside it', { from: 'default', fixtures: 'twins' }, 400, /^A copy has the people of its original/],
    ['an earlier instant', { from: 'default', now: '2027-03-01' }, 400, /begins at .*forward only\.$/],
    ['an instant that is years away', { from: 'default', now: '2090-01-01' }, 400, /10 years/],
    ['something else', { from: 7 }, 400, /^7 is a number: expected the name of a bank/],
    ['an unknown member', { from: { bank: 'default', more: 1 } }, 400, /^"more" is no member here/],
    ['contradictory quirks', { from: 'default', quirks: ['none-such'] }, 400, /none-such/],
  ])('%s', async (_what, body, status, said) => {
    await pay('default');
    const answer = await make({ name: 'copy', ...body });
    expect([answer.status, names()]).toEqual([status, []]);
    expect(answer.body.detail).toMatch(said);
    // Each fault names a member that there is, or may be.
    for (const { path } of answer.body.errors ?? [])
      expect(path).toMatch(/^(?:from(?:\.snapshot|\.more)?|fixtures|quirks)$/);
    expect((await of('default', '/banks')).body.banks).toHaveLength(1);
  });

  test('other times of runs than those that have been', async () => {
    await pay('default');
    await advance('default', 'P2D');
    const answer = await make({ name: 'copy', from: 'default', settlementTimes: ['06:00'] });
    expect([answer.status, names()]).toEqual([400, []]);
    expect(answer.body.detail).toMatch(/^The bank cannot begin so: The ledger has runs at 05:30/);
  });

  test.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    [
      'one beyond the bounds',
      (bytes) => changedIn(bytes, { ledger: Buffer.alloc(65 * 1024 * 1024) }),
      /^The bundle has \d+ MB of content, and a bundle 64 MB at most\.$/,
    ],
    [
      'one whose books are wrong',
      (bytes) => changedIn(bytes, { ledger: taken(bytes).ledger.fill(9, 40_000, 50_000) }),
      /^The bank cannot begin so: /,
    ],
  ])('%s', async (_what, change, said) => {
    const answer = await send(change(await saved('default')), 'name=copy');
    expect([answer.status, names()]).toEqual([400, []]);
    expect(answer.body.detail).toMatch(said);
    expect(answer.body.detail).not.toContain('\n');
  });

  function changedIn(
    bytes: Buffer,
    { json = {}, ledger }: { readonly json?: object; readonly ledger?: Buffer },
  ): Buffer {
    const found = taken(bytes);
    return forged(contentOf({ ...found.json, ...json }, ledger ?? found.ledger), { version: found.head[2] ?? '' });
  }

  test('a name that there is, for a bank and for a saved one', async () => {
    await make({ name: 'first', now, mode: 'frozen' });
    await pay('first');
    const before = await hashOf('first');
    const answers = [await make({ name: 'first', from: 'default' }), await send(await saved('default'), 'name=first')];
    for (const { status, body } of answers)
      expect([status, body.detail]).toEqual([
        409,
        'There is a bank first already. DELETE /sandbox/banks/first, or sandbank bank remove first, takes it away.',
      ]);
    expect(await hashOf('first')).toBe(before);
    await server.stop();
    server = await startTestBank(now, ['--banks', banks]);
    expect(await hashOf('first')).toBe(before);
  });

  test('a bank that is being removed: the copy is whole, or there is none', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      await make({ name: 'first', now, mode: 'frozen' });
      await pay('first');
      const wanted = await hashOf('first');
      const remove = () => server.control('DELETE', '/sandbox/banks/first');
      const copy = () => make({ name: 'copy', from: 'first' });
      const [{ status, body }, removed] =
        turn % 2 === 0
          ? await Promise.all([copy(), remove()])
          : await Promise.all([remove(), copy()]).then(([gone, made]) => [made, gone] as const);
      expect(removed.status).toBe(200);
      if (status === 200) {
        expect(await hashOf('copy')).toBe(wanted);
        await server.control('DELETE', '/sandbox/banks/copy');
      } else {
        expect([404, 503]).toContain(status);
        expect(body.detail).not.toContain('\n');
      }
      expect(names()).toEqual([]);
      expect((await of('default', '/banks')).body.banks).toHaveLength(1);
    }
  });
});

describe('by command, harness and console', () => {
  const port = (): readonly string[] => ['--port', new URL(server.address).port];

  test('bank create --from', async () => {
    await make({ name: 'first', now, mode: 'frozen' });
    await pay('first');
    const file = join(folder, 'first.sandbank');
    writeFileSync(file, await saved('first'));
    for (const [name, from] of [
      ['by-name', 'first'],
      ['by-file', file],
    ] as const) {
      const { code, lines } = await runMain([
        'bank',
        'create',
        name,
        '--from',
        from,
        '--quirks',
        'order',
        '--clock-now',
        later,
        ...port(),
      ]);
      expect([code, lines.join('\n')]).toEqual([0, expect.stringContaining(name)]);
      expect((await of(name, '/clock')).body.now).toBe(later);
      expect((await of(name, '/quirks')).body.quirks).toMatchObject({ order: 'posting' });
    }
    const said = async (...more: readonly string[]) =>
      (await runMain(['bank', 'create', 'x', ...more, ...port()])).errors.join();
    expect(await said('--from', './none')).toContain('--from "./none" cannot be read: there is no such file');
    expect(await said('--from', 'none')).toContain('There is no bank "none"');
    expect(await said('--from', file, '--cut-offs', 'foreign=14:00')).toContain(
      'cutOffs does not go with a saved bank',
    );
  });

  test('connectBank takes a bank, a snapshot, a path, bytes and a bank of its process', async () => {
    await make({ name: 'first', now, mode: 'frozen' });
    await pay('first');
    await server.control('POST', '/banks/first/sandbox/snapshots', { name: 'paid' });
    const file = join(folder, 'connected.sandbank');
    writeFileSync(file, await saved('first'));
    await using own = await createBank({ from: file });
    const ways = ['first', { bank: 'first', snapshot: 'paid' }, file, new Uint8Array(readFileSync(file)), own];
    for (const [index, from] of ways.entries()) {
      const bank = await connectBank(server.address, { name: `way-${index}`, from, quirks: { order: true } });
      expect(await hashOf(`way-${index}`)).toBe(await hashOf('first'));
      expect((await bank.info()).quirks.find(({ name }) => name === 'order')?.on).toBe(true);
    }
    const reached: Bank = await connectBank(server.address, { name: 'first' });
    await using copy = await reached.copy();
    expect(await hashOfBank(copy)).toBe(await hashOf('first'));
    await expect(connectBank(server.address, { from: 'first' })).rejects.toThrow('takes from with name');
    await expect(connectBank(server.address, { name: 'x', from: file, settlementTimes: ['06:00'] })).rejects.toThrow(
      'connectBank: settlementTimes does not go with a saved bank: it has its own.',
    );
  });

  test('a button of the console makes a copy under a free name', async () => {
    await make({ name: 'first', now, mode: 'frozen' });
    await pay('first');
    const client = new ConsoleClient(server.address);
    for (const copy of ['first-copy', 'first-copy-2']) {
      const page = await client.get('/console/banks');
      const [, form = ''] =
        /(<form[^>]*banks\/copy"(?:(?!<\/form>)[^])*name="from" value="first"[^]*?<\/form>)/.exec(page.text) ?? [];
      expect(form).toContain('Make a copy');
      const [, name = ''] = /name="name" value="([^"]*)"/.exec(form) ?? [];
      expect(name).toBe(copy);
      const fields = { 'form-token': hidden(page, 'form-token'), 'came-from': '/banks', from: 'first', name };
      const { text } = await client.follow('/console/banks/copy', await client.post('/console/banks/copy', fields));
      expect(text).toContain(`The copy ${copy} is there`);
      expect(await hashOf(copy)).toBe(await hashOf('first'));
    }
  });
});
