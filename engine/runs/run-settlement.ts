import { assert } from '../values/assert.ts';
import type { Posting } from '../accounts/rules/entry.ts';
import {
  attemptOf,
  isFirstAttempt,
  planSettlement,
  statusAfter,
  type DueExecution,
  type SettlementDecision,
} from '../settlement/rules/settlement.ts';
import { postingsOf } from '../settlement/rules/settlement-postings.ts';
import { firstRunAfter, runId, type SettlementRun } from '../time/rules/settlement-run.ts';
import type { TransactionStatus } from '../settlement/rules/transaction-status.ts';
import type { BankStateRow } from '../bank/rows/tables.ts';
import type { Writer } from '../ledger/database.ts';
import { countPendingExecutions, insertPostings, saveBalances } from '../accounts/rows/entries.ts';
import { dueExecutions } from '../settlement/rows/due-executions.ts';
import { saveAttempts } from '../settlement/rows/executions.ts';
import { countByTpp, updatePaymentStatuses } from '../payments/rows/payments.ts';
import { insertSettlementRun, saveRunCounts, type RunCounts } from '../settlement/rows/settlement-runs.ts';
import { tellStatusChanges, type KeptStatusChange } from '../payments/change-status.ts';
import { insertStatusChanges } from '../payments/rows/status-changes.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { Situation } from '../bank/rules/situation.ts';
import { tellMet } from '../bank/tell-met.ts';
import type { LocalDate } from '../values/local-date.ts';
import { situationOf } from '../settlement/rules/met-situation.ts';
import { batchesOf, followBulkPayments } from '../payments/follow-bulk-payments.ts';
import { followOrders, type OrdersTried, type Runs } from '../payments/follow-orders.ts';
import { RunAbandoned } from './run-failed.ts';
import type { RunReport } from './run-report.ts';

/**
 * How many due executions are read, decided and stored at a time: few, so that they are still in the processor's caches
 * when they are stored, and are garbage soon.
 */
const pageSize = 500;

/** Postings are stored in larger batches: each statement touches every page of the day's index, whatever its size. */
const postingsAtOnce = 50_000;

/** Where the bank stands before a run. */
export interface BeforeRun {
  readonly state: BankStateRow;
  /** The earliest execution date of an open execution in this transaction, null: none is open. With a later one, due payments would wait. */
  readonly earliestDue: LocalDate | null;
}

/** What waits for the runs to come: executions to book, and ended orders to remove. */
type AwaitingRuns = Pick<BankStateRow, 'unbooked_executions' | 'last_booking_at' | 'ended_orders'>;

/** What a run did, and what it leaves to the next ones, which the caller stores in the bank's state. */
interface RunDone {
  /** Null: there was nothing to do. */
  readonly report: RunReport | null;
  readonly awaiting: AwaitingRuns;
  /** False: nothing was due, so that all executions are as they were. */
  readonly hasChangedExecutions: boolean;
}

/**
 * Carries out one settlement run inside the caller's transaction: books what the run before posted, decides the due
 * executions, posts, schedules the next occurrences, closes ended standing orders (rules.md S3-S6, R9). The run's row and
 * its effects are one transaction, so it happens once (T4). Inserts no row when there was nothing to do (T6). Throws
 * {@link RunAbandoned} when the bank stops meanwhile.
 */
export async function runSettlement(
  bank: BankContext,
  tx: Writer,
  run: SettlementRun,
  { state, earliestDue }: BeforeRun,
): Promise<RunDone> {
  assert(run.at > state.last_run_at, 'T4: runs go forward only, each of them once');
  const isDue = earliestDue !== null && earliestDue <= run.date;
  const due = isDue ? await dueExecutions(tx, run, null, pageSize) : [];
  const later = await bookedLater(tx, run, state);
  const booked = state.unbooked_executions - later;
  if (due.length > 0) return settle(bank, tx, { run, next: firstRunAfter(run.at, bank.runs) }, { state, due, later });
  if (booked === 0 && state.ended_orders === 0) return { report: null, awaiting: state, hasChangedExecutions: false };
  const counts = { ...nothing, booked };
  await insertSettlementRun(tx, run, counts);
  const awaiting = { unbooked_executions: later, last_booking_at: state.last_booking_at, ended_orders: 0 };
  return { report: tellRun(bank, run, counts), awaiting, hasChangedExecutions: false };
}

const nothing: RunCounts = { settled: 0, retried: 0, rejected: 0, booked: 0, registered: 0 };

/** A run with due executions; `due` is the first page of them. */
async function settle(
  bank: BankContext,
  tx: Writer,
  { run, next }: Runs,
  {
    state,
    due,
    later,
  }: { readonly state: BankStateRow; readonly due: readonly DueExecution[]; readonly later: number },
): Promise<RunDone> {
  await insertSettlementRun(tx, run, nothing);
  const tally = await settleDue(bank, tx, { run, next }, due);
  const { registered, clamped, closed } = await followOrders(bank, tx, { run, next }, tally);
  for (const paymentId of clamped) meet(tally, 'clamped month end', paymentId);
  await followBulkPayments(bank, tx, run, next, tally.bulks);
  await tellSituations(bank, tx, run, tally.met);
  const counts = {
    settled: tally.settle,
    retried: tally.retry,
    rejected: tally.reject,
    booked: state.unbooked_executions - later,
    registered,
  };
  await saveRunCounts(tx, run, counts);
  const awaiting = {
    unbooked_executions: tally.settle + later,
    last_booking_at: tally.settle > 0 && next.at > state.last_booking_at ? next.at : state.last_booking_at,
    ended_orders: closed,
  };
  return { report: tellRun(bank, run, counts), awaiting, hasChangedExecutions: true };
}

