import type { LocalDate } from '../../values/local-date.ts';
import type { RunCounts, SettlementRun, StartedRun } from '../../time/rules/settlement-run.ts';
import type { Reader, Row, Writer } from '../../ledger/database.ts';
import { insertRow, type Given, prepared, preparedOne } from '../../ledger/queries.ts';

/**
 * Inserts a run. Fails if the run exists. The run and its effects share a transaction, so a run
 * happens once (rules.md T4). Insert the run before its attempts: they refer to the run, and SQLite would scan
 * all attempts if the run came after them.
 */
export async function insertSettlementRun(tx: Writer, run: StartedRun, counts: RunCounts): Promise<void> {
  const { date, number, at, trigger, lateMs } = run;
  await insertRow(tx, 'settlement_run', { date, number, at, trigger, late_ms: lateMs, ...counts });
}

/** Stores the final counts of a run. */
export const saveRunCounts = prepared((tx: Writer, given: Given<RunCounts & RunKey>) => {
  const { date, number, settled, retried, rejected, booked, registered } = given;
  const counts = { settled, retried, rejected, booked, registered };
  return tx.updateTable('settlement_run').set(counts).where('date', '=', date).where('number', '=', number);
});

export type SettlementRunOnLedger = Row<'settlement_run'>;

/** The runs with work between two bank dates, both inclusive, the latest first. */
export function settlementRuns(
  reader: Reader,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): Promise<SettlementRunOnLedger[]> {
  return reader
    .selectFrom('settlement_run')
    .selectAll()
    .where('date', '>=', from)
    .where('date', '<=', to)
    .orderBy('date', 'desc')
    .orderBy('number', 'desc')
    .execute();
}

/** One run, if it had work. */
export const findSettlementRun = preparedOne((db: Reader, { date, number }: Given<RunKey>) =>
  db.selectFrom('settlement_run').selectAll().where('date', '=', date).where('number', '=', number),
);

type RunKey = Pick<SettlementRun, 'date' | 'number'>;
