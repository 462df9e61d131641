import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { openBank, type Bank } from '../../engine/bank.ts';
import { epochDay, localDate } from '../../engine/values/local-date.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { inspectPayment } from '../../engine/payments/inspect-payment.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { readPayment } from '../../engine/payments/read-payment.ts';
import { resetBank } from '../../engine/reset-bank.ts';
import { restoreSnapshot } from '../../engine/reset-bank.ts';
import { at, calendar, knownState, manualClock, memoryBank } from '../support/bank.ts';
import { orRefusal, pay, sign, tpp } from '../support/payments.ts';
import { brokenProofs } from '../support/proof.ts';
import { dump, rowsOf } from '../support/rows.ts';

/*
 * What the program wrote before migration 003 (commit 01d7232), as `sqlite3 .dump` shows it: a bank at 2027-04-09 14:00
 * with a settled payment, a standing order and a bulk payment for the 12th, and one for the 13th that is not signed.
 */
const older = readFileSync(new URL('ledger-of-002.sql', import.meta.url), 'utf8');
const settled = 'enc!!r2Qq4ivDqMirjaZrmUBMhZvIn0IIGoEWfGCaJkoVIg==';
const rent = 'enc!!-yLV09REYJoJoebNFlQ1KYTuouB9z7O5nucLk4qWKg==';
const wages = 'enc!!TeZz3MnzdvgSCKo5ivjkwd4OO1dLeiq3kpXXoD9bFQ==';
const unsigned = 'enc!!tExWnZQSNBunJq6Bb-22EDjnPj8XpkI_oVoFRu5VeA==';

let folder: string;
let ledger: string;
let bank: Bank;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-upgrade-'));
  ledger = join(folder, 'ledger.sqlite');
  mkdirSync(`${ledger}.snapshots`);
  writeOlder(ledger);
  writeOlder(join(`${ledger}.snapshots`, `friday@${at('2027-04-09T14:00:00+02:00')}.sqlite`));
  const start = at('2027-04-09T14:00:00+02:00');
  const options = { wall: manualClock(start), ids: randomIds, calendar, knownState };
  bank = await openBank({ ledger, ...options, start: { mode: 'frozen', now: start } });
});
afterEach(async () => {
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
});

function writeOlder(path: string): void {
  const file = new BetterSqlite3(path);
  file.exec(older);
  file.close();
}

const sentFor = async (paymentId: string): Promise<unknown> =>
  JSON.parse((await readPayment(bank, { tppId: tpp.id, psu: {}, path: { paymentId } })).initiation);

const statuses = async (): Promise<string[]> =>
  Promise.all([settled, rent, wages, unsigned].map(async (id) => (await inspectPayment(bank, id)).status));

const accounts = {
  debtorAccount: { bban: '09232911044', currency: 'NOK' },
  creditorAccount: { bban: '74712699947', currency: 'NOK' },
  creditorName: 'even',
};
const nok = (amount: string): object => ({ amount, currency: 'NOK' });

test('a ledger of an older program keeps what every TPP sent', async () => {
  const order = { startDate: '2027-04-12', frequency: 'Weekly', executionRule: 'following' };
  expect(await sentFor(rent)).toEqual({ ...accounts, ...order, instructedAmount: nok('10.00') });
  const { debtorAccount, ...creditor } = accounts;
  expect(await sentFor(wages)).toEqual({
    debtorAccount,
    requestedExecutionDate: '2027-04-12',
    payments: [
      { ...creditor, instructedAmount: nok('1.00') },
      { ...creditor, instructedAmount: nok('2.00') },
    ],
  });
  expect(await sentFor(unsigned)).toMatchObject({ requestedExecutionDate: '2027-04-13' });
});

test('it goes on: what was signed settles, what was not can be signed', async () => {
  expect(await sign(bank, unsigned, 'nora')).toBeNull();
  await advanceClock(bank, at('2027-04-13T06:00:00+02:00'));
  expect(await statuses()).toEqual(['ACSC', 'ACSP', 'ACSC', 'ACSC']);
  expect(await orRefusal(readPayment(bank, { tppId: tpp.id, psu: {}, path: { paymentId: settled } }))).toBe(
    'RESOURCE_UNKNOWN',
  );
  expect(Object.values(await brokenProofs(bank)).flat()).toEqual([]);
});

test('a snapshot of an older program is restored with its payments', async () => {
  await advanceClock(bank, at('2027-04-13T06:00:00+02:00'));
  await restoreSnapshot(bank, 'friday');
  expect(await statuses()).toEqual(['ACSC', 'ACSP', 'ACSP', 'RCVD']);
  expect(await sentFor(unsigned)).toMatchObject({ instructedAmount: nok('7.00') });
});

test('its tables are those of a new ledger, to the letter', async () => {
  const other = await memoryBank('2027-04-09T14:00:00+02:00');
  const schema = `select name, sql from sqlite_schema where name not like 'kysely%' and sql is not null order by name`;
  const [upgraded, fresh] = await Promise.all(
    [bank, other].map((each) => each.ledger.read((reader) => rowsOf(reader, schema))),
  );
  expect(upgraded).toEqual(fresh);
  await other.close();
});

test('T7: its running clock is not behind its last run, though the wall clock is', async () => {
  const running = join(folder, 'running.sqlite');
  writeOlder(running);
  const file = new BetterSqlite3(running);
  // At an hour a second from 2 April on, and the wall clock was set back to then.
  const [wall, since] = [at('2027-04-01T12:00:00+02:00'), at('2027-04-02T12:00:00+02:00')];
  file
    .prepare(`update bank_state set clock_mode = 'running', clock_rate = 3600, clock_since = ?, clock_value = ?`)
    .run(wall, since - wall);
  file.close();
  const upgraded = await memoryBank('2027-04-01', { ledger: running, wall: manualClock(wall) });
  const { now, lastRun } = await readClock(upgraded);
  expect(now - lastRun.at).toBeGreaterThanOrEqual(0);
  expect(now - lastRun.at).toBeLessThan(3_600);
  await upgraded.close();
});

test('its entries are found by their dates', async () => {
  const days = await bank.ledger.read((reader) =>
    rowsOf(reader, 'select distinct booking_date, booking_day from entry order by 1'),
  );
  expect(days).toEqual(
    ['2027-04-08', '2027-04-09'].map((date) => ({ booking_date: date, booking_day: epochDay(localDate(date)) })),
  );
});

test('its tables are laid anew by a reset as those of a new ledger', async () => {
  await resetBank(bank);
  expect((await dump(bank))['payment']).toEqual([]);
  const { payment } = await pay(bank, { from: 'nora', to: 'even', amount: '1.00' });
  expect(await sign(bank, payment.resource_id, 'nora')).toBeNull();
});
