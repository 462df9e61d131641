import { assert } from '../values/assert.ts';
import type { Instant } from '../values/instant.ts';
import { firstRunAfter, runId, type SettlementRun } from '../time/rules/settlement-run.ts';
import type { Writer } from '../ledger/database.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { leaveToRun } from '../bank/change-state.ts';
import { gatherInBatches, post } from '../accounts/post.ts';
import type { Posting } from '../accounts/rules/entry.ts';
import { dueExecutions, openExecutionsOf } from './rows/due-executions.ts';
import { saveAttempts } from './rows/executions.ts';
import { insertSettlementRun, saveRunCounts } from './rows/settlement-runs.ts';
import type { RunCounts, RunReport } from './rules/run-report.ts';
import {
  attemptOf,
  failureOf,
  planSettlement,
  type DueExecution,
  type SettlementDecision,
  type SettlementPlan,
  type SettlementTerms,
  postingsOf,
} from './rules/settlement.ts';

/** A run that is carried out, and the first one after it, which books what it posts (rules.md S6). */
export interface Runs {
  readonly run: SettlementRun;
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
export const nothingDone: RunCounts = { settled: 0, retried: 0, rejected: 0, booked: 0, registered: 0 };

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
  tx: Writer,
  { run, next }: Runs,
  firstPage: readonly DueExecution[],
): AsyncGenerator<readonly SettlementDecision[], void, void> {
  await insertSettlementRun(tx, run, nothingDone);
  const moved = new Map<number, bigint>();
  const postings: Posting[] = [];
  let page = firstPage;
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    const { decisions, balances } = await decide(tx, page, run, { moved });
    for (const [account, balance] of balances) moved.set(account, balance);
    yield decisions;
    const batches = await gatherInBatches(tx, settledItems(decisions), run.at);
    for (const decision of decisions) postings.push(...postingsOf(decision, next, batches));
    if (postings.length >= postingsAtOnce) await post(tx, postings.splice(0), new Map());
    page = page.length < pageSize ? [] : await dueExecutions(tx, run, last, pageSize);
  }
  await post(tx, postings, moved);
}

/** An instant payment that was settled: `failure` is null, or why it was rejected; `next` is the run that books it. */
interface SettledAtOnce {
  readonly failure: string | null;
  readonly next: SettlementRun;
}

/**
 * Settles the one execution of an instant payment outside the runs, with one attempt (rules.md P10). Its entries are pending until the
 * next run books them.
 */
export async function settleAtOnce(
  bank: BankContext,
  tx: Writer,
  paymentId: number,
  at: Instant,
): Promise<SettledAtOnce> {
  const due = await openExecutionsOf(tx, paymentId);
  const { decisions, balances } = await decide(tx, due, null, { attemptsAllowed: 1 });
  const [decision, ...others] = decisions;
  assert(decision !== undefined && others.length === 0, 'an instant payment has one execution');
  const next = firstRunAfter(at, bank.runs);
  await post(tx, postingsOf(decision, next), balances);
  if (decision.outcome !== 'settle') return { failure: failureOf(decision), next };
  await leaveToRun(tx, next);
  return { failure: null, next };
}

/** Decides executions in their order, and stores the attempts. `run` is null for an instant payment. */
async function decide(
  tx: Writer,
  due: readonly DueExecution[],
  run: SettlementRun | null,
  terms: SettlementTerms,
): Promise<SettlementPlan> {
  const plan = planSettlement(due, terms);
  await saveAttempts(tx, plan.decisions.map(attemptOf), run);
  return plan;
}

function settledItems(decisions: readonly SettlementDecision[]) {
  return decisions
    .filter(({ execution, outcome }) => execution.isBulkItem && outcome === 'settle')
    .map(({ execution: { paymentId, id: executionId, amount } }) => ({ paymentId, executionId, amount }));
}

/** Stores and announces what a run did. `hasSettled`: {@link settleDue} has inserted the run; otherwise nothing was due. */
export async function endRun(
  bank: BankContext,
  tx: Writer,
  run: SettlementRun,
  counts: RunCounts,
  hasSettled: boolean,
): Promise<RunReport> {
  await (hasSettled ? saveRunCounts(tx, run, counts) : insertSettlementRun(tx, run, counts));
  const report = { id: runId(run), at: run.at, ...counts };
  bank.tell({ kind: 'run', ...report });
  return report;
}
