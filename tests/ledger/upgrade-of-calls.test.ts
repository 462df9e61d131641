import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../support/bodies.ts';
import { memoryBank } from '../support/bank.ts';
import { rowsOf } from '../support/rows.ts';
import { startTestBank, validCertificate, type Reply, type TestBank } from '../support/server.ts';

/*
 * What the program wrote before migration 012 (commit d1fdcf2), as `sqlite3 .dump` shows it: a bank at 2027-04-12 12:00 with
 * three initiations of one TPP: a single and a bulk payment, signed, for the 14th, and one for today that is not signed.
 */
const older = readFileSync(new URL('ledger-of-008-calls.sql', import.meta.url), 'utf8');
const ids = [1, 2, 3].map((number) => `11111111-0000-4000-8000-00000000000${number}`);
const [single, bulk, unsigned] = [
  'enc!!cDLrA530RJuEuZ04BvQaKIExtlPHqUh5gMh36G0xTg==',
  'enc!!HaT0CD-PvDhIHa-SpyApBprX-ab_DiVNL72a7UMJdA==',
  'enc!!l4KyWryfEiL7d07YawR4R9XL2aE1gMJzKMocIW6X2w==',
];
const onThe14th = { requestedExecutionDate: '2027-04-14' };
const bodies = [
  singlePayment(onThe14th),
  bulkPayment([bulkItem('1.00'), bulkItem('2.00')], onThe14th),
  singlePayment({ instructedAmount: { amount: '3.00', currency: 'NOK' } }),
];
const certificate = validCertificate({ organizationIdentifier: 'PSDNO-FSA-987654321' });

let folder: string;
let bank: TestBank;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-upgrade-'));
  const ledger = join(folder, 'ledger.sqlite');
  const file = new BetterSqlite3(ledger);
  file.exec(older);
  file.close();
  bank = await startTestBank('2027-04-12T12:00:00+02:00', ['--ledger', ledger]);
});
afterEach(async () => {
  await bank.stop();
  rmSync(folder, { recursive: true, force: true });
});

function send(path: string, index: number, body = bodies[index], psu = '13039319955'): Promise<Reply> {
  const headers = { 'x-request-id': ids[index] ?? '', 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
  return bank.signed('POST', path, { body, headers, certificate });
}

test('012: each initiation is answered as it was first, whatever its query was', async () => {
  for (const [path, index, paymentId] of [
    [`${singlePath}?allowLogicalDuplicate=true`, 0, single],
    [singlePath, 0, single],
    [bulkPath, 1, bulk],
    [singlePath, 2, unsigned],
  ] as const) {
    expect(await send(path, index)).toMatchObject({ status: 201, body: { paymentId, transactionStatus: 'RCVD' } });
  }
});

test('012: the same id with another body, or for another PSU, is still a FORMAT_ERROR', async () => {
  const isTaken = { status: 400, body: { tppMessages: [{ code: 'FORMAT_ERROR', path: 'x-request-id' }] } };
  expect(await send(singlePath, 0, bodies[2])).toMatchObject(isTaken);
  expect(await send(singlePath, 0, bodies[0], '12085592767')).toMatchObject(isTaken);
});

test('S2b: what it had signed becomes due at its midnight, and settles', async () => {
  const statusOf = async (id: string | undefined) =>
    (await bank.control('GET', `/sandbox/payments/${id}`)).body.status as string;
  await bank.control('POST', '/sandbox/clock/advance', { until: { paymentId: single, status: 'PDNG' } });
  expect(await Promise.all([single, bulk, unsigned].map(statusOf))).toEqual(['PDNG', 'PDNG', 'RCVD']);
  expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe('2027-04-14T00:00:00.000+02:00');
  await bank.control('POST', '/sandbox/clock/advance', { runs: 1 });
  expect(await Promise.all([single, bulk, unsigned].map(statusOf))).toEqual(['ACSC', 'ACSC', 'RCVD']);
});

test('its tables are those of a new ledger, to the letter', async () => {
  const other = await memoryBank('2027-04-12T12:00:00+02:00');
  const schema = `select name, sql from sqlite_schema where name not like 'kysely%' and sql is not null order by name`;
  const [upgraded, fresh] = await Promise.all(
    [bank.bank, other].map((each) => each.ledger.read((reader) => rowsOf(reader, schema))),
  );
  await other.close();
  expect(upgraded).toEqual(fresh);
});
