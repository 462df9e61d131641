import { assert } from '../values/assert.ts';
import {
  isFirstAttempt,
  statusAfter,
  type DueExecution,
  type SettlementDecision,
} from '../settlement/rules/settlement.ts';
import { endRun, firstDue, settleDue, type RunUnderWay } from '../settlement/settle-due.ts';
import {
  type RunCounts,
  type RunReport,
  firstRunAfter,
  runId,
  type SettlementRun,
  type StartedRun,
} from '../time/rules/settlement-run.ts';
import type { TransactionStatus } from '../values/transaction-status.ts';
import type { Row, Writer } from '../ledger/database.ts';
import { countPendingExecutions } from '../accounts/rows/entries.ts';
import { storeStatuses, tellStatusChanges, type KeptStatusChange } from '../payments/change-status.ts';
import { type BankContext, writingIn } from '../bank/bank-context.ts';
import type { LocalDate } from '../values/local-date.ts';
import { followBulkPayments, followOrders, type OrdersTried } from '../payments/standing-orders.ts';
import { clip } from '../values/text.ts';
import { formatInstant } from '../values/instant.ts';

/**
 * A settlement run threw: its transaction is rolled back and the advance stops there (rules.md T5). Earlier runs stay; the
 * next advance begins with this run.
 */
export class RunFailed extends Error {
  readonly run: SettlementRun;
  /** The runs of this advance before it. */
  readonly before: readonly RunReport[];

  constructor(run: SettlementRun, before: readonly RunReport[], cause: unknown) {
    super(`run ${runId(run)} at ${formatInstant(run.at)} failed`, { cause });
    this.name = 'RunFailed';
    this.run = run;
    this.before = before;
  }

  /** The cause in one line, without a stack. */
  reason(): string {
    const text = this.cause instanceof Error ? this.cause.message : String(this.cause);
    return clip(text.split('\n')[0] ?? '', 300);
  }
}

/** The bank stops during a run: its transaction is rolled back, and the next start carries the run out. */
export class RunAbandoned extends Error {
  constructor() {
    super('the bank is stopping');
    this.name = 'RunAbandoned';
  }
}

/** Where the bank stands before a run. */
interface BeforeRun {
  readonly state: Row<'bank_state'>;
  /**
   * The earliest execution date of an open execution in this transaction; null without open executions. A later date would leave due
   * payments waiting.
   */
  readonly earliestDue: LocalDate | null;
}

/** What a run did, and the state of the bank after it, which the caller stores. */
interface RunDone {
  /** Null: there was nothing to do. */
  readonly report: RunReport | null;
  readonly state: Row<'bank_state'>;
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
  run: StartedRun,
  { state, earliestDue }: BeforeRun,
): Promise<RunDone> {
  assert(run.at > state.last_run_at, 'T4: runs go forward only, each of them once');
  const underWay = { ...writingIn(bank, tx, run.at), run, next: firstRunAfter(run.at, bank.runs) };
  // Before the due payments, which may need the money.
  const isBooking = run.isAlone !== true;
  const isDue = earliestDue !== null && earliestDue <= run.date;
  const due = isDue ? await firstDue(tx, run) : [];
  const later = isBooking ? await bookedLater(tx, run, state) : state.unbooked_executions;
  const booked = state.unbooked_executions - later;
  const after = { ...state, last_run_at: run.at };
  const hasChangedExecutions = due.length > 0;
  const hasFollowUp = isBooking && (booked > 0 || state.ended_orders > 0);
  if (!hasChangedExecutions && !hasFollowUp) return { report: null, state: after, hasChangedExecutions };
  const done = hasChangedExecutions ? await settle(underWay, due) : nothingSettled;
  const { settled, retried, rejected, registered, closed } = done;
  // A run of a single product leaves to the next one what waits for a run.
  const left = isBooking ? 0 : state.ended_orders;
  return {
    report: await endRun(underWay, { settled, retried, rejected, booked, registered }, hasChangedExecutions),
    state: {
      ...after,
      unbooked_executions: settled + later,
      last_booking_at:
        settled > 0 && underWay.next.at > state.last_booking_at ? underWay.next.at : state.last_booking_at,
      ended_orders: closed + left,
    },
    hasChangedExecutions,
  };
}

/** What became of the due executions of a run. */
interface Settled extends Omit<RunCounts, 'booked'> {
  /** Standing orders that ended and wait for the next run. */
  readonly closed: number;
}

const nothingSettled: Settled = { settled: 0, retried: 0, rejected: 0, registered: 0, closed: 0 };

async function settle(underWay: RunUnderWay, due: readonly DueExecution[]): Promise<Settled> {
  const tally = await settleAndTell(underWay, due);
  const { registered, closed } = await followOrders(underWay, tally);
  await followBulkPayments(underWay, tally.bulks);
  return { settled: tally.settle, retried: tally.retry, rejected: tally.reject, registered, closed };
}

/**
 * How many executions a later run books: instant payments that settled after this run's instant but before it was carried out, and
 * those posted under other settlement times (rules.md P10, S6). They are rare, and so is the query.
 */
async function bookedLater(tx: Writer, run: SettlementRun, state: Row<'bank_state'>): Promise<number> {
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
}

/** Settles what is due, and changes the statuses of single payments with it. */
async function settleAndTell(underWay: RunUnderWay, firstPage: readonly DueExecution[]): Promise<Tally> {
  const { bank, run, next } = underWay;
  const tally: Tally = {
    settle: 0,
    retry: 0,
    reject: 0,
    begun: new Map(),
    ended: new Set(),
    bulks: new Set(),
  };
  const changes: KeptStatusChange[] = [];
  for await (const decisions of settleDue(underWay, firstPage)) {
    if (bank.stopping.aborted) throw new RunAbandoned();
    for (const decision of decisions) {
      count(tally, decision);
    }
    const changed = singleChanges(decisions, run);
    await storeStatuses(underWay, changed, next.at);
    changes.push(...changed);
  }
  await tellStatusChanges(underWay, changes);
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

/** A single payment has the status of its execution; a second attempt without funds changes nothing (rules.md S4). */
function singleChanges(decisions: readonly SettlementDecision[], run: SettlementRun): KeptStatusChange[] {
  // Equal causes share one text, which is faster to compare.
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
