import type { SettlementRun } from '../core/settlement-run.ts';
import type { Transaction } from './database.ts';

/** What one run did, in numbers. */
export interface RunCounts {
  readonly settled: number;
  readonly retried: number;
  readonly rejected: number;
  readonly booked: number;
  /** Occurrences of standing orders that were laid for a later day. */
  readonly registered: number;
}

/** Keeps a run. Fails when the run was kept before: that, in one transaction with its effects, makes it happen once (rules.md T4). */
export async function insertSettlementRun(tx: Transaction, run: SettlementRun, counts: RunCounts): Promise<void> {
  await tx.insertInto('settlement_run').values({ date: run.date, number: run.number, at: run.at, ...counts }).execute();
}
