import { assert } from '../values/assert.ts';
import { osloDate } from '../values/instant.ts';
import { addDays, type LocalDate } from '../values/local-date.ts';
import {
  firstRunAfter,
  firstRunOnOrAfter,
  runId,
  type SettlementRun,
  type StartedRun,
  type RunCounts,
  type RunReport,
  type LaneRuns,
} from '../time/rules/settlement-run.ts';
import { domesticLane, type Lane } from '../time/rules/lanes.ts';
import type { Writer } from '../ledger/database.ts';
import type { BankContext, Writing, Reading } from '../bank/bank-context.ts';
import { leaveToRun } from '../bank/change-state.ts';
import { gatherInBatches, post } from '../accounts/post.ts';
import type { Posting } from '../accounts/rules/entry.ts';
import { dueExecutions, openExecutionsOf } from './rows/due-executions.ts';
import { lanesOf } from './rows/lanes.ts';
import { askedDays, saveAttempts } from './rows/executions.ts';
import {
  bookingIn,
  monthEndBooking,
  weekendValue,
  failureOf,
  planSettlement,
  type DueExecution,
  type SettlementDecision,
  postingsOf,
} from './rules/settlement.ts';
import { insertSettlementRun, saveRunCounts } from './rows/settlement-runs.ts';

/** A run that is carried out, at its instant, and the first one after it, which books what it posts (rules.md S6). */
export interface RunUnderWay extends Writing {
  readonly run: StartedRun;
  readonly next: SettlementRun;
}

/**
 * How many due executions are read, decided and stored at a time: few, so that they are still in the processor's caches
 * when they are stored, and are garbage soon.
 */
const pageSize = 500;

/** Postings are stored in larger batches: each statement touches every page of the day's index, whatever its size. */
const postingsAtOnce = 50_000;

/** Counts of a run that has begun. */
const nothingDone: RunCounts = { settled: 0, retried: 0, rejected: 0, booked: 0, registered: 0 };

/** The first page of the executions that are due in a run, in the order of rules.md S3. Empty: nothing is due. */
export function firstDue(tx: Writer, run: SettlementRun): Promise<DueExecution[]> {
  return dueExecutions(tx, run, null, pageSize);
}

/**
 * Settles everything that is due in a run, from the first page on (rules.md S3-S6): inserts the run, decides page after page, stores
 * attempts, statuses of executions, entries and balances. Yields the decisions of each page, for what follows from them elsewhere.
 * The caller takes all pages, or rolls back.
 */
export async function* settleDue(
  { bank, tx, run, next }: RunUnderWay,
  firstPage: readonly DueExecution[],
): AsyncGenerator<readonly SettlementDecision[], void, void> {
  await insertSettlementRun(tx, run, nothingDone);
  const fees = bank.quirks.has('month-end-bookings') ? monthEndBooking(run.at, next) : bookingIn(next);
  const moved = new Map<number, bigint>();
  const postings: Posting[] = [];
  let page = firstPage;
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    const { decisions, balances } = planSettlement(page, { moved });
    await saveAttempts(tx, decisions, run);
    for (const [account, balance] of balances) moved.set(account, balance);
    yield decisions;
    const batches = await gatherInBatches(tx, settledItems(decisions), run.at);
    const values = await valueDates(bank, tx, decisions);
    for (const decision of decisions) postings.push(...postingsOf(decision, { next, fees, values, batches }));
    if (postings.length >= postingsAtOnce) await post(tx, postings.splice(0), new Map());
    page = page.length < pageSize ? [] : await dueExecutions(tx, run, last, pageSize);
  }
  await post(tx, postings, moved);
}

/** A payment that was settled outside the runs: `failure` is null, or why it was not; `next` is the run that books it. */
interface SettledAtOnce {
  readonly failure: string | null;
  readonly next: SettlementRun;
}

/**
 * Settles the one execution of a payment outside the runs, with one attempt (rules.md P10). Its entries are pending until the next run
 * books them; under `same-bank-at-once=next-day` the first run of the next banking day. With `mayWait` a failure leaves no trace: the runs try
 * the execution (P10b).
 */
