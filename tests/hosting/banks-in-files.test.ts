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
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { pino } from 'pino';
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
  const { kept } = await listed();
  expect(kept).toMatchObject({
    clock: { now: before.clock.now },
    bytes: statSync(file('kept')).size,
    origin: { now: later, mode: 'frozen', profile: 'bien-sparebank' },
  });
  expect(await seen()).toEqual(before);
  expect((await of('kept', '/requests')).body.requests).toEqual([]);
  // A reset goes back to what it was made with, not to the settings of the server.
  await server.control('POST', '/banks/kept/sandbox/reset', {});
  expect((await of('kept', '/clock')).body.now).toBe(later);
  await server.control('POST', '/banks/given/sandbox/reset', {});
  expect((await of('given', '/info')).body.psus).toEqual(before.psus);
  expect((await put('kept', settings)).status).toBe(200);
});

test('K18b: PUT makes a bank or keeps it, of two at once too; DELETE moves its files to removed/', async () => {
  await start();
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
});

test('no bank is made with a name that is a path, has capitals, or names a device, and no file', async () => {
  await start();
  for (const name of ['..', '%2e%2e%2fledger', 'UPPER', 'a.b', 'a%00', 'con', 'x'.repeat(64)])
    expect([400, 404, 409]).toContain((await put(name)).status);
  expect(readdirSync(folder).filter((entry) => !entry.startsWith('.'))).toEqual([]);
});

/** What is wrong with the files of a bank, and the reason that is told. */
const wrongs: readonly (readonly [name: string, spoil: (ledger: string) => void, reason: RegExp])[] = [
  [
    'books',
    (ledger) => changed(ledger, 'update account set balance_minor = balance_minor + 1 where id = 1'),
    /its entries give/,
  ],
  ['page', (ledger) => writeFileSync(ledger, readFileSync(ledger).fill(7, 0, 4096)), /^file is not a database$/],
  ['later', (ledger) => writeFileSync(ledger, readFileSync(ledger).fill(7, 3 * 4096)), /./],
  ['text', (ledger) => writeFileSync(ledger, 'this is no ledger at all'), /^file is not a database$/],
  ['empty', (ledger) => writeFileSync(ledger, ''), /empty\.sqlite is empty/],
  [
    'foreign',
    (ledger) => (rmSync(ledger), changed(ledger, 'create table notes (text)')),
    /^it is no ledger, and has the table notes$/,
  ],
  [
    'record',
    (ledger) => writeFileSync(ledger.replace('.sqlite', '.json'), '{"settings":'),
    /record\.json cannot be read/,
  ],
];

function changed(ledger: string, sql: string): void {
  const database = new BetterSqlite3(ledger);
  database.exec(sql);
  database.close();
}

test('K18c: a file that cannot be opened, whatever is wrong with it, is a damaged bank, told in the list and the log', async () => {
  await start();
  for (const name of ['well', ...wrongs.map(([each]) => each)]) await put(name);
  await server.stop();
  for (const [name, spoil] of wrongs) spoil(file(name));
  await start();
  const banks = await listed();
  expect(banks['well']).toMatchObject({ damage: null, bytes: expect.any(Number) });
  for (const [name, , reason] of wrongs) {
    expect(banks[name]).toMatchObject({ clock: null, damage: expect.stringMatching(reason) });
    expect(lines.filter(({ bank }) => bank === name)).toMatchObject([{ reason: banks[name]['damage'] }]);
    for (const refused of [await of(name, '/clock'), await put(name)]) {
      expect([refused.status, refused.body.code]).toEqual([503, 'SYSTEM_ERROR']);
      expect(JSON.stringify(refused.body)).not.toContain(folder);
    }
    const tpp = await server.signed('GET', `/banks/${name}/v1/accounts`);
    expect([tpp.status, tpp.body.tppMessages[0].code]).toEqual([503, 'SYSTEM_ERROR']);
  }
  const page = await (await fetch(`${server.address}/console/banks`)).text();
  expect(page).toMatch(/damaged<\/span>\s*<bdi>empty\.sqlite is empty/);
  await expect(advance('well')).resolves.toMatchObject({ status: 200 });
  for (const [name] of wrongs) {
    expect((await server.control('DELETE', `/sandbox/banks/${name}`)).status).toBe(200);
    expect((await put(name)).status).toBe(201);
  }
});

