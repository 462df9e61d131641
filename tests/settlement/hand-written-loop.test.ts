import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { carryOut, closeInOnePiece, openBenchBank } from '../bench/bench-bank.ts';
import { settleByHand } from '../bench/hand-written-loop.ts';
import { at } from '../lab/bank.ts';
import { bookStatements, measuredRun, runDay } from '../lab/book.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

/** More than a page of due executions, so that each account pays in two. */
const due = 620;

test('S4: a run books and marks what the hand-written loop of the bench books and marks', async () => {
  const [engine, byHand] = [join(folder, 'engine.sqlite'), join(folder, 'by-hand.sqlite')];
  const made = await openBenchBank(engine);
  await carryOut(made, bookStatements({ accounts: 20, due, history: 0 }));
  await made.close();
  closeInOnePiece(new BetterSqlite3(engine));
  copyFileSync(engine, byHand);
  const bank = await openBenchBank(engine);
  await advanceClock(bank, at(measuredRun));
  await bank.close();
  const database = new BetterSqlite3(byHand);
  database.defaultSafeIntegers(true);
  expect(settleByHand(database, { date: runDay, number: 1, at: at(measuredRun) })).toBe(due);
  database.close();
  expect(settled(byHand)).toEqual(settled(engine));
});

/** What the run changed, by table. The loop books at once, and not with the next run (S6): `booked_at` is left out. */
function settled(file: string): Record<string, unknown[]> {
  const database = new BetterSqlite3(file, { readonly: true });
  const rows = (sql: string): unknown[] => database.prepare(sql).all();
  try {
    return {
      account: rows('select id, balance_minor from account order by id'),
      execution: rows('select id, status from execution order by id'),
      attempt: rows('select * from attempt order by execution_id'),
      entry: rows(`select account_id, amount_minor, execution_id, booking_date, value_date from entry
        where execution_id is not null order by execution_id, account_id`),
      payment: rows('select id, status from payment order by id'),
      settlement_run: rows('select date, number, at, settled, retried, rejected from settlement_run'),
    };
  } finally {
    database.close();
  }
}
