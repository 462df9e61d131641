import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { openBank, type Bank } from '../../engine/bank.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { listTransactions } from '../../engine/consents/list-transactions.ts';
import { nextRun } from '../../engine/ledger/migrations/010-booking-instants.ts';
import { readPaymentStatus } from '../../engine/payments/read-payment.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { firstRunAfter, runsOn } from '../../engine/time/rules/settlement-run.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
import { formatAmount } from '../../engine/values/money.ts';
import { accountIdOf, consented, everything } from '../consents/consented.ts';
import { at, calendar, knownState, manualClock, memoryBank } from '../support/bank.ts';
import { orRefusal, tpp } from '../support/payments.ts';
import { brokenProofs } from '../support/proof.ts';
import { rowsOf } from '../support/rows.ts';

/*
 * What the program wrote before migration 010 (commit d1fdcf2), as `sqlite3 .dump` shows it: a bank on the Saturday of
 * Easter 2027. Nora paid Even 10.00, which was booked on the Wednesday before; 20.00, settled by the last run of that day; and
 * 30.00 at once on Good Friday. The last two are pending.
 */
const older = readFileSync(new URL('ledger-of-008.sql', import.meta.url), 'utf8');
const ids = {
  booked: 'enc!!YHe36XR8YRpavBrNlpsZFgzYEPk5Ku9uAXOIp-tPcg==',
  settled: 'enc!!vL3oG7Y2FHrRRZgIkmLop1op3P-R_0MvdwK3uzrnPw==',
  instant: 'enc!!4uUDbOviNZf9G8Q7YCUpKBZrWI1JPqPq4UHD5UEIwQ==',
};
const saturday = at('2027-03-27T12:00:00+01:00');

let folder: string;
let bank: Bank;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-upgrade-'));
  const ledger = join(folder, 'ledger.sqlite');
  const file = new BetterSqlite3(ledger);
  file.exec(older);
  file.close();
  bank = await openBank({ ledger, wall: manualClock(saturday), ids: randomIds, calendar, knownState });
});
afterEach(async () => {
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
});

async function told(): Promise<{ booked: string[]; pending: string[] }> {
  const request = await consented(bank, 'even');
  const { booked, pending } = await listTransactions(bank, request, await accountIdOf(bank, 'even'), everything);
  const inWords = (list: typeof booked): string[] =>
    (list ?? []).map(({ amount, bookingDate }) => `${formatAmount(amount)} ${bookingDate}`);
  return { booked: inWords(booked), pending: inWords(pending) };
}

const statuses = (): Promise<string[]> =>
  Promise.all(
    Object.values(ids).map(async (paymentId) => {
      const read = await orRefusal(readPaymentStatus(bank, { tppId: tpp.id, psu: {}, path: { paymentId } }));
      return typeof read === 'string' ? read : read.payment.status;
    }),
  );

test('010, S6: what was pending is booked by the next run, on its date; what was booked keeps its date', async () => {
  expect(await told()).toEqual({ booked: ['10.00 2027-03-24'], pending: ['30.00 null', '20.00 null'] });
  expect(await statuses()).toEqual(['RESOURCE_UNKNOWN', 'ACSC', 'ACSC']);
  await advanceClock(bank, at('2027-03-30T05:29:00+02:00'));
  expect((await told()).pending).toHaveLength(2);
  const { runs } = await advanceClock(bank, at('2027-03-30T05:30:00+02:00'));
  expect(runs).toMatchObject([{ id: '2027-03-30/1', booked: 2 }]);
  const easter = ['30.00 2027-03-30', '20.00 2027-03-30'];
  expect(await told()).toEqual({ booked: [...easter, '10.00 2027-03-24'], pending: [] });
  expect(await statuses()).toEqual(['RESOURCE_UNKNOWN', 'RESOURCE_UNKNOWN', 'RESOURCE_UNKNOWN']);
  expect(await brokenProofs(bank)).toEqual({});
});

test('010: an entry is guarded as before, and the tables are those of a new ledger, to the letter', async () => {
  const other = await memoryBank('2027-03-27');
  const schema = `select name, sql from sqlite_schema where name not like 'kysely%' and sql is not null order by name`;
  const [upgraded, fresh] = await Promise.all(
    [bank, other].map((each) => each.ledger.read((reader) => rowsOf(reader, schema))),
  );
  expect(upgraded).toEqual(fresh);
  await other.close();
});

test.each([['05:30,09:30,11:30,13:30,15:30'], ['00:00,03:00,23:59']])(
  '010: its own next run is that of the calendar, after each run of sixty years, at %s',
  (times) => {
    const schedule = { times: times.split(','), calendar };
    for (let day = localDate('2010-01-01'); day < localDate('2070-01-01'); day = addDays(day, 1)) {
      const all = runsOn(day, schedule);
      // The one after any other run of a day is the next run of that day.
      for (const run of day < localDate('2012-01-01') ? all : all.slice(-1)) {
        const { date, at: instant } = firstRunAfter(run.at, schedule);
        const own = nextRun(run.at, schedule.times);
        if (own.at !== instant || own.date !== date) expect([day, own]).toEqual([day, { date, at: instant }]);
      }
    }
  },
  60_000,
);
