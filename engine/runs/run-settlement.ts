import { assert } from '../values/assert.ts';
import type { Posting } from '../accounts/rules/entry.ts';
import { post } from '../accounts/post.ts';
import {
  type AttemptOutcome,
  decideAttempts,
  type DueExecution,
  isFirstAttempt,
  type SettlementDecision,
  statusAfter,
} from '../settlement/rules/decide-attempts.ts';
import {
  beginRun,
  duePage,
  isLastPage,
  reportRun,
  type RunUnderWay,
  runUnderWay,
  storeDecisions,
} from '../settlement/run-steps.ts';
import { type RunReport, runId, type SettlementRun, type StartedRun } from '../time/rules/settlement-run.ts';
import { booksItself } from '../settlement/rules/posting-dates.ts';
import type { TransactionStatus } from '../values/transaction-status.ts';
import { cutShort, type Row, type Writer } from '../ledger/database.ts';
import { countPendingExecutions } from '../accounts/rows/entries.ts';
import { saveStatuses, announceStatuses, type RecordedChange } from '../payments/change-status.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { LocalDate } from '../values/local-date.ts';
import { updateBulkStatuses } from '../payments/bulk-payments.ts';
import { scheduleNextAndClose, type TriedOccurrences } from '../payments/standing-orders.ts';
import { insertExpectedReturns, bookReturns } from '../payments/book-returns.ts';
import { clip } from '../values/text.ts';
import { formatInstant } from '../values/instant.ts';
import { messageOf } from '../values/message-of.ts';

/**
 * A settlement run threw: its transaction is rolled back and the advance stops there (rules.md T5). Earlier runs stay;
 * the next advance begins with this run.
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
    const text = messageOf(this.cause);
    return clip(text.split('\n')[0] ?? '', 300);
  }
}

/** Where the bank stands before a run. */
interface BeforeRun {
  readonly state: Row<'bank_state'>;
  /**
   * The first day with an execution to try or a return to book in this transaction, if there is one. A later date would
   * leave due payments waiting.
   */
  readonly firstWork: LocalDate | null;
}

/** What a run did, and the state of the bank after it, which the caller stores. */
interface RunDone {
  /** It is null if there was nothing to do. */
  readonly report: RunReport | null;
  readonly state: Row<'bank_state'>;
  /** It is false if no execution was due and no return was booked, so that all executions are as they were. */
  readonly hasChangedExecutions: boolean;
}

/** Postings are stored in large batches: each statement touches every page of the day's index, whatever its size. */
const postingsInBatch = 50_000;

/**
 * Carries out one settlement run inside the caller's transaction: books what the run before posted, tries the due
 * executions in the order of rules.md T9, posts, schedules the next occurrences, closes ended standing orders (S3-S6,
 * R9). The run's row and its effects are one transaction, so it happens once (T4). Inserts no row when there was
 * nothing to do (T6). SYSTEM_ERROR: the bank stops meanwhile.
 */
export async function runSettlement(
  bank: BankContext,
  tx: Writer,
  run: StartedRun,
  { state, firstWork }: BeforeRun,
): Promise<RunDone> {
  assert(run.at > state.last_run_at, 'T4: runs go forward only, each of them once');
  const underWay = runUnderWay(bank, tx, run);
  const { next, dating } = underWay;
  const stateAfter = { ...state, last_run_at: run.at };

  // What was posted before is booked, what comes back too.
  const { booked, unbooked, ended } = await booksOf(tx, run, state);
  const hasDue = firstWork !== null && firstWork <= run.date;
  const returned = hasDue && run.isSingleProduct !== true ? await bookReturns(underWay, run) : 0;
  const page = hasDue ? await duePage(tx, run, null) : [];
  const hasChangedExecutions = page.length + returned > 0;
  if (!hasChangedExecutions && booked + ended === 0) return { report: null, state: stateAfter, hasChangedExecutions };
  await beginRun(underWay, booked + returned);

  const { counts, occurrences, bulks } = await tryDue(underWay, page);

  // What follows: the next dates of standing orders, the statuses of bulk payments.
  const { registered, closed } = await scheduleNextAndClose(underWay, occurrences);
  await updateBulkStatuses(underWay, bulks);

  const { settle: settled, retry: retried, reject: rejected } = counts;
  const ownBooked = booksItself(dating) ? settled : 0;
  const all = { settled, retried, rejected, booked: booked + returned + ownBooked, registered };
  return {
    report: await reportRun(underWay, all),
    state: {
      ...stateAfter,
      unbooked_executions: settled - ownBooked + unbooked,
      last_booking_at: settled > 0 && next.at > state.last_booking_at ? next.at : state.last_booking_at,
      ended_orders: closed + state.ended_orders - ended,
    },
    hasChangedExecutions,
  };
}

