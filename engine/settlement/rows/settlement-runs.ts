import type { SettlementRun } from '../../time/rules/settlement-run.ts';
import type { Reader, Writer } from '../../ledger/database.ts';

/** What one run did, in numbers. */
export interface RunCounts {
  readonly settled: number;
  readonly retried: number;
  readonly rejected: number;
  readonly booked: number;
  /** Occurrences of standing orders that were laid for a later day. */
  readonly registered: number;
}

/**
 * Keeps a run, its counts still zero. Fails when the run was kept before: that, in one transaction with its effects,
 * makes it happen once (rules.md T4). Call it before the run's attempts are kept: they refer to it, and a run that came
 * after them would make SQLite look through every attempt there ever was.
 */
export async function insertSettlementRun(tx: Writer, run: SettlementRun): Promise<void> {
  const counts: RunCounts = { settled: 0, retried: 0, rejected: 0, booked: 0, registered: 0 };
  await tx
    .insertInto('settlement_run')
    .values({ date: run.date, number: run.number, at: run.at, ...counts })
    .execute();
}

export async function saveRunCounts(tx: Writer, run: SettlementRun, counts: RunCounts): Promise<void> {
  await tx
    .updateTable('settlement_run')
    .set(counts)
    .where('date', '=', run.date)
    .where('number', '=', run.number)
    .execute();
}

/** Whether any run had something to do since the ledger was laid. */
export async function anySettlementRun(reader: Reader): Promise<boolean> {
  return (await reader.selectFrom('settlement_run').select('number').limit(1).executeTakeFirst()) !== undefined;
}
