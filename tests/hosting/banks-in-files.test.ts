import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { pino } from 'pino';
import { BankFiles } from '../../api/hosting/bank-files.ts';
import { readConfig } from '../../api/start/config.ts';
import { platformIds } from '../../api/start/platform.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { knownState } from '../lab/bank.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

/* docs/spec/control-plane.md, named banks in files: --banks DIR. */

const now = '2027-03-24T12:00:00.000+01:00';
const later = '2027-03-30T12:00:00.000+02:00';
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
let folder: string;
let server: TestBank;
/** Lines of the log. */
let lines: Record<string, unknown>[];

type Options = NonNullable<Parameters<typeof startTestBank>[2]>;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'sandbank-files-')), 'banks');
  lines = [];
});
afterEach(async () => {
  await server?.stop();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

async function start(flags: readonly string[] = [], options: Options = {}): Promise<void> {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  server = await startTestBank(now, ['--banks', folder, ...flags], { log, ...options });
}

async function again(flags: readonly string[] = [], options: Options = {}): Promise<void> {
  await server.stop();
  await start(flags, options);
}

const put = (name: string, body: object = {}) => server.control('PUT', `/sandbox/banks/${name}`, body);
const of = (name: string, path: string) => server.control('GET', `/banks/${name}/sandbox${path}`);
const file = (name: string): string => join(folder, `${name}.sqlite`);
const advance = (name: string) => server.control('POST', `/banks/${name}/sandbox/clock/advance`, { runs: 1 });

async function pay(name: string): Promise<string> {
  const answer = await server.signed('POST', `/banks/${name}${singlePath}`, { headers: psu, body: singlePayment() });
  expect(answer.status).toBe(201);
  return encodeURIComponent(answer.body.paymentId);
}

async function listed(): Promise<Record<string, Awaited<ReturnType<typeof of>>['body']>> {
  const { banks } = (await server.control('GET', '/sandbox/banks')).body;
  return Object.fromEntries(banks.map((each: { name: string }) => [each.name, each]));
}

test('a bank is there again after a restart with all that it had but its journal, whatever the settings of the server', async () => {
  await start();
  const customers = [{ customerNumber: '13039319955', name: 'Nora', type: 'private', accounts: [] }];
  const settings = { now: later, quirks: ['status-before-approval'], profile: 'bien-sparebank' };
  expect((await put('kept', settings)).status).toBe(201);
  expect((await put('given', { fixtures: { customers, agreements: [] } })).status).toBe(201);
  const id = await pay('kept');
  await server.control('POST', '/banks/kept/sandbox/snapshots', { name: 'early' });
  await advance('kept');
  await server.control('PUT', '/banks/kept/sandbox/quirks', { quirks: { 'plain-json': true } });
  await server.control('POST', '/banks/kept/sandbox/faults', { code: 'SERVICE_BLOCKED', times: 2 });
  const struck = { headers: psu, body: singlePayment({ instructedAmount: { currency: 'NOK', amount: '7.00' } }) };
  expect((await server.signed('POST', `/banks/kept${singlePath}`, struck)).status).toBe(403);
  const seen = async () => ({
    clock: { ...(await of('kept', '/clock')).body, wall: null },
    payment: (await of('kept', `/payments/${id}`)).body,
    snapshots: (await of('kept', '/snapshots')).body,
    quirks: (await of('kept', '/quirks')).body,
    profile: (await of('kept', '/profile')).body.id,
    faults: (await of('kept', '/faults')).body,
    proof: (await of('kept', '/ledger/proof')).body.ok,
    psus: (await of('given', '/info')).body.psus,
  });
  const before = await seen();
  expect(before).toMatchObject({ faults: { faults: [{ remaining: 1 }] }, profile: 'bien-sparebank', proof: true });
  await again(['--settlement-times', '07:00', '--quirks', 'order']);
  const { kept, default: root } = await listed();
  expect(kept).toMatchObject({
    clock: { now: before.clock.now },
    bytes: statSync(file('kept')).size,
    origin: { now: later, mode: 'frozen', profile: 'bien-sparebank' },
  });
  expect(Date.now() - Date.parse(kept.used)).toBeLessThan(60_000);
  expect(root.used).toBeNull();
  expect(await seen()).toEqual(before);
  expect((await of('kept', '/requests')).body.requests).toEqual([]);
  // A reset goes back to what it was made with, not to the settings of the server.
  await server.control('POST', '/banks/kept/sandbox/reset', {});
  expect((await of('kept', '/clock')).body.now).toBe(later);
  await server.control('POST', '/banks/given/sandbox/reset', {});
  expect((await of('given', '/info')).body.psus).toEqual(before.psus);
  expect((await put('kept', settings)).status).toBe(200);
});

test('H Lasting: a bank whose record cannot be written keeps no other bank from being opened', async () => {
  await start(['--open-banks', '1'], { heartbeat: 60_000 });
  for (const name of ['full', 'other']) expect((await put(name)).status).toBe(201);
  await advance('full');
  rmSync(join(folder, 'full.json'));
  // No file can take its place.
  mkdirSync(join(folder, 'full.json'));
  expect((await of('other', '/clock')).status).toBe(200);
  expect(lines).toMatchObject([
    { bank: 'full', err: { message: expect.stringContaining('full.json cannot be written') } },
  ]);
  const moved = (await of('full', '/clock')).body.now;
  expect(moved).not.toBe(now);
  rmSync(join(folder, 'full.json'), { recursive: true });
  expect((await of('other', '/clock')).status).toBe(200);
  // Its state is kept when it can be.
  expect(JSON.parse(readFileSync(join(folder, 'full.json'), 'utf8')).clock.value).toBe(Date.parse(moved));
});

test('H Limits: the size of a bank is that of its ledger, its log and its snapshots, and of the copy of each snapshot', async () => {
  const config = readConfig({}, ['--ledger=:memory:']);
  const store = await BankFiles.open({ folder, config, knownState, address: 'x', log: pino({ level: 'silent' }) });
  const snapshots = `${file('one')}.snapshots`;
  mkdirSync(snapshots);
  for (const [path, bytes] of [
    [file('one'), 1_000],
    [`${file('one')}-wal`, 100],
    [join(snapshots, 'early.sqlite'), 20],
    [join(snapshots, 'late.sqlite'), 3],
    [join(snapshots, 'late.sqlite-wal'), 5],
    [file('other'), 7],
  ] as const)
    writeFileSync(path, Buffer.alloc(bytes));
  expect([store.size('one'), store.size('other'), store.size('none')]).toEqual([1_146, 7, 0]);
  store.close();
});

test('H: what was removed is destroyed a day later, after a jump of the wall clock too; what is no removed bank stays', async () => {
  const day = 86_400_000;
  let wall = systemClock.now();
  await start([], { heartbeat: 10, wall: { now: () => wall as Instant, monotonic: systemClock.monotonic } });
  const removed = (name: string): string => join(folder, 'removed', name);
  const destroyed = async (name: string): Promise<void> => {
    // The limit of the test ends it.
    while (existsSync(removed(name))) await setTimeout(10);
  };
  const [later, earlier] = [wall + 60_000, wall - 7_200_000];
  const others = [`young@${later - day + 1}`, 'mine', 'Mine@1', 'mine@1x'];
  for (const name of [`old@${later - day}`, ...others]) mkdirSync(removed(name), { recursive: true });
  wall = later as Instant;
  await destroyed(`old@${later - day}`);
  mkdirSync(removed(`old@${earlier - day}`));
  wall = earlier as Instant;
  await destroyed(`old@${earlier - day}`);
  expect(readdirSync(join(folder, 'removed')).toSorted()).toEqual(others.toSorted());
});

test('PUT makes a bank or keeps it, of two at once too; DELETE moves its files aside for a day', async () => {
  let wall = systemClock.now();
  await start([], { heartbeat: 20, wall: { now: () => wall as Instant, monotonic: systemClock.monotonic } });
  const both = await Promise.all([put('ci', { mode: 'frozen' }), put('ci', { mode: 'frozen' })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 201]);
  expect(both[0]?.body).toEqual(both[1]?.body);
  expect((await put('ci', { mode: 'running' })).status).toBe(409);
  expect((await put('ci')).status).toBe(409);
  expect((await server.control('POST', '/sandbox/banks', { name: 'ci' })).status).toBe(409);
  const id = await pay('ci');
  expect((await server.control('DELETE', '/sandbox/banks/ci')).status).toBe(200);
  expect((await of('ci', '/clock')).status).toBe(404);
  expect(readdirSync(folder).filter((entry) => entry.startsWith('ci'))).toEqual([]);
  const [aside = ''] = readdirSync(join(folder, 'removed'));
  expect(readdirSync(join(folder, 'removed', aside))).toEqual(
    expect.arrayContaining(['ci.json', 'ci.sqlite', 'ci.sqlite.snapshots']),
  );
  expect((await put('ci')).status).toBe(201);
  expect((await of('ci', `/payments/${id}`)).status).toBe(404);
  wall = (wall + 86_400_000) as Instant;
  // The limit of the test ends it.
  while (existsSync(join(folder, 'removed', aside))) await setTimeout(20);
  expect(readdirSync(join(folder, 'removed'))).toEqual([]);
  expect((await of('ci', '/clock')).status).toBe(200);
});

test('no bank is made with a name that is a path, has capitals, or names a device, and no file', async () => {
  await start();
  for (const name of ['..', '%2e%2e%2fledger', 'UPPER', 'a.b', 'a%00', 'con', 'x'.repeat(64)])
    expect([400, 404, 409]).toContain((await put(name)).status);
  expect(readdirSync(folder).filter((entry) => !entry.startsWith('.'))).toEqual([]);
});

test('files that are no ledgers, badly named or linked are ignored with a line each; a damaged bank is refused alone', async () => {
  await start();
  for (const name of ['well', 'bad', 'odd']) await put(name);
  await server.stop();
  const broken = new BetterSqlite3(file('bad'));
  broken.exec('update account set balance_minor = balance_minor + 1 where id = 1');
  broken.close();
  writeFileSync(join(folder, 'odd.json'), '{"settings":');
  writeFileSync(join(folder, 'text.sqlite'), 'this is no ledger at all');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  copyFileSync(file('well'), file('Upper'));
  symlinkSync(file('well'), file('soft'));
  mkdirSync(file('dir'));
  copyFileSync(file('well'), join(folder, '..', 'outside'));
  linkSync(join(folder, '..', 'outside'), file('hard'));
  await start();
  const names = Object.keys(await listed());
  expect(names).toEqual(['default', 'bad', 'well']);
  const ignored = lines.filter(({ msg }) => String(msg).includes('is ignored')).map((line) => String(line['file']));
  expect(ignored.map((path) => path.slice(folder.length + 1)).toSorted()).toEqual(
    ['Upper', 'dir', 'hard', 'soft', 'text']
      .map((name) => `${name}.sqlite`)
      .concat('notes.txt')
      .toSorted(),
  );
  for (const name of ['bad', 'odd']) {
    const refused = await of(name, '/clock');
    expect([refused.status, refused.body.code]).toEqual([503, 'SYSTEM_ERROR']);
    expect(JSON.stringify(refused.body)).not.toContain(folder);
    const tpp = await server.signed('GET', `/banks/${name}/v1/accounts`);
    expect([tpp.status, tpp.body.tppMessages[0].code]).toEqual([503, 'SYSTEM_ERROR']);
  }
  for (const name of ['text', 'soft', 'hard', 'dir']) {
    expect((await of(name, '/clock')).status).toBe(404);
    expect((await put(name)).status).toBe(409);
  }
  expect((await of('well', '/clock')).status).toBe(200);
  await expect(advance('well')).resolves.toMatchObject({ status: 200 });
  expect((await server.control('DELETE', '/sandbox/banks/bad')).status).toBe(200);
  expect((await put('bad')).status).toBe(201);
});

describe('a file that is taken away under a running server', () => {
  test.each([
    ['open', 10],
    ['closed', 1],
  ])('of an %s bank makes it missing; nothing is written to a file that takes its name', async (_how, open) => {
    await start(['--open-banks', String(open)]);
    for (const name of ['one', 'other']) await put(name);
    await advance('one');
    await advance('other');
    if (open === 1) await server.control('GET', '/banks/other/sandbox/clock');
    renameSync(file('one'), join(folder, '..', 'aside'));
    expect((await advance('one')).body).toMatchObject({ status: 503, code: 'SYSTEM_ERROR' });
    expect(existsSync(file('one'))).toBe(false);
    copyFileSync(file('other'), file('one'));
    const foreign = readFileSync(file('one'));
    expect((await advance('one')).status).toBe(503);
    const paid = await server.signed('POST', `/banks/one${singlePath}`, { headers: psu, body: singlePayment() });
    expect([paid.status, paid.body.tppMessages[0].code]).toEqual([503, 'SYSTEM_ERROR']);
    expect((await advance('other')).status).toBe(200);
    expect(readFileSync(file('one'))).toEqual(foreign);
    renameSync(join(folder, '..', 'aside'), file('one'));
    expect((await advance('one')).status).toBe(200);
    expect((await of('one', '/ledger/proof')).body.ok).toBe(true);
  });

  test.each(['-wal', '-shm'])('so does its %s; a reset ends it', async (end) => {
    await start();
    await put('one');
    await advance('one');
    rmSync(file('one') + end);
    expect((await advance('one')).status).toBe(503);
    expect((await server.control('POST', '/banks/one/sandbox/reset', {})).status).toBe(200);
    expect((await advance('one')).status).toBe(200);
    expect((await of('one', '/ledger/proof')).body.ok).toBe(true);
  });

  test('a bank that nobody has asked since the start is missing too, and no new ledger takes its place', async () => {
    await start();
    await put('one');
    await again();
    await listed();
    renameSync(file('one'), join(folder, '..', 'aside'));
    expect((await of('one', '/clock')).status).toBe(503);
    expect(existsSync(file('one'))).toBe(false);
    renameSync(join(folder, '..', 'aside'), file('one'));
    expect((await of('one', '/clock')).status).toBe(200);
  });

  test('a change by another program while it was closed is read, and a wrong one makes the bank broken', async () => {
    await start(['--open-banks', '1']);
    await put('one');
    await put('other');
    const change = (sql: string): void => {
      const database = new BetterSqlite3(file('one'));
      database.exec(sql);
      database.close();
    };
    await of('other', '/clock');
    change(`update bank_state set quirks = 'plain-json'`);
    expect((await of('one', '/quirks')).body.quirks).toEqual({ 'plain-json': true });
    await of('other', '/clock');
    change('update account set balance_minor = balance_minor + 1 where id = 1');
    expect((await server.control('PUT', '/banks/one/sandbox/quirks', { quirks: { order: true } })).status).toBe(503);
    expect((await of('other', '/clock')).status).toBe(200);
  });
});

test('a bank is made of the known state of another, by its name, without opening the other one', async () => {
  await start();
  const customers = [{ customerNumber: '13039319955', name: 'Nora', type: 'private', accounts: [] }];
  await put('nora', { fixtures: { customers, agreements: [] } });
  await server.stop();
  writeFileSync(file('nora'), Buffer.alloc(65_536, 'SQLite format 3\0'));
  await start();
  expect(await put('copy', { fixtures: 'banks/nora' })).toMatchObject({ status: 201 });
  expect((await of('copy', '/info')).body.psus).toMatchObject([{ name: 'Nora' }]);
  expect((await of('nora', '/info')).status).toBe(503);
});

test('--banks-expire: the log tells it a day before; any request keeps the bank, a restart too', async () => {
  let wall = systemClock.now();
  const day = 86_400_000;
  const options = { heartbeat: 20, wall: { now: () => wall as Instant, monotonic: systemClock.monotonic } };
  const flags = ['--banks-expire', 'P30D'];
  await start(flags, options);
  await put('used');
  await put('left');
  const pass = async (days: number): Promise<void> => {
    wall = (wall + days * day) as Instant;
    await setTimeout(200);
  };
  const told = (what: string) => lines.filter(({ msg }) => String(msg).includes(what)).map(({ bank }) => bank);
  /** The limit of the test ends it. */
  const until = async (what: string, count: number): Promise<void> => {
    while (told(what).length < count) await setTimeout(10);
  };
  await pass(28.5);
  expect(told('expires at')).toEqual([]);
  await pass(0.6);
  await until('expires at', 2);
  expect(told('expires at').toSorted()).toEqual(['left', 'used']);
  await of('used', '/clock');
  await again(flags, options);
  await pass(0.5);
  expect(told('has expired')).toEqual([]);
  await pass(0.6);
  await until('has expired', 1);
  expect(told('has expired')).toEqual(['left']);
  expect(Object.keys(await listed())).toEqual(['default', 'used']);
  expect((await of('used', '/clock')).status).toBe(200);
});

test('a folder has one server, and not that of the ledger; a ledger in it has no other server', async () => {
  await start();
  await put('one');
  await expect(startTestBank(now, ['--banks', folder])).rejects.toThrow(/are served by http:.*already/);
  await expect(startTestBank(now, ['--ledger', file('one')])).rejects.toThrow(/is served by http:/);
  const ledger = join(folder, 'ledger.sqlite');
  await expect(startTestBank(now, ['--banks', folder, '--ledger', ledger])).rejects.toThrow();
  await server.stop();
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  await expect(startTestBank(now, ['--banks', folder, '--ledger', ledger])).rejects.toThrow(/a folder of their own/);
  await expect(startTestBank(now, ['--banks', '/proc/none'])).rejects.toThrow(/cannot be used/);
  await start();
});

test('the banks of the platform live there too', async () => {
  await start([], { platform: platformIds() });
  const id = await pay('bien-sparebank');
  await again([], { platform: platformIds() });
  expect((await of('bien-sparebank', `/payments/${id}`)).status).toBe(200);
  expect((await of('bien-sparebank', '/profile')).body.id).toBe('bien-sparebank');
  expect(existsSync(file('bien-sparebank'))).toBe(true);
});

test('a request that meets a removal makes no ledger anew', async () => {
  await start(['--open-banks', '1']);
  const names = Array.from({ length: 6 }, (_, index) => `gone-${index}`);
  for (const name of names) await put(name);
  await again();
  const answers = names.flatMap((name) => [
    of(name, '/clock'),
    server.control('DELETE', `/sandbox/banks/${name}`),
    of(name, '/clock'),
  ]);
  for (const { status } of await Promise.all(answers)) expect([200, 404, 409]).toContain(status);
  expect(readdirSync(folder).filter((entry) => entry.endsWith('.sqlite'))).toEqual([]);
});
