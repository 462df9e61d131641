import { assert } from '../values/assert.ts';
import { furthestAdvance } from '../time/rules/bank-clock.ts';
import { addDuration, type Duration } from '../values/duration.ts';
import { forecastRuns, type ForecastRun, type WaitingExecutions } from './rules/forecast-runs.ts';
import { formatInstant, type Instant } from '../values/instant.ts';
import type { DueExecution, SettlementDecision } from '../settlement/rules/settlement.ts';
import { allRuns, lastRunAtOrBefore, type SettlementRun } from '../time/rules/settlement-run.ts';
import type { Reader } from '../ledger/database.ts';
import { dueExecutions, receivedOrders } from '../settlement/rows/due-executions.ts';
import { earliestBooking } from '../accounts/rows/reservations.ts';
import { rejectionsOf } from '../settlement/rows/provoked-rejections.ts';
import { partSize } from '../values/lists.ts';
import { Pauses } from '../ledger/pauses.ts';
import { standingOrdersOf } from '../payments/rows/payments.ts';
import { type BankContext, readBank, type PresentReading } from '../bank/bank-context.ts';
import { bounds, requireClockInstant } from '../bank/read-clock.ts';
import { NotAllowed } from '../values/fault.ts';
import { type Forecast, type ForecastExecution, maxAttempts, tooMuch, attemptOf } from './list-runs.ts';
import { prepareRehearsal, rehearse } from './rehearse.ts';
import { countDue } from './rows/copy-what-moves.ts';
import { positionOfOrder } from '../payments/standing-orders.ts';
import { type ExecutionFacts, type ForecastCreditor, executionFacts, forecastCreditors } from './rows/run-attempts.ts';

/** How far to look: to an instant, or by a duration. */
export type ForecastTarget = { readonly to: Instant } | { readonly by: Duration };

/** Everything a forecast needs, read from the ledger in one transaction. */
interface Outlook {
  readonly now: Instant;
  readonly to: Instant;
  readonly waiting: WaitingExecutions;
  /** The facts of each waiting execution, by its key. */
  readonly facts: ReadonlyMap<number, ExecutionFacts>;
  /** The facts of a waiting occurrence of each standing order, by payment: an occurrence to come has no row yet. */
  readonly orders: ReadonlyMap<number, ExecutionFacts | undefined>;
  /** Accounts of customers that receive, by key. */
  readonly creditors: ReadonlyMap<number, ForecastCreditor>;
}

/**
 * Forecasts every attempt up to the target and its reason, if nothing is initiated, signed or changed meanwhile (control plane: GET
 * /sandbox/forecast; rules.md D3e). Writes nothing. Where only runs move money it plans them, which is fast for many payments; else it
 * rehearses. BAD_REQUEST: a target in the past or more than 10 years away, or more than {@link maxAttempts} attempts or planned events.
 * NOT_FOUND: the bank stops meanwhile.
 */
export async function forecast(bank: BankContext, target: ForecastTarget): Promise<Forecast> {
  const prepared = await readBank(bank, async (reading) => {
    const to = instantOf(target, reading.now);
    const isPlanned = (await onlyRunsMove(reading)) || (await isTooMuchDue(reading, to));
    return isPlanned ? lookAhead(reading, to) : prepareRehearsal(reading, to);
  });
  const foreseen =
    'waiting' in prepared ? { executions: await plan(bank, prepared), planned: [] } : await rehearse(bank, prepared);
  return { from: prepared.now, to: prepared.to, ...foreseen };
}

/** Whether nothing but runs moves money: there are no lives and no announced transactions (rules.md L1, D3d). */
async function onlyRunsMove({ reader, state }: PresentReading): Promise<boolean> {
  return state.lived_until === null && (await earliestBooking(reader)) === null;
}

/** Whether the runs until `to` try more executions than one answer holds. The plan then refuses without a copy. */
async function isTooMuchDue({ bank, reader, lastRunAt }: PresentReading, to: Instant): Promise<boolean> {
  const run = lastRunAtOrBefore(to, allRuns(bank.runs));
  return run.at > lastRunAt && (await countDue(reader, run, maxAttempts + 1)) > maxAttempts;
}

