import { assert } from '../values/assert.ts';
import type { Posting } from '../accounts/rules/entry.ts';
import { inParts } from '../values/in-parts.ts';
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
import { followingOccurrences } from '../time/rules/standing-order.ts';
import type { TransactionStatus } from '../settlement/rules/transaction-status.ts';
import { saveAwaitingRuns, saveLastRun } from '../bank/rows/bank-state.ts';
import type { BankStateRow } from '../bank/rows/tables.ts';
import type { Writer } from '../ledger/database.ts';
import { countPendingExecutions, insertPostings, saveBalances } from '../accounts/rows/entries.ts';
import { dueExecutions } from '../settlement/rows/due-executions.ts';
import {
  insertExecutions,
  plannedOccurrences,
  saveAttempts,
  withOpenExecutions,
  withSettledExecutions,
} from '../settlement/rows/executions.ts';
import { countByTpp, saveNextIndexes, standingOrdersOf, updatePaymentStatuses } from '../payments/rows/payments.ts';
import { insertSettlementRun, saveRunCounts } from '../settlement/rows/settlement-runs.ts';
import { keepStatusChanges, tellStatusChanges, type KeptStatusChange } from '../payments/change-status.ts';
import { insertStatusChanges } from '../settlement/rows/status-changes.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { Situation } from '../bank/rules/situation.ts';
import { tellMet } from '../bank/tell-met.ts';
import { isClamped } from '../time/rules/occurrences.ts';
import type { LocalDate } from '../values/local-date.ts';
import { situationOf } from '../settlement/rules/met-situation.ts';
import { batchesOf, followBulkPayments } from '../payments/follow-bulk-payments.ts';
import { RunAbandoned } from './run-failed.ts';
import type { RunReport } from './run-report.ts';
import { positionOfOrder } from '../payments/schedule-of-order.ts';

/**
 * How many due executions are read, decided and stored at a time: few, so that they are still in the processor's caches
 * when they are stored, and are garbage soon.
 */
const pageSize = 500;

/** Postings are stored in larger batches: each statement touches every page of the day's index, whatever its size. */
const postingsAtOnce = 50_000;

/**
 * Carries out one settlement run inside the caller's transaction: books what the run before posted, decides the due
 * executions, posts, schedules the next occurrences, closes ended standing orders (rules.md S3-S6, R9). The run's row and
 * its effects are one transaction, so it happens once (T4). Returns null, and inserts no row, when there was nothing to do
 * (T6). `state` is the bank's as this transaction read it. Throws {@link RunAbandoned} when the bank stops meanwhile.
 */
export async function runSettlement(
  bank: BankContext,
  tx: Writer,
  run: SettlementRun,
  state: BankStateRow,
): Promise<RunReport | null> {
  assert(run.at > state.last_run_at, 'T4: runs go forward only, each of them once');
  const due = await dueExecutions(tx, run, null, pageSize);
  const later = await bookedLater(tx, run, state);
  const booked = state.unbooked_executions - later;
  await saveLastRun(tx, run.at);
  if (due.length === 0 && booked === 0 && state.ended_orders === 0) return null;
  await insertSettlementRun(tx, run);
  const next = firstRunAfter(run.at, bank.runs);
  const tally = await settleDue(bank, tx, { run, next }, due);
  const registered = await scheduleNextOccurrences(bank, tx, tally);
  const closed = await closeEndedOrders(bank, tx, { run, next }, tally.ended);
  await followBulkPayments(bank, tx, run, next, tally.bulks);
  await tellSituations(bank, tx, run, tally.met);
  await saveAwaitingRuns(tx, {
    unbooked_executions: tally.settle + later,
    last_booking_at: tally.settle > 0 && next.at > state.last_booking_at ? next.at : state.last_booking_at,
    ended_orders: closed,
  });
  const counts = {
    settled: tally.settle,
    retried: tally.retry,
    rejected: tally.reject,
    booked,
    registered,
  };
  await saveRunCounts(tx, run, counts);
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

/** A run that is carried out, and the first one after it, which books what it posts (rules.md S6). */
interface Runs {
  readonly run: SettlementRun;
  readonly next: SettlementRun;
}

interface Tally {
  settle: number;
  retry: number;
  reject: number;
  /** Standing orders with an occurrence tried for the first time, with its nominal date, and those with one that became final. */
  readonly begun: Map<number, LocalDate>;
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
  if (isFirstAttempt(execution)) tally.begun.set(execution.paymentId, execution.nominalDate);
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
  return decisions
    .filter(({ execution }) => !execution.isOccurrence && !execution.isBulkItem)
    .filter(({ outcome, attempt }) => !(outcome === 'retry' && attempt > 1))
    .map(({ execution, outcome, attempt }) => ({
      paymentId: execution.paymentId,
      status: statusAfter[outcome] satisfies TransactionStatus,
      cause: `run ${runId(run)}, attempt ${attempt}${rejectionOf(execution)}`,
    }));
}

/** Why the control plane had it rejected, for the history; empty when it did not (rules.md P14b). */
function rejectionOf({ rejection }: DueExecution): string {
  return rejection === null ? '' : `, rejected: ${rejection}`;
}

/** Schedules each standing order's next execution date once its scheduled occurrences have begun (rules.md R8, R9). */
async function scheduleNextOccurrences(bank: BankContext, tx: Writer, tally: Tally): Promise<number> {
  const { begun } = tally;
  let registered = 0;
  // By key: the order in which they are scheduled is the one in which they will be settled (S3).
  for (const some of inParts([...begun.keys()].sort((one, other) => one - other))) {
    const orders = (await standingOrdersOf(tx, some)).map(positionOfOrder);
    for (const { paymentId, schedule } of orders) {
      const nominalDate = begun.get(paymentId);
      if (nominalDate !== undefined && isClamped(schedule, nominalDate)) meet(tally, 'clamped month end', paymentId);
    }
    const next = orders.flatMap((order) => followingOccurrences(order, bank.runs.calendar));
    const planned = next.flatMap(({ paymentId, occurrences }) => plannedOccurrences(paymentId, occurrences));
    await insertExecutions(tx, planned);
    await saveNextIndexes(tx, next);
    registered += planned.length;
  }
  return registered;
}

/**
 * Ends standing orders whose last occurrence became final: ACSC when at least one settled, else RJCT (rules.md R9, R9b).
 * Returns the number of those in ACSC, which the next run removes from the payment API.
 */
async function closeEndedOrders(
  bank: BankContext,
  tx: Writer,
  { run, next }: Runs,
  ended: ReadonlySet<number>,
): Promise<number> {
  const exhausted = (await standingOrdersOf(tx, [...ended])).filter((order) => order.next_index === null);
  const stillOpen = await withOpenExecutions(
    tx,
    exhausted.map((order) => order.payment_id),
  );
  const over = exhausted.map((order) => order.payment_id).filter((paymentId) => !stillOpen.has(paymentId));
  const settled = await withSettledExecutions(tx, over);
  const cause = `run ${runId(run)}, last occurrence final`;
  const changes = over.map((paymentId) =>
    settled.has(paymentId)
      ? { paymentId, status: 'ACSC' as const, cause }
      : { paymentId, status: 'RJCT' as const, cause: `${cause}, none settled` },
  );
  await updatePaymentStatuses(tx, changes, next.at);
  await keepStatusChanges(bank, tx, changes, run.at);
  return settled.size;
}
