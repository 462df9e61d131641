import { attemptCauses } from '../settlement/rules/cause.ts';
import { requestedDay } from '../payments/rules/payment-dates.ts';
import { assert } from '../values/assert.ts';
import { furthestAdvance } from '../time/rules/bank-clock.ts';
import { addDuration, type Duration } from '../values/duration.ts';
import type { ExecutionRule } from '../time/rules/banking-calendar.ts';
import { forecastRuns, type ForecastRun, type WaitingExecutions } from './rules/forecast-runs.ts';
import { formatInstant, type Instant, osloDate } from '../values/instant.ts';
import type { DueExecution, SettlementDecision } from '../settlement/rules/settlement.ts';
import { allRuns, lastRunAtOrBefore, type SettlementRun } from '../time/rules/settlement-run.ts';
import type { Reader } from '../ledger/database.ts';
import { dueExecutions, receivedOrders } from '../settlement/rows/due-executions.ts';
import { earliestBooking } from '../accounts/rows/reservations.ts';
import { rejectionsOf } from '../settlement/rows/provoked-executions.ts';
import {
  type ForecastCreditor,
  forecastCreditors,
  forecastPayments,
  type ForecastPayment,
  forecastItems,
  type ForecastItem,
} from './rows/forecast-payments.ts';
import { partSize } from '../values/lists.ts';
import { LoopShare } from '../ledger/loop-share.ts';
import { standingOrdersOf } from '../payments/rows/payments.ts';
import { type BankContext, readBank, type Present } from '../bank/bank-context.ts';
import { bounds, requireClockInstant } from '../bank/read-clock.ts';
import { NotAllowed } from '../values/fault.ts';
import { type Forecast, type ForecastExecution, maxAttempts, tooMuch } from './list-runs.ts';
import { prepareRehearsal, rehearse } from './rehearse.ts';
import { countDue } from './rows/copy-what-moves.ts';
import { positionOfOrder } from '../payments/standing-orders.ts';

/** How far to look: to an instant, or by a duration. */
export type ForecastTarget = { readonly to: Instant } | { readonly by: Duration };

/** Everything a forecast needs, read from the ledger in one transaction. */
interface Outlook {
  readonly now: Instant;
  readonly to: Instant;
  readonly waiting: WaitingExecutions;
  readonly payments: ReadonlyMap<number, ForecastPayment>;
  /** Accounts of customers that receive, by key. */
  readonly creditors: ReadonlyMap<number, ForecastCreditor>;
  readonly rules: ReadonlyMap<number, ExecutionRule>;
  /** Items of bulk payments, by execution. */
  readonly items: ReadonlyMap<number, ForecastItem>;
}

/**
 * Forecasts every attempt up to the target and its reason, if nothing is initiated, signed or changed meanwhile (control plane: GET
 * /sandbox/forecast; rules.md D3e). Writes nothing. Where only runs move money it plans them, which is fast for many payments; else it
 * rehearses. BAD_REQUEST: a target in the past or more than 10 years away, or more than {@link maxAttempts} attempts or planned events.
 * NOT_FOUND: the bank stops meanwhile.
 */
export async function forecast(bank: BankContext, target: ForecastTarget): Promise<Forecast> {
  const prepared = await readBank(bank, async (present) => {
    const to = instantOf(target, present.now);
    const isPlanned = (await onlyRunsMove(present)) || (await isTooMuchDue(present, to));
    return isPlanned ? lookAhead(present, to) : prepareRehearsal(present, to);
  });
  const foreseen =
    'waiting' in prepared ? { executions: await plan(bank, prepared), planned: [] } : await rehearse(bank, prepared);
  return { from: prepared.now, to: prepared.to, ...foreseen };
}

/** Whether nothing but runs moves money: there are no lives, no announced transactions and no corrections (rules.md L1, D3d, R8b). */
async function onlyRunsMove({ reader, state }: Present): Promise<boolean> {
  return state.lived_until === null && state.double_executions === 0 && (await earliestBooking(reader)) === null;
}

