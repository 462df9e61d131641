import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Bank, createBank, type CreateBankOptions } from '../../api/harness/index.ts';
import { bankServer } from '../../api/harness/bank-server.ts';
import { harnessBank } from '../../api/harness/harness-bank.ts';
import { setClock } from '../../engine/reset-and-restore.ts';
import { hashOf, stateOf } from '../lab/copies.ts';
import { firstDifference, lookThenGo } from '../lab/forecast-and-fact.ts';
import { brokenProofs } from '../lab/proof.ts';
import { fill, playerOf } from '../lab/same-calls.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { contentOf, forged, taken } from '../lab/forged-bundle.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { nora, stranger, wednesday } from './harness-bank.ts';
import { forAll } from '../support/test-bank.ts';

/* B10: a bank begins as a copy of another one. */

const folder = tempFolder();
const known = { 'x-psu-identity': nora.psu, 'psu-context': 'PRIVATE' };
const file = join(folder, 'begun.sandbank');
const bank = forAll(
  () => createBank({ now: wednesday, quirks: ['plain-json'], basketLifetime: 'PT5H' }),
  (own) => own.close(),
);
beforeAll(async () => {
  await bank.tpp().pay({ from: nora.bban, to: stranger, amount: '250.00' });
  await bank.tpp().fetch(singlePath, { method: 'POST', headers: known, body: singlePayment() });
  await bank.fetch('/sandbox/faults', {
    method: 'POST',
    body: { code: 'SERVICE_BLOCKED', path: '/v1/accounts', times: 2 },
  });
  await bank.fetch('/sandbox/quirks', { method: 'PUT', body: { quirks: { 'signature-401': true } } });
  await bank.clock.advance('P1D');
  await bank.save(file);
});

const quirksOn = async (of: Bank): Promise<readonly string[]> =>
  (await of.info()).quirks.filter(({ on }) => on).map(({ name }) => name);
const json = async (of: Bank, path: string) => (await of.fetch(path)).json<Record<string, never>>();
const pathsOf = (text: string): readonly string[] => text.match(/\/sca\/(?:access\/)?[\w.-]+/g) ?? [];
const linksOf = async (of: Bank): Promise<readonly string[]> =>
  pathsOf(
    (await (await of.fetch('/sandbox/sca')).text()) + (await (await of.fetch(`/sandbox/access/${nora.psu}`)).text()),
  );

test('an SCA that a call has begun gets a link of its own, too: in a copy and in a saved bank', async () => {
  await using own = await createBank({ now: wednesday });
  const asked = { method: 'POST', headers: { 'x-request-id': '4eba4445-1a4b-47b8-bdd5-4e56ef026b19' } };
  const begin = async (of: Bank) => (await of.fetch('/sandbox/as/shop/v1/bank-offered-consents', asked)).text();
  const first = await begin(own);
  const saved = join(folder, 'open-sca.sandbank');
  await own.save(saved);
  for (const from of [own, saved]) {
    await using copy = await createBank({ from });
    const [link = '', ...others] = pathsOf(await (await copy.fetch('/sandbox/sca')).text());
    expect(others).toEqual([]);
    // A call that is repeated leads to the copy's own page.
    expect(await begin(copy)).toBe(first.replace(pathsOf(first)[0] ?? '', link));
    expect(first).not.toContain(link);
    expect((await copy.fetch(link)).status).toBe(200);
    expect((await own.fetch(link)).status).toBe(404);
  }
});