export async function settleAtOnce(
  { bank, tx, now: at }: Writing,
  paymentId: number,
  mayWait: boolean,
): Promise<SettledAtOnce> {
  const plan = planSettlement(await openExecutionsOf(tx, paymentId), { attemptsAllowed: 1 });
  const [decision, ...others] = plan.decisions;
  assert(decision !== undefined && others.length === 0, 'a payment that settles at once has one execution');
  const isLater = bank.quirks.get('same-bank-at-once') === 'next-day' && mayWait;
  const next = isLater ? firstRunOnOrAfter(addDays(osloDate(at), 1), bank.runs) : firstRunAfter(at, bank.runs);
  const isSettled = decision.outcome === 'settle';
  if (!isSettled && mayWait) return { failure: failureOf(decision), next };
  await saveAttempts(tx, [decision], null);
  await post(tx, postingsOf(decision, { next }), plan.balances);
  if (!isSettled) return { failure: failureOf(decision), next };
  await leaveToRun(tx, next);
  return { failure: null, next };
}

/** The value dates on closed days of domestic transfers that settle, by execution; none without the quirk weekend-values (rules.md D3c). */
async function valueDates(
  { quirks, runs: { calendar } }: BankContext,
  tx: Writer,
  decisions: readonly SettlementDecision[],
): Promise<ReadonlyMap<number, LocalDate>> {
  if (!quirks.has('weekend-values')) return new Map();
  const afterClosed = decisions.flatMap(({ execution, outcome }) => {
    const isMoved = calendar.closure(addDays(execution.executionDate, -1)) !== null;
    return outcome === 'settle' && execution.foreign === null && isMoved ? [execution] : [];
  });
  const asked = await askedDays(
    tx,
    afterClosed.map(({ paymentId }) => paymentId),
  );
  return new Map(
    afterClosed.map(({ id, paymentId, isOccurrence, nominalDate, executionDate }) => {
      const days = asked.get(paymentId);
      assert(days !== undefined, 'D3c: what settles was asked for');
      const wanted = isOccurrence ? nominalDate : days.wanted;
      return [id, weekendValue({ wanted, signed: days.signed, executionDate }, calendar)];
    }),
  );
}

function settledItems(decisions: readonly SettlementDecision[]) {
  return decisions
    .filter(({ execution, outcome }) => execution.isBulkItem && outcome === 'settle')
    .map(({ execution: { paymentId, id: executionId, amount } }) => ({ paymentId, executionId, amount }));
}

/** Stores and announces what a run did. `hasSettled`: {@link settleDue} has inserted the run; otherwise nothing was due. */
export async function endRun(
  { bank, tx, run }: RunUnderWay,
  counts: RunCounts,
  hasSettled: boolean,
): Promise<RunReport> {
  await (hasSettled ? saveRunCounts(tx, { ...run, ...counts }) : insertSettlementRun(tx, run, counts));
  const { at, trigger, lateMs } = run;
  const report = { id: runId(run), at, trigger, lateMs, ...counts };
  bank.tell({ kind: 'run', ...report });
  return report;
}

/** Gives each of these payments the runs that try it (rules.md T9). Reads nothing if all lanes have the same. */
export async function runsOfPayments(
  { bank: { runs, quirks }, reader }: Reading,
  paymentIds: readonly number[],
): Promise<(paymentId: number) => LaneRuns> {
  const lanes = runs.tellsLanesApart ? await lanesOf(reader, paymentIds) : new Map<number, Lane>();
  const datesByRun = quirks.has('value-date');
  return (paymentId) => ({ ...runs.of(lanes.get(paymentId) ?? domesticLane('private')), datesByRun });
}

/** {@link runsOfPayments} for one payment. */
export async function runsOfPayment(reading: Reading, paymentId: number): Promise<LaneRuns> {
  return (await runsOfPayments(reading, [paymentId]))(paymentId);
}