/** What the attempts of a run came to. */
interface TriedInRun {
  readonly counts: Readonly<Record<AttemptOutcome, number>>;
  readonly occurrences: TriedOccurrences;
  /** Bulk payments of which an item was tried. */
  readonly bulks: ReadonlySet<number>;
}

/** Tries each due execution, page by page from the first one on: a credit of one counts for those after it. */
async function tryDue(underWay: RunUnderWay, first: readonly DueExecution[]): Promise<TriedInRun> {
  const { bank, tx, run, next, dating } = underWay;
  const counts = { settle: 0, retry: 0, reject: 0 };
  const occurrences = { begun: new Map<number, number>(), ended: new Set<number>() };
  const bulks = new Set<number>();
  const balances = new Map<number, bigint>();
  const postings: Posting[] = [];
  const changes: RecordedChange[] = [];
  let page = first;
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    if (bank.stopping.aborted) throw cutShort();
    const decided = decideAttempts(page, { moved: balances, isShortAtFirst: bank.trial.isShortAtFirst });
    for (const [account, balance] of decided.balances) balances.set(account, balance);
    for (const decision of decided.decisions) {
      const { id, paymentId, isOccurrence, isBulkItem } = decision.execution;
      counts[decision.outcome] += 1;
      if (isBulkItem) bulks.add(paymentId);
      if (isOccurrence && isFirstAttempt(decision.execution)) occurrences.begun.set(paymentId, id);
      if (isOccurrence && decision.outcome !== 'retry') occurrences.ended.add(paymentId);
    }
    postings.push(...(await storeDecisions(underWay, decided.decisions)));
    if (postings.length >= postingsInBatch) await post(tx, postings.splice(0), new Map());
    const changed = changesOfSingle(decided.decisions, run);
    await saveStatuses(underWay, changed, next.at);
    changes.push(...changed);
    await insertExpectedReturns(underWay, decided.decisions, booksItself(dating) ? run.date : next.date);
    page = isLastPage(page) ? [] : await duePage(tx, run, last);
  }
  await post(tx, postings, balances);
  await announceStatuses(underWay, changes);
  return { counts, occurrences, bulks };
}

/**
 * What a run books of what was posted before it. No row changes: an entry has the instant from which it is booked
 * (rules.md S6).
 */
interface Booked {
  /** Executions. */
  readonly booked: number;
  /** Executions that a later run books. */
  readonly unbooked: number;
  /** Standing orders that ended, and leave the payment API. */
  readonly ended: number;
}

/**
 * A run of a single product leaves everything to the next run. Others leave instant payments that settled after their
 * instant but before they were carried out, and what was posted under other settlement times (rules.md P10, S6, T4h):
 * it is rare, and so is the query.
 */
async function booksOf(tx: Writer, run: SettlementRun, state: Row<'bank_state'>): Promise<Booked> {
  const { unbooked_executions: posted, ended_orders: ended, last_booking_at: lastBooking } = state;
  if (run.isSingleProduct === true) return { booked: 0, unbooked: posted, ended: 0 };
  const unbooked = posted === 0 || lastBooking <= run.at ? 0 : await countPendingExecutions(tx, run.at);
  return { booked: posted - unbooked, unbooked, ended };
}

/**
 * A single payment has the status of its execution; a second attempt without funds changes nothing (rules.md S4). No
 * check here: an open execution is of a payment in ACSP, PDNG or ACCP, from which the transition table allows each
 * outcome.
 */
function changesOfSingle(decisions: readonly SettlementDecision[], run: SettlementRun): RecordedChange[] {
  // Equal causes share one text, which is faster to compare.
  const causes = new Map<number, string>();
  const causeOf = ({ attempt, reason, outcome }: SettlementDecision): string => {
    const cause = causes.get(attempt) ?? `run ${runId(run)}, attempt ${attempt}`;
    causes.set(attempt, cause);
    if (reason === null) return cause;
    return outcome === 'reject' ? `${cause}, rejected: ${reason}` : `${cause}: ${reason}`;
  };
  const changes: RecordedChange[] = [];
  for (const decision of decisions) {
    const { execution, outcome, attempt } = decision;
    if (execution.isOccurrence || execution.isBulkItem || (outcome === 'retry' && attempt > 1)) continue;
    const status = statusAfter[outcome] satisfies TransactionStatus;
    changes.push({ paymentId: execution.paymentId, status, cause: causeOf(decision) });
  }
  return changes;
}
