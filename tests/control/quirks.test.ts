import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import BetterSqlite3 from 'better-sqlite3';
import { readConfigOfProfile } from '../../api/start/profile.ts';
import { readConfig } from '../../api/start/config.ts';
import { type RunningServer, startServer } from '../../api/hosting/server.ts';
import { BankClient } from '../lab/server.ts';
import { openSaved } from '../lab/saved-bank.ts';

/* rules.md Q1: quirks are switched on a running bank. */
const folder = tempFolder();
let server: RunningServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

async function start(ledger: string, ...flags: string[]): Promise<BankClient> {
  await server?.stop();
  const own = ['--port=0', `--ledger=${ledger}`, '--log-level=silent', '--clock-mode=frozen', '--clock-now=2027-03-24'];
  server = await startServer(readConfig({}, [...own, ...flags]));
  return new BankClient(server.address);
}

const put = (bank: BankClient, quirks: object) => bank.control('PUT', '/sandbox/quirks', { quirks });
const on = async (bank: BankClient) => (await bank.control('GET', '/sandbox/quirks')).body.quirks;

test('K14: they are merged with those that are on, the answer has all, and info shows them', async () => {
  const bank = await start(':memory:', '--quirks=december-month');
  expect(await on(bank)).toEqual({ 'december-month': true });
  const { status, body } = await put(bank, { 'reissued-ids': 'P7D', 'plain-json': true });
  expect([status, body]).toEqual([
    200,
    { quirks: { 'december-month': true, 'reissued-ids': 'P7D', 'plain-json': true } },
  ]);
  expect((await put(bank, { 'december-month': false, 'plain-json': false })).body.quirks).toEqual({
    'reissued-ids': 'P7D',
  });
  const info = (await bank.control('GET', '/sandbox/info')).body;
  const shown = info.quirks.filter((quirk: { on: boolean }) => quirk.on);
  expect(shown).toEqual([expect.objectContaining({ name: 'reissued-ids', value: 'P7D', register: [1, 2] })]);
  expect(info.configuration.quirks).toEqual(['december-month']);
});

test('a reset goes back to those of the start; an initialize and a clock set back keep them', async () => {
  const bank = await start(':memory:', '--quirks=december-month');
  await put(bank, { 'plain-json': true });
  await bank.control('PUT', '/sandbox/clock', { now: '2027-03-20' });
  expect(await on(bank)).toEqual({ 'december-month': true, 'plain-json': true });
  await bank.control('POST', '/sandbox/snapshots', { name: 'kept' });
  await bank.control('POST', '/sandbox/reset', {});
  expect(await on(bank)).toEqual({ 'december-month': true });
  await bank.control('POST', '/sandbox/snapshots/kept/restore', {});
  expect(await on(bank)).toEqual({ 'december-month': true, 'plain-json': true });
});

test('a file ledger keeps them over a restart, until a reset', async () => {
  const ledger = join(folder, 'l.sqlite');
  const bank = await start(ledger, '--quirks=december-month');
  await put(bank, { 'plain-json': true, 'december-month': false });
  const again = await start(ledger, '--quirks=december-month,signature-401');
  expect(await on(again)).toEqual({ 'plain-json': true });
  await again.control('POST', '/sandbox/reset', {});
  expect(await on(again)).toEqual({ 'december-month': true, 'signature-401': true });
});

test('the switch holds for the next request: a wrong signature is 401, then 400 again', async () => {
  const bank = await start(':memory:');
  const statusOf = async () => (await bank.raw('GET', '/v1/accounts', { 'x-request-id': 'r' })).status;
  expect(await statusOf()).toBe(400);
  await put(bank, { 'signature-401': true });
  expect(await statusOf()).toBe(401);
  await put(bank, { 'signature-401': false });
  expect(await statusOf()).toBe(400);
});

test.each([
  [{ quirks: { 'plain-jsn': true } }, 'quirks.plain-jsn', 'There is no quirk plain-jsn; the nearest is plain-json.'],
  [{ quirks: { 'plain-json': 'P1D' } }, 'quirks.plain-json', 'plain-json: it takes no value.'],
  [{ quirks: { order: 7 } }, 'quirks.order', 'order: expected posting.'],
  [{ quirks: { 'reissued-ids': null } }, 'quirks.reissued-ids', /^reissued-ids: expected P60D\|session/],
  [{ quirks: ['plain-json'] }, 'quirks', /an object with quirks by name/],
  [{}, 'quirks', /quirks/],
  [{ quirks: { 'pending-dates': 'none', 'pending-filtered': true } }, 'quirks.pending-dates', /does not go with/],
])('%j is refused at %s', async (body, path, detail) => {
  const bank = await start(':memory:');
  const answer = await bank.control('PUT', '/sandbox/quirks', body);
  expect([answer.status, answer.body.errors]).toEqual([
    400,
    [{ path, detail: typeof detail === 'string' ? detail : expect.stringMatching(detail) }],
  ]);
  expect(await on(bank)).toEqual({});
});

test('a named bank takes a list of names, or an object with values', async () => {
  const bank = await start(':memory:');
  const made = async (quirks: unknown) =>
    (await bank.control('POST', '/sandbox/banks', { name: `b-${Math.abs(JSON.stringify(quirks).length)}`, quirks }))
      .body;
  expect((await made(['december-month'])).quirks).toEqual(['december-month']);
  expect((await made({ 'reissued-ids': 'session', order: true })).quirks).toEqual([
    'reissued-ids=session',
    'order=posting',
  ]);
  expect((await made({ ordr: true })).detail).toBe('There is no quirk ordr; the nearest is order.');
});

test('a bundle has the quirks that are on, those of the start, and the profile', async () => {
  const flags = ['--port=0', '--ledger=:memory:', '--log-level=silent', '--profile=sparebank1-ostlandet'];
  server = await startServer(await readConfigOfProfile({}, flags));
  const saved = new BankClient(server.address);
  await put(saved, { 'plain-json': true });
  const bytes = Buffer.from(await (await fetch(`${server.address}/sandbox/bundle`)).arrayBuffer());
  await server.stop();
  const bundle = bytes;
  server = await openSaved(bundle);
  const opened = new BankClient(server.address);
  const ofProfile = { 'reissued-ids': 'P1D', 'rewritten-texts': 'P1D' };
  expect(await on(opened)).toEqual({ ...ofProfile, 'plain-json': true });
  expect((await opened.control('GET', '/sandbox/profile')).body.id).toBe('sparebank1-ostlandet');
  await opened.control('POST', '/sandbox/reset', {});
  expect(await on(opened)).toEqual(ofProfile);
});

test('a ledger file with a quirk that this version does not know is refused in one line', async () => {
  const ledger = join(folder, 'unknown.sqlite');
  await start(ledger);
  await server?.stop();
  server = null;
  const sqlite = new BetterSqlite3(ledger);
  sqlite.exec("update bank_state set quirks = 'of-tomorrow'");
  sqlite.close();
  await expect(start(ledger)).rejects.toThrow(/^[^\n]*there is no quirk of-tomorrow[^\n]*$/);
});
