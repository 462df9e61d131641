import { readBankClock, setBankClock } from '../core/bank-clock.ts';
import { nextBusyRun } from '../core/busy-run.ts';
import type { Instant } from '../core/instant.ts';
import { countRuns, lastRunAtOrBefore } from '../core/settlement-run.ts';
import { bankState, saveClock, saveLastRun } from '../ledger/bank-state.ts';
import type { Transaction } from '../ledger/database.ts';
import { earliestDueDate } from '../ledger/executions.ts';
import { runSettlement, type RunReport } from './run-settlement.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';

/** The story of an advance (control plane: POST /sandbox/clock/advance). */
export interface AdvanceReport {
  readonly from: Instant;
  readonly to: Instant;
  readonly runs: readonly RunReport[];
  /** Scheduled runs in between that had nothing to do. */
  readonly skippedEmptyRuns: number;
}

/** Ends an advance early, judged after each run; reads in that run's transaction. */
export type StopCondition = (tx: Transaction) => Promise<boolean>;

/**
 * Carries out, in order, every settlement run between the last one done and `target`, and sets the bank clock there
 * when it is behind (rules.md T5). `now` is whatever the bank clock shows as each run is looked for. Each run is a
 * transaction of its own: what was done before a crash stays done, and the next call goes on. A target in the past of the
 * clock changes nothing. A reset in the middle ends it: the runs that follow would belong to another ledger.
 */
export async function advanceClock(
  bank: BankContext,
  target: Instant | 'now',
  shouldStop: StopCondition = () => Promise.resolve(false),
): Promise<AdvanceReport> {
  const start = await bank.ledger.read(bankState);
  const from = readBankClock({ mode: start.clock_mode, value: start.clock_value }, bank.wall.now());
  const runs: RunReport[] = [];
  let seen = from;
  let to: Instant | null = null;
  while (to === null) {
    to = await bank.ledger.write(async (tx) => {
      const now = await bankNow(bank, tx);
      if (now < seen) return now;
      seen = now;
      const goal = target === 'now' ? now : target;
      const report = await nextRun(bank, tx, goal);
      if (report === 'none') return arrive(bank, tx, goal);
      if (report === null) return null;
      runs.push(report);
      return (await shouldStop(tx)) ? report.at : null;
    });
    // SQLite answers without leaving the turn: let other requests in between two runs.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const scheduled = countRuns(start.last_run_at, to, bank.runs);
  return { from, to, runs, skippedEmptyRuns: Math.max(0, scheduled - runs.length) };
}

/** One run up to the target; null when it turned out empty, 'none' when no run is left. */
async function nextRun(bank: BankContext, tx: Transaction, target: Instant): Promise<RunReport | null | 'none'> {
  const state = await bankState(tx);
  const waiting = {
    lastRunAt: state.last_run_at,
    earliestDue: await earliestDueDate(tx),
    hasAftermath: state.unbooked_postings > 0 || state.agreements_to_close > 0,
  };
  const run = nextBusyRun(waiting, bank.runs);
  if (run === null || run.at > target) return 'none';
  const report = await runSettlement(bank, tx, run);
  await moveForward(bank, tx, run.at);
  return report;
}

/** No run is left: the empty ones up to the target count as passed (rules.md T6). */
async function arrive(bank: BankContext, tx: Transaction, target: Instant): Promise<Instant> {
  const { last_run_at: lastRunAt } = await bankState(tx);
  const passed = lastRunAtOrBefore(target, bank.runs).at;
  if (passed > lastRunAt) await saveLastRun(tx, passed);
  return moveForward(bank, tx, target);
}

/** The bank clock is never behind a run that was carried out. Returns what it shows. */
async function moveForward(bank: BankContext, tx: Transaction, at: Instant): Promise<Instant> {
  const state = await bankState(tx);
  const wall = bank.wall.now();
  const now = readBankClock({ mode: state.clock_mode, value: state.clock_value }, wall);
  if (now >= at) return now;
  await saveClock(tx, setBankClock(state.clock_mode, at, wall));
  return at;
}