describe.each<[string, () => Required<CreateBankOptions>['from']]>([
  ['an open bank', () => bank],
  ['a path', () => file],
  ['bytes', () => new Uint8Array(readFileSync(file))],
])('of %s', (_what, from) => {
  test('a copy has ledger, clock, settings, quirks and armed faults; links are its own', async () => {
    const before = await stateOf(bank);
    await using copy = await createBank({ from: from() });
    expect(await hashOf(copy)).toBe(await hashOf(bank));
    expect(await copy.clock.now()).toBe(await bank.clock.now());
    expect((await copy.info()).configuration).toMatchObject({ basketLifetime: 'PT5H', fixtures: 'known-state' });
    expect(await quirksOn(copy)).toEqual(['signature-401', 'plain-json']);
    expect(await json(copy, '/sandbox/faults')).toEqual(await json(bank, '/sandbox/faults'));
    expect((await json(copy, '/sandbox/requests'))['requests']).toEqual([]);
    const [own, others] = [await linksOf(copy), await linksOf(bank)];
    expect(own).toHaveLength(others.length);
    expect(own.filter((link) => others.includes(link))).toEqual([]);
    for (const link of own) expect((await copy.fetch(link)).status).toBe(200);
    for (const link of others) expect((await copy.fetch(link)).status).toBe(404);
    await copy.psu(nora.psu).approve(copy.url + own[0]);
    await copy.clock.advance('P10D');
    expect(await stateOf(bank)).toEqual(before);
  });

  test('a reset goes back to where the copy began, and so does the snapshot seeded', async () => {
    await using copy = await createBank({ from: from() });
    const [began, now] = [await hashOf(copy), await copy.clock.now()];
    for (const goBack of [() => copy.reset(), () => copy.restore('seeded')]) {
      await copy.fetch('/sandbox/quirks', { method: 'PUT', body: { quirks: { order: true } } });
      await copy.clock.set({ rate: 60 });
      await copy.clock.advance('P40D');
      await goBack();
      expect([await hashOf(copy), await copy.clock.now()]).toEqual([began, now]);
      expect(await quirksOn(copy)).toEqual(['signature-401', 'plain-json']);
      expect(await json(copy, '/sandbox/clock')).toMatchObject({ rate: 1 });
      expect((await json(copy, '/sandbox/snapshots'))['snapshots']).toEqual([{ name: 'seeded', now }]);
    }
  });

  test('options beside it win; now goes forward, with the runs until then', async () => {
    const now = '2027-04-10T00:00:00.000+02:00';
    await using copy = await createBank({ from: from(), now, quirks: { 'plain-json': false, order: true } });
    await bankAt(now, async (original) => expect(await hashOf(copy)).toBe(await hashOf(original)));
    expect(await quirksOn(copy)).toEqual(['signature-401', 'order']);
    await copy.clock.advance('P1D');
    await copy.reset();
    expect([await copy.clock.now(), await quirksOn(copy)]).toEqual([now, ['signature-401', 'order']]);
    await expect(createBank({ from: from(), now: '2027-03-20' })).rejects.toThrow(
      /^the copy begins at 2027-03-25T12.*forward only$/,
    );
  });

  test.each(['fixtures', 'life'] as const)('%s does not go with it', async (name) => {
    const wanted = name === 'life' ? { life: {} } : { fixtures: 'twins' };
    await expect(createBank({ from: from(), ...wanted })).rejects.toThrow(`createBank takes from or ${name}, not both`);
  });
});

/** A bank of the same past, which passes time in another way. */
async function bankAt(now: string, look: (bank: Bank) => Promise<void>): Promise<void> {
  await bank.snapshot('now');
  await bank.clock.advance(now);
  await look(bank);
  await bank.restore('now');
}

test('a profile beside it has its settings and quirks; a file of fixtures named at a reset begins anew', async () => {
  await using plain = await createBank({ now: wednesday });
  await using copy = await plain.copy({ profile: 'handelsbanken-norge' });
  expect((await copy.info()).configuration).toMatchObject({ profile: 'handelsbanken-norge' });
  expect(await quirksOn(copy)).toContain('value-date');
  await copy.tpp().pay({ from: nora.bban, to: stranger, amount: '250.00' });
  await copy.fetch('/sandbox/reset', { method: 'POST', body: { fixtures: 'known-state' } });
  await copy.clock.advance('P1D');
  await copy.reset();
  expect(await copy.clock.now()).toBe('2027-03-24T12:00:00.000+01:00');
  expect((await copy.account(nora.bban)).transactions).toEqual([]);
});