/** Whether the runs until `to` try more executions than one answer holds. The plan then refuses without a copy. */
async function isTooMuchDue({ bank, reader, lastRunAt }: Present, to: Instant): Promise<boolean> {
  const run = lastRunAtOrBefore(to, allRuns(bank.runs));
  return run.at > lastRunAt && (await countDue(reader, run, maxAttempts + 1)) > maxAttempts;
}

/** Applies the rules of runs to what waits, in memory. */
async function plan(bank: BankContext, outlook: Outlook): Promise<ForecastExecution[]> {
  const { now, to, waiting } = outlook;
  const executions: ForecastExecution[] = [];
  let current: SettlementRun | null = null;
  let last = now;
  const share = new LoopShare();
  for (const forecastRun of forecastRuns(waiting, to, bank.runs)) {
    if (current !== null && current !== forecastRun.run) last = current.at;
    current = forecastRun.run;
    if (executions.length + forecastRun.decisions.length > maxAttempts) throw tooMuch('attempts', now, last);
    for (const decision of forecastRun.decisions) {
      executions.push(forecastExecution(bank, outlook, forecastRun, decision));
      if (share.isUsed()) await share.pass();
    }
  }
  return executions;
}

async function lookAhead({ bank, reader, now, lastRunAt }: Present, to: Instant): Promise<Outlook> {
  const lastRun = lastRunAtOrBefore(to, allRuns(bank.runs));
  // Each is tried at least once until then, so one more than the limit is enough to refuse.
  const executions = lastRun.at <= lastRunAt ? [] : await allDue(reader, lastRun, maxAttempts + 1);
  const { byType, late } = bank.runs;
  const triesSome = byType !== undefined || late !== undefined;
  const occurrences = executions.filter(({ isOccurrence }) => isOccurrence);
  const orders = await standingOrdersOf(reader, [...new Set(occurrences.map(({ paymentId }) => paymentId))]);
  const payments = await forecastPayments(reader, [...new Set(executions.map(({ paymentId }) => paymentId))]);
  const rejections = await rejectionsOf(
    reader,
    orders.map((order) => order.payment_id),
  );
  const creditors = executions.flatMap(({ creditor }) => (creditor.kind === 'customer' ? [creditor.id] : []));
  const items = executions.filter(({ isBulkItem }) => isBulkItem).map(({ id }) => id);
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
    payments,
    creditors: await forecastCreditors(reader, [...new Set(creditors)]),
    rules: new Map(orders.map((order) => [order.payment_id, order.execution_rule])),
    items: await forecastItems(reader, items),
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
  { payments, creditors, rules, items }: Outlook,
  { run }: ForecastRun,
  decision: SettlementDecision,
): ForecastExecution {
  const { execution, outcome, attempt, available, needed, reason } = decision;
  const { paymentId, isOccurrence, nominalDate, executionDate, debtor, foreign, reserved } = execution;
  const payment = payments.get(paymentId);
  assert(payment !== undefined, 'an execution has a payment');
  const { currency } = payment;
  const wanted = isOccurrence ? nominalDate : requestedDay(payment.requested_date, payment.initiated_at);
  const isReceivedLater = execution.receivedAt > payment.authorised_at;
  const dated = { wanted, executionDate, rule: rules.get(paymentId) ?? ('following' as const), isReceivedLater };
  const signedOn = osloDate(payment.authorised_at);
  const funds = { fee: foreign?.fee ?? 0n, change: available - debtor.creditLine - debtor.balance + reserved };
  const tried = { outcome, attempt, run, available, needed, currency, reason, ...funds };
  const item = items.get(execution.id);
  return {
    paymentId: payment.resource_id,
    item: item === undefined ? null : `payments[${item.sequence}]`,
    account: payment.account,
    payee: item?.payee ?? payment.payee ?? '',
    isOccurrence,
    nominalDate,
    executionDate,
    run,
    attempt,
    outcome,
    available: { minor: available, currency },
    needed: { minor: needed, currency },
    credit: outcome === 'settle' ? creditOf(execution, creditors) : null,
    causes: attemptCauses({ ...dated, signedOn }, tried, runs.calendar),
  };
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