function tellRun(bank: BankContext, run: SettlementRun, counts: RunCounts): RunReport {
  const report = { id: runId(run), at: run.at, ...counts };
  bank.tell({ kind: 'run', ...report });
  return report;
}

/**
 * How many executions a later run books: instant payments that settled after this run's instant but before it was carried
 * out, and those posted under other settlement times (rules.md P10, S6). Seldom any, so that they are seldom counted.
 */
async function bookedLater(tx: Writer, run: SettlementRun, state: BankStateRow): Promise<number> {
  if (state.unbooked_executions === 0 || state.last_booking_at <= run.at) return 0;
  return countPendingExecutions(tx, run.at);
}

interface Tally extends OrdersTried {
  settle: number;
  retry: number;
  reject: number;
  readonly begun: Map<number, Pick<DueExecution, 'id' | 'nominalDate'>>;
  readonly ended: Set<number>;
  /** Bulk payments with an item that was tried. */
  readonly bulks: Set<number>;
  /** Payments by what their TPPs met. */
  readonly met: Map<Situation, number[]>;
}

async function settleDue(
  bank: BankContext,
  tx: Writer,
  { run, next }: Runs,
  firstPage: readonly DueExecution[],
): Promise<Tally> {
  const tally: Tally = {
    settle: 0,
    retry: 0,
    reject: 0,
    begun: new Map(),
    ended: new Set(),
    bulks: new Set(),
    met: new Map(),
  };
  const isMetHeard = bank.isHeard('met');
  const moved = new Map<number, bigint>();
  const postings: Posting[] = [];
  const changes: KeptStatusChange[] = [];
  let page = firstPage;
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    if (bank.stopping.aborted) throw new RunAbandoned();
    const { decisions, balances } = planSettlement(page, { moved });
    for (const [account, balance] of balances) moved.set(account, balance);
    for (const decision of decisions) {
      count(tally, decision);
      const met = isMetHeard ? situationOf(decision, bank.runs.calendar) : null;
      if (met !== null) meet(tally, met, decision.execution.paymentId);
    }
    await saveAttempts(tx, decisions.map(attemptOf), run);
    const changed = singleChanges(decisions, run);
    await updatePaymentStatuses(tx, changed, next.at);
    await insertStatusChanges(tx, changed, run.at, bank.wall.now());
    changes.push(...changed);
    const batches = await batchesOf(tx, decisions, run);
    for (const decision of decisions) postings.push(...postingsOf(decision, next, batches));
    if (postings.length >= postingsAtOnce) await insertPostings(tx, postings.splice(0));
    page = page.length < pageSize ? [] : await dueExecutions(tx, run, last, pageSize);
  }
  await insertPostings(tx, postings);
  await saveBalances(tx, moved);
  await tellStatusChanges(bank, tx, changes, run.at);
  return tally;
}

function count(tally: Tally, { outcome, execution }: SettlementDecision): void {
  tally[outcome] += 1;
  if (execution.isBulkItem) tally.bulks.add(execution.paymentId);
  if (!execution.isOccurrence) return;
  if (isFirstAttempt(execution))
    tally.begun.set(execution.paymentId, { id: execution.id, nominalDate: execution.nominalDate });
  if (outcome !== 'retry') tally.ended.add(execution.paymentId);
}

async function tellSituations(bank: BankContext, tx: Writer, { at }: SettlementRun, met: Tally['met']): Promise<void> {
  if (!bank.isHeard('met')) return;
  for (const [what, payments] of met) {
    const counts = await countByTpp(tx, payments);
    tellMet(
      bank,
      at,
      counts.map((count) => ({ ...count, what })),
    );
  }
}

function meet({ met }: Tally, what: Situation, paymentId: number): void {
  const payments = met.get(what);
  if (payments === undefined) met.set(what, [paymentId]);
  else payments.push(paymentId);
}

/** A single payment has the status of its execution; a second attempt without funds changes nothing (rules.md S4). */
function singleChanges(decisions: readonly SettlementDecision[], run: SettlementRun): KeptStatusChange[] {
  // One text for all that are alike, which takes less to compare.
  const causes = new Map<number, string>();
  const causeOf = ({ attempt, reason }: SettlementDecision): string => {
    const cause = causes.get(attempt) ?? `run ${runId(run)}, attempt ${attempt}`;
    causes.set(attempt, cause);
    return reason === null ? cause : `${cause}, rejected: ${reason}`;
  };
  const changes: KeptStatusChange[] = [];
  for (const decision of decisions) {
    const { execution, outcome, attempt } = decision;
    if (execution.isOccurrence || execution.isBulkItem || (outcome === 'retry' && attempt > 1)) continue;
    const status = statusAfter[outcome] satisfies TransactionStatus;
    changes.push({ paymentId: execution.paymentId, status, cause: causeOf(decision) });
  }
  return changes;
}