test('K18c: one file is one bank: a link in the folder is ignored with a line, and so is what no bank can be', async () => {
  await start();
  await put('well');
  await server.stop();
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  writeFileSync(join(folder, 'lost.json'), '{}');
  copyFileSync(file('well'), file('Upper'));
  symlinkSync(file('well'), file('soft'));
  mkdirSync(file('dir'));
  copyFileSync(file('well'), join(folder, '..', 'outside'));
  linkSync(join(folder, '..', 'outside'), file('hard'));
  await start();
  expect(Object.keys(await listed())).toEqual(['default', 'well']);
  const ignored = lines.filter(({ msg }) => String(msg).includes('is ignored')).map((line) => String(line['file']));
  expect(ignored.map((path) => path.slice(folder.length + 1)).toSorted()).toEqual(
    ['Upper', 'dir', 'hard', 'soft']
      .map((name) => `${name}.sqlite`)
      .concat('notes.txt', 'lost.json')
      .toSorted(),
  );
  for (const name of ['soft', 'hard', 'dir']) {
    expect((await of(name, '/clock')).status).toBe(404);
    expect((await put(name)).status).toBe(409);
  }
  expect((await of('well', '/clock')).status).toBe(200);
});

test('K18c: a server on a link to the file of a bank that is served does not start', async () => {
  await start();
  await put('one');
  const [soft, hard] = ['soft', 'hard'].map((each) => join(folder, '..', `${each}.sqlite`)) as [string, string];
  symlinkSync(file('one'), soft);
  linkSync(file('one'), hard);
  for (const ledger of [soft, hard])
    await expect(startTestBank(now, ['--ledger', ledger])).rejects.toThrow(/is served by http:/);
});

describe('a file that is taken away under a running server', () => {
  test('makes its bank missing; nothing is written to a file that takes its name', async () => {
    await start();
    for (const name of ['one', 'other']) await put(name);
    await advance('one');
    await advance('other');
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
});

test('a bank is made of the known state of another, by its name', async () => {
  await start();
  const customers = [{ customerNumber: '13039319955', name: 'Nora', type: 'private', accounts: [] }];
  await put('nora', { fixtures: { customers, agreements: [] } });
  await again();
  expect(await put('copy', { fixtures: 'banks/nora' })).toMatchObject({ status: 201 });
  expect((await of('copy', '/info')).body.psus).toMatchObject([{ name: 'Nora' }]);
});

test('a folder has one server, and not that of the ledger; a ledger in it has no other server', async () => {
  await start();
  await put('one');
  await expect(startTestBank(now, ['--banks', folder])).rejects.toThrow(/are served by http:.*already/);
  await expect(startTestBank(now, ['--ledger', file('one')])).rejects.toThrow(/is served by http:/);
  const ledger = join(folder, 'ledger.sqlite');
  await expect(startTestBank(now, ['--banks', folder, '--ledger', ledger])).rejects.toThrow();
  await expect(startTestBank(now, ['--banks', 'package.json'])).rejects.toThrow(
    'the folder package.json of the banks cannot be used: it is a file',
  );
  await server.stop();
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  await expect(startTestBank(now, ['--banks', folder, '--ledger', ledger])).rejects.toThrow(/a folder of their own/);
  await expect(startTestBank(now, ['--banks', '/proc/none'])).rejects.toThrow(/cannot be used/);
  await start();
});

test('the banks of the platform live there too', async () => {
  const platform = ['bien-sparebank', 'bn-bank'];
  await start([], { platform });
  const id = await pay('bien-sparebank');
  await again([], { platform });
  expect((await of('bien-sparebank', `/payments/${id}`)).status).toBe(200);
  expect((await of('bien-sparebank', '/profile')).body.id).toBe('bien-sparebank');
  expect(existsSync(file('bien-sparebank'))).toBe(true);
});

test('a request that meets a removal makes no ledger anew', async () => {
  await start();
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