test('times of other runs are refused where runs have been', async () => {
  await expect(createBank({ from: file, settlementTimes: ['06:00'] })).rejects.toThrow(
    'The ledger has runs at 05:30,09:30,11:30,13:30,15:30, and the settings ask for 06:00.',
  );
});

test('the clock of an open bank goes on in mode and rate; of a file it stands still, unless asked', async () => {
  await using running = await createBank({ now: wednesday, mode: 'running' });
  await running.clock.set({ rate: 3600 });
  await using copy = await running.copy();
  expect(await json(copy, '/sandbox/clock')).toMatchObject({ mode: 'running', rate: 3600 });
  const saved = join(folder, 'running.sandbank');
  await running.save(saved);
  await using still = await createBank({ from: saved });
  expect(await json(still, '/sandbox/clock')).toMatchObject({ mode: 'frozen', rate: 3600 });
  const now = await still.clock.now();
  await still.reset();
  expect([await still.clock.now(), await json(still, '/sandbox/clock')]).toMatchObject([
    now,
    { mode: 'frozen', rate: 3600 },
  ]);
  await using again = await createBank({ from: saved, mode: 'running' });
  expect(await json(again, '/sandbox/clock')).toMatchObject({ mode: 'running', rate: 3600 });
  expect(Date.parse(await again.clock.now())).toBeGreaterThanOrEqual(Date.parse(now));
});

test('reissued ids keep their key; copies of one seed draw the same ids', async () => {
  await using seeded = await createBank({ now: wednesday, idSeed: 'one', quirks: ['reissued-ids'] });
  await seeded.tpp().pay({ from: nora.bban, to: stranger, amount: '2.00' });
  await seeded.clock.advance('P2D');
  await seeded.tpp().fetch(singlePath, { method: 'POST', headers: known, body: singlePayment() });
  await using first = await seeded.copy();
  await using second = await seeded.copy();
  const drawn = async (of: Bank): Promise<unknown> => {
    const payment = await of.tpp().pay({ from: nora.bban, to: stranger, amount: '3.00' });
    await of
      .tpp()
      .fetch(singlePath, { method: 'POST', headers: known, body: singlePayment({ endToEndIdentification: 'x' }) });
    return [payment, (await linksOf(of)).filter((link) => !link.includes('access'))];
  };
  expect(await drawn(second)).toEqual(await drawn(first));
  const told = async (of: Bank): Promise<string> => {
    const consent = await of.tpp().consent({ psu: nora.psu });
    const { booked } = await consent.transactions(nora.bban);
    return JSON.stringify(booked);
  };
  expect(await told(first)).toContain('transactionId');
  expect(await told(first)).toBe(await told(seeded));
});

test('a copy with lives, quirks and snapshots: books hold, the forecast comes true, its console shows it', async () => {
  await using original = await createBank({ now: wednesday, quirks: ['value-date'] });
  const player = playerOf(original);
  await fill(player);
  await original.snapshot('filled');
  const server = await bankServer({ from: original });
  await using copy = harnessBank(server);
  // The snapshots of the original are its own.
  await expect(copy.restore('filled')).rejects.toThrow('There is no snapshot "filled".');
  expect((await json(copy, '/sandbox/life'))['lives']).toEqual((await json(original, '/sandbox/life'))['lives']);
  await copy.snapshot('begun');
  for (let times = 0; times < 2; times += 1) {
    const { foreseen, made } = await lookThenGo(server.bank, 14 * 24 * 60, 24 * 60);
    expect([foreseen.attempts.length > 0, foreseen.lived.length > 0]).toEqual([true, true]);
    expect(firstDifference(foreseen, made)).toBeNull();
    expect(await brokenProofs(server.bank)).toEqual({});
    const page = await (await copy.fetch('/console')).text();
    expect(page).toContain('value-date');
    await copy.restore('begun');
  }
});

