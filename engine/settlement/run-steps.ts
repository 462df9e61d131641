import { assert } from '../values/assert.ts';
import type { Instant } from '../values/instant.ts';
import {
  firstRunAfter,
  runId,
  type SettlementRun,
  type StartedRun,
  type RunCounts,
  type RunReport,
} from '../time/rules/settlement-run.ts';
import type { Writer } from '../ledger/database.ts';
import { type BankContext, writingIn, type Writing } from '../bank/bank-context.ts';
import { countAsUnbooked } from '../bank/change-state.ts';
import { gatherInBatches, post } from '../accounts/post.ts';
import type { Posting } from '../accounts/rules/entry.ts';
import { dueExecutions, openExecutionsOf } from './rows/due-executions.ts';
import { askedDays, saveAttempts } from './rows/executions.ts';
import { type AskedDays, asksForDays, type DatingTerms } from './rules/posting-dates.ts';
import {
  failureOf,
  decideAttempts,
  type DueExecution,
  type SettlementDecision,
  postingsOf,
} from './rules/decide-attempts.ts';
import { insertSettlementRun, saveRunCounts } from './rows/settlement-runs.ts';

/** A run that is carried out, at its instant, and the first one after it, which books what it posts (rules.md S6). */
export interface RunUnderWay extends Writing {
  readonly run: StartedRun;
  readonly next: SettlementRun;
  /** What the dates of its postings depend on. */
  readonly dating: DatingTerms;
}

/** A run of the bank in this transaction. */
export function runUnderWay(bank: BankContext, tx: Writer, run: StartedRun): RunUnderWay {
  const next = firstRunAfter(run.at, bank.schedule.booking);
  const dating = { ...datingOf(bank, run.at, next), isRun: true };
  return { ...writingIn(bank, tx, run.at), run, next, dating };
}

/**
 * How many due executions are read, decided and stored at a time: few, so that they are still in the processor's caches
 * when they are stored, and are garbage soon.
 */
const executionsAtOnce = 500;

/**
 * A page of the executions that are due in a run, in {@link settlementOrder}, after an execution or from the first one
 * on. It may be empty.
 */
export function duePage(tx: Writer, run: SettlementRun, after: DueExecution | null): Promise<DueExecution[]> {
  return dueExecutions(tx, run, after, executionsAtOnce);
}

/** Whether no page follows this one. */
export function isLastPage(page: readonly DueExecution[]): boolean {
  return page.length < executionsAtOnce;
}

/**
 * Stores attempts and statuses of a page of executions (rules.md S3, S4), and returns the postings of those that settle
 * (S5), to be posted.
 */
export async function storeDecisions(
  { bank, tx, run, dating }: RunUnderWay,
  decisions: readonly SettlementDecision[],
): Promise<Posting[]> {
  await saveAttempts(tx, decisions, run);
  const settled = decisions.filter(({ outcome }) => outcome === 'settle');
  const batches = await gatherInBatches(tx, itemsAmong(settled), run.at);
  const asked = await askedDaysOf(bank, tx, settled);
  return settled.flatMap((decision) => {
    const { id, paymentId } = decision.execution;
    return postingsOf(decision, dating, { asked: asked.get(id) ?? null, batchId: batches.get(paymentId) ?? null });
  });
}

function datingOf({ quirks, schedule }: BankContext, postedAt: Instant, next: DatingTerms['next']): DatingTerms {
  return { quirks, calendar: schedule.calendar, isRun: false, postedAt, next };
}

/** {@link AskedDays} of domestic payments that settle, by execution; none if no quirk asks for them. */
async function askedDaysOf(
  { quirks }: BankContext,
  tx: Writer,
  settled: readonly SettlementDecision[],
): Promise<ReadonlyMap<number, AskedDays>> {
  if (!asksForDays(quirks)) return new Map();
  const domestic = settled.map(({ execution }) => execution).filter(({ foreign }) => foreign === null);
  const asked = await askedDays(
    tx,
    domestic.map(({ paymentId }) => paymentId),
  );
  return new Map(
    domestic.map(({ id, paymentId, isOccurrence, nominalDate }) => {
      const days = asked.get(paymentId);
      assert(days !== undefined, 'D3c: what settles was asked for');
      return [id, isOccurrence ? { ...days, wanted: nominalDate } : days];
    }),
  );
}

function itemsAmong(settled: readonly SettlementDecision[]) {
  return settled
    .filter(({ execution }) => execution.isBulkItem)
    .map(({ execution: { paymentId, id: executionId, amount } }) => ({ paymentId, executionId, amount }));
}

/** The only attempt of a payment outside the runs. `failure` is null, or why it did not settle. */
interface TriedAtOnce {
  readonly failure: string | null;
  readonly decision: SettlementDecision;
}

/**
 * Tries the one execution of a payment outside the runs, once (rules.md P10). Its entries are pending until the run
 * `next` books them.
 */
export async function settleAtOnce(
  { bank, tx, now: at }: Writing,
  paymentId: number,
  next: Pick<SettlementRun, 'date' | 'at'>,
): Promise<TriedAtOnce> {
  const decided = decideAttempts(await openExecutionsOf(tx, paymentId), { isAtOnce: true });
  const [decision, ...others] = decided.decisions;
  assert(decision !== undefined && others.length === 0, 'a payment that settles at once has one execution');
  await saveAttempts(tx, [decision], null);
  await post(tx, postingsOf(decision, datingOf(bank, at, next)), decided.balances);
  if (decision.outcome !== 'settle') return { failure: failureOf(decision), decision };
  await countAsUnbooked(tx, next);
  return { failure: null, decision };
}

/** A run that has something to do begins: its row comes before its attempts (rules.md T4, T6). */
export async function beginRun({ tx, run }: RunUnderWay, booked: number): Promise<void> {
  await insertSettlementRun(tx, run, { settled: 0, retried: 0, rejected: 0, booked, registered: 0 });
}

/** Stores and announces what a run did. One that tried nothing has its counts already. */
export async function reportRun({ bank, tx, run }: RunUnderWay, counts: RunCounts): Promise<RunReport> {
  if (counts.settled + counts.retried + counts.rejected > 0) await saveRunCounts(tx, { ...run, ...counts });
  const { at, trigger, lateMs } = run;
  const report = { id: runId(run), at, trigger, lateMs, ...counts };
  bank.tell({ kind: 'run', ...report });
  return report;
}