/** Applies the rules of runs to what waits, in memory. */
async function plan(bank: BankContext, outlook: Outlook): Promise<ForecastExecution[]> {
  const { now, to, waiting } = outlook;
  const executions: ForecastExecution[] = [];
  let current: SettlementRun | null = null;
  let last = now;
  const pauses = new Pauses();
  for (const forecastRun of forecastRuns(waiting, to, bank.runs)) {
    if (current !== null && current !== forecastRun.run) last = current.at;
    current = forecastRun.run;
    if (executions.length + forecastRun.decisions.length > maxAttempts) throw tooMuch('attempts', now, last);
    for (const decision of forecastRun.decisions) {
      executions.push(forecastExecution(bank, outlook, forecastRun, decision));
      if (pauses.isDue()) await pauses.take();
    }
  }
  return executions;
}

async function lookAhead({ bank, reader, now, lastRunAt }: PresentReading, to: Instant): Promise<Outlook> {
  const lastRun = lastRunAtOrBefore(to, allRuns(bank.runs));
  // Each is tried at least once until then, so one more than the limit is enough to refuse.
  const executions = lastRun.at <= lastRunAt ? [] : await allDue(reader, lastRun, maxAttempts + 1);
  const { byType, late } = bank.runs;
  const triesSome = byType !== undefined || late !== undefined;
  const occurrences = executions.filter(({ isOccurrence }) => isOccurrence);
  const orders = await standingOrdersOf(reader, [...new Set(occurrences.map(({ paymentId }) => paymentId))]);
  const facts = await executionFacts(
    reader,
    executions.map(({ id }) => id),
  );
  const rejections = await rejectionsOf(
    reader,
    orders.map((order) => order.payment_id),
  );
  const creditors = executions.flatMap(({ creditor }) => (creditor.kind === 'customer' ? [creditor.id] : []));
  return {
    now,
    to,
    waiting: {
      lastRunAt,
      executions,
      orders: orders.map(positionOfOrder),
      rejections,
      received: await receivedOrders(reader, triesSome ? executions.map(({ paymentId }) => paymentId) : []),
    },
    facts,
    orders: new Map(occurrences.map(({ id, paymentId }) => [paymentId, facts.get(id)])),
    creditors: await forecastCreditors(reader, [...new Set(creditors)]),
  };
}

/** Everything that is due at the time of a run, whichever customers the run is for. */
async function allDue(reader: Reader, { date, at }: SettlementRun, limit: number): Promise<DueExecution[]> {
  const due: DueExecution[] = [];
  while (due.length < limit) {
    const page = await dueExecutions(reader, { date, at }, due.at(-1) ?? null, Math.min(partSize, limit - due.length));
    due.push(...page);
    if (page.length < partSize) break;
  }
  return due;
}

function instantOf(target: ForecastTarget, now: Instant): Instant {
  const furthest = furthestAdvance(now);
  const to = 'by' in target ? addDuration(now, target.by) : target.to;
  if (to < now) {
    const text = `${formatInstant(to)} has passed: the bank clock shows ${formatInstant(now)}. Ask for a later instant.`;
    throw new NotAllowed({ code: 'BAD_REQUEST', path: 'to', text }, bounds(now, furthest));
  }
  requireClockInstant(to);
  if (to > furthest) {
    const text = `A forecast looks 10 years ahead at most: until ${formatInstant(furthest)}. Ask for an earlier instant.`;
    throw new NotAllowed({ code: 'BAD_REQUEST', path: 'to', text }, bounds(now, furthest));
  }
  return to;
}

function forecastExecution(
  { runs }: BankContext,
  { facts, orders, creditors }: Outlook,
  { run }: ForecastRun,
  { execution, outcome, attempt, available, needed, reason }: SettlementDecision,
): ForecastExecution {
  const { id, paymentId, nominalDate, executionDate, debtor, foreign, reserved } = execution;
  const known = facts.get(id) ?? orders.get(paymentId);
  assert(known !== undefined, 'an execution has a payment');
  const dates = { nominal_date: nominalDate, execution_date: executionDate };
  const tried = { number: attempt, available_minor: available, needed_minor: needed, outcome, reason };
  const funds = { fee: foreign?.fee ?? 0n, change: available - debtor.creditLine - debtor.balance + reserved };
  const credit = outcome === 'settle' ? creditOf(execution, creditors) : null;
  return { ...attemptOf(runs, run, { ...known, ...dates, ...tried }, funds), run, credit };
}

function creditOf(
  { creditor, amount, foreign }: DueExecution,
  creditors: Outlook['creditors'],
): ForecastExecution['credit'] {
  const found = creditors.get(creditor.id);
  if (found === undefined) return null;
  const minor = foreign?.exchange?.amount ?? amount;
  return { account: found.account, amount: { minor, currency: found.currency } };
}