test('a copy of a copy goes back to where itself began; a clock that is set back begins it anew', async () => {
  const server = await bankServer({ from: bank });
  await using copy = harnessBank(server);
  await copy.clock.advance('P2D');
  await using other = await copy.copy();
  await other.clock.advance('P2D');
  await other.reset();
  expect(await hashOf(other)).toBe(await hashOf(copy));
  await using unpaid = await createBank({ now: wednesday });
  const later = await bankServer({ from: unpaid });
  await using back = harnessBank(later);
  await setClock(later.bank, { now: Date.parse('2027-02-01') as never, mode: null, rate: null });
  await back.clock.advance('P1D');
  await back.reset();
  expect(await back.clock.now()).toBe('2027-02-01T01:00:00.000+01:00');
});

describe('bad input is one line', () => {
  const saved = (): Buffer => readFileSync(file);
  const named = (name: string, bytes: Buffer): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  test.each<[string, () => unknown, RegExp]>([
    [
      'no such file',
      () => join(folder, 'none'),
      /^createBank: the saved bank ".*none" cannot be read: there is no such file/,
    ],
    ['a folder', () => folder, /^createBank: the saved bank ".*" cannot be read: it is a folder$/],
    ['a device', () => '/dev/zero', /^createBank: "\/dev\/zero" is no bundle of Sandbank$/],
    [
      'another file',
      () => named('x.json', Buffer.from('{}')),
      /^createBank: the saved bank ".*" is no bundle of Sandbank$/,
    ],
    ['empty bytes', () => Buffer.alloc(0), /^createBank: what is in from is empty$/],
    [
      'a damaged ledger',
      () => withLedger((ledger) => ledger.fill(7, 8_192 * 3, 8_192 * 4)),
      /^the ledger of the bundle is damaged/,
    ],
    [
      'no text',
      () => 7,
      /^createBank takes in from the path or the bytes of a saved bank, or an open one, and got 7\.$/,
    ],
    ['a promise', () => Promise.resolve(file), /an await is missing/],
  ])('%s', async (_what, from, said) => {
    const message = await createBank({ from: from() as string }).then(
      () => 'a bank',
      (error: unknown) => (error as Error).message,
    );
    expect(message).toMatch(said);
    expect(message).not.toContain('\n');
  });

  function withLedger(change: (ledger: Buffer) => unknown): Buffer {
    const { head, json: content, ledger } = taken(saved());
    const changed = Buffer.from(ledger);
    change(changed);
    return forged(contentOf(content, changed), { version: head[2] ?? '' });
  }

  test('a bank that is closed, and one that closes', async () => {
    const closed = await createBank({ now: wednesday });
    await closed.close();
    await expect(createBank({ from: closed })).rejects.toThrow(/^The bank was closed, and then asked for a copy\./);
    await expect(closed.copy()).rejects.toThrow(/^The bank was closed/);
    const closing = await createBank({ now: wednesday });
    const [copied] = await Promise.allSettled([createBank({ from: closing }), closing.close()]);
    if (copied.status === 'fulfilled') await copied.value.close();
    else
      expect(copied.reason.message).toMatch(
        /^(bank.close\(\) came while a copy was under way|The bank was closed, and then asked for a copy|createBank: The bank is closed)/,
      );
  });
});

test('a copy waits its turn while a large run settles, and the original goes on', async () => {
  await using original = await createBank({ now: wednesday });
  const items = Array.from({ length: 300 }, (_, index) => ({
    instructedAmount: { amount: `${index + 1}.00`, currency: 'NOK' },
    creditorName: 'Company 123',
    creditorAccount: { bban: stranger, currency: 'NOK' },
  }));
  await original.topUp(nora.bban, '900000.00');
  const paid = { debtorAccount: { bban: nora.bban, currency: 'NOK' }, payments: items };
  const bulk = await original
    .tpp()
    .fetch('/v1/bulk-payments/norwegian-domestic-credit-transfers', { method: 'POST', headers: known, body: paid });
  expect(await bulk.clone().text()).toContain('scaRedirect');
  const { _links } = await bulk.json<{ _links: { scaRedirect: { href: string } } }>();
  await original.psu(nora.psu).approve(_links.scaRedirect.href);
  const settling = original.clock.advance('P1D');
  await using copy = await original.copy();
  await settling;
  await copy.clock.advance(await original.clock.now());
  expect(await hashOf(copy)).toBe(await hashOf(original));
});
