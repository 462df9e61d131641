import { assert } from '../values/assert.ts';
import { refuseAny, Refusal } from '../values/fault.ts';
import { osloDate } from '../values/instant.ts';
import { checkedAmount, type SinglePaymentInitiation } from './rules/payment-initiation.ts';
import { checkPaymentChange, type PaymentChange } from './rules/check-dates.ts';
import {
  changeTransferAmount,
  updatePayment,
  changeInitiation,
  storedInitiation,
  type Payment,
} from './rows/payments.ts';
import { changeExecutions, provokeRejections } from '../settlement/change-executions.ts';
import type { Reader } from '../ledger/database.ts';
import type { LocalDate } from '../values/local-date.ts';
import { changeStatus, noteStatus, cancelPayments } from './change-status.ts';
import { type BankContext, type PresentReading, writeBank, type Writing } from '../bank/bank-context.ts';
import { executionOf, maxNamedParts, type PaymentPart, wrongMember } from './payment-part.ts';
import { findAnyPayment, requireSigned, requireNotEnded } from './read-payment.ts';
import { isOpenStatus } from '../settlement/rules/decide-attempts.ts';
import { awaitsSignature } from '../values/transaction-status.ts';
import { executionsOf, type Execution } from '../settlement/rows/executions.ts';
import { bulkSum } from './rows/credit-transfers.ts';
import { planToShow, planToRegister } from './plan-payments.ts';
import { executionDay, storeForeignTerms } from './register-payment.ts';
import { forcedCause, type ForcedStatus } from './rules/payment-status.ts';

/** The members that may change; a bulk payment has no instructedAmount. */
type Changeable = Partial<Pick<SinglePaymentInitiation, 'instructedAmount' | 'requestedExecutionDate'>>;

/**
 * Changes the amount or date of an ACSP payment as the PSU can in the bank's own channel (rules.md P14). The TPP reads
 * the new values under the same id; the status history records the change. No further signature is needed. Unknown:
 * NOT_FOUND; another status: STATUS_INVALID; faults of {@link checkPaymentChange}.
 */
export async function changeInAnotherChannel(
  bank: BankContext,
  paymentId: string,
  change: PaymentChange,
): Promise<void> {
  await writeBank(bank, async (writing) => {
    const { tx, now } = writing;
    const payment = await findAnyPayment(writing, paymentId);
    requireSigned(payment);
    const before = JSON.parse(await storedInitiation(tx, payment.id)) as Changeable;
    const { service, product } = payment;
    const currency = before.instructedAmount?.currency ?? null;
    refuseAny(checkPaymentChange(change, { service, product, currency }, osloDate(now), bank.schedule.calendar));
    await changeInitiation(tx, payment.id, JSON.stringify({ ...before, ...changedMembers(change) }));
    const amount = change.amount === null ? null : checkedAmount({ instructedAmount: change.amount }).minor;
    if (amount !== null) await changeTransferAmount(tx, payment.id, amount);
    const date = change.requestedExecutionDate === null ? null : await changeDay(writing, payment);
    await changeExecutions(tx, payment.id, { amount, date });
    await noteStatus(writing, payment, { cause: causeOf(change) });
  });
}

/**
 * Stores what the plan says of the day that is wanted now: it may have another fixing and another value date (rules.md
 * T4d, T4f). Returns it.
 */
async function changeDay(writing: Writing, payment: Payment): Promise<LocalDate> {
  const plan = await planToRegister(writing, payment.id);
  if (plan.refusal !== null) throw new Refusal(plan.refusal);
  await storeForeignTerms(writing.tx, payment, plan);
  const date = executionDay(plan);
  await updatePayment(writing.tx, payment.id, { execution_date: date, received_at: plan.receivedAt });
  return date;
}

function changedMembers({ amount, requestedExecutionDate }: PaymentChange): object {
  return {
    ...(amount !== null && { instructedAmount: amount }),
    ...(requestedExecutionDate !== null && { requestedExecutionDate }),
  };
}

function causeOf({ amount, requestedExecutionDate: date }: PaymentChange): string {
  const changes = [
    ...(amount === null ? [] : [`amount ${amount.amount} ${amount.currency}`]),
    ...(date === null ? [] : [`date ${date}`]),
  ];
  return `changed in another channel: ${changes.join(', ')}`;
}

/**
 * Cancels an ACSP payment as the PSU can in the bank's own channel, without a TPP (rules.md P14). Unknown: NOT_FOUND;
 * another status: STATUS_INVALID.
 */
export async function cancelInAnotherChannel(bank: BankContext, paymentId: string): Promise<void> {
  await writeBank(bank, async (writing) => {
    const payment = await findAnyPayment(writing, paymentId);
    requireSigned(payment);
    await cancelPayments(writing, [payment], { cause: 'cancelled in another channel' });
  });
}

/** What to reject and why. */
interface WantedRejection extends PaymentPart {
  readonly reason: string;
}

/** The executions of a payment, and that of the part which is named, if there is one yet. */
interface FoundExecutions {
  readonly executions: readonly Execution[];
  readonly named: Execution | undefined;
}

/** The parts of a payment to reject, and what they are called in its history. */
interface Target {
  readonly sequences: readonly number[];
  readonly name: string;
}

/**
 * Provokes the rejection of a payment, an item or an occurrence (rules.md P14b): at once for an unsigned payment, at
 * the signature for an item of one, else at the next attempt. A standing order without `occurrence` has its next
 * occurrence rejected. A later call replaces the reason. NOT_FOUND: unknown payment. BAD_REQUEST, with the possible
 * values: unknown item or occurrence. STATUS_INVALID: it is final.
 */
export async function rejectPayment(bank: BankContext, paymentId: string, wanted: WantedRejection): Promise<void> {
  await writeBank(bank, async (writing) => {
    const { tx } = writing;
    const payment = await findAnyPayment(writing, paymentId);
    const { item, occurrence: date, reason } = wanted;
    const executions = await executionsOf(tx, { paymentId: payment.id });
    const named = executionOf(payment, executions, wanted);
    await requireNotEnded(tx, payment);
    const { sequences, name } = await targetOf(writing, payment, wanted, { executions, named });
    await provokeRejections(tx, payment.id, { sequences, reason });
    if (awaitsSignature(payment.status) && item === null && date === null) {
      await changeStatus(writing, payment, 'RJCT', { cause: `rejected: ${reason}` });
      return;
    }
    const when = item !== null && awaitsSignature(payment.status) ? 'when it is signed' : 'at its next attempt';
    await noteStatus(writing, payment, { cause: `${name} to be rejected ${when}: ${reason}` });
  });
}

async function targetOf(
  reading: PresentReading,
  payment: Payment,
  { item, occurrence: date }: WantedRejection,
  { executions, named }: FoundExecutions,
): Promise<Target> {
  if (item !== null) return itemTarget(reading.reader, payment, item, named);
  if (date !== null) return occurrenceOn(reading, payment, date, { executions, named });
  if (awaitsSignature(payment.status)) return { sequences: [0], name: 'payment' };
  const open = executions.filter(({ status }) => isOpenStatus(status));
  if (payment.service !== 'periodic-payments') {
    return { sequences: open.map(({ sequence }) => sequence), name: 'payment' };
  }
  const [next] = open;
  assert(next !== undefined, 'R9: an order that has not ended has an open occurrence');
  return namedOccurrence(next.sequence, next.nominal_date);
}

async function itemTarget(
  reader: Reader,
  payment: Payment,
  item: number,
  named: Execution | undefined,
): Promise<Target> {
  const { count } = await bulkSum(reader, payment.id);
  const name = `payments[${item}]`;
  if (item >= count) {
    const text = `The payment has no ${name}: it has ${count} ${count === 1 ? 'item' : 'items'}.`;
    throw wrongMember(
      'item',
      text,
      count === 1 ? ['payments[0]'] : { first: 'payments[0]', last: `payments[${count - 1}]` },
    );
  }
  if (named !== undefined) requireOpen(name, named);
  return { sequences: [item], name };
}

async function occurrenceOn(
  reading: PresentReading,
  payment: Payment,
  date: LocalDate,
  { executions, named }: FoundExecutions,
): Promise<Target> {
  if (named !== undefined) {
    requireOpen(`The occurrence of ${date}`, named);
    return namedOccurrence(named.sequence, date);
  }
  const open = executions.filter(({ status }) => isOpenStatus(status)).map(({ nominal_date: nominal }) => nominal);
  const others: LocalDate[] = [];
  for (const { index, nominalDate } of (await planToShow(reading, payment.id)).ahead()) {
    if (nominalDate === date) return namedOccurrence(index, date);
    if (open.length + others.length < maxNamedParts) others.push(nominalDate);
    else if (nominalDate > date) break;
  }
  const text = `The payment has no occurrence of ${date} to come. Its nominal dates count, not those that they are moved to.`;
  throw wrongMember('occurrence', text, [...open, ...others]);
}

function namedOccurrence(sequence: number, date: LocalDate): Target {
  return { sequences: [sequence], name: `occurrence of ${date}` };
}

function requireOpen(name: string, { status }: Execution): void {
  if (isOpenStatus(status)) return;
  const text = `${name} is ${status}, which is final: nothing follows it.`;
  throw new Refusal({ code: 'STATUS_INVALID', text, allowed: ['ACSP', 'PDNG', 'ACCP'] });
}

/**
 * Shows this status to the TPP instead of the payment's own, until the own one changes (rules.md S9b). The bank
 * processes the payment as before. A final payment: STATUS_INVALID (S7).
 */
export async function forceStatus(bank: BankContext, paymentId: string, status: ForcedStatus): Promise<void> {
  await writeBank(bank, async (writing) => {
    const { tx, now } = writing;
    const payment = await findAnyPayment(writing, paymentId);
    await requireNotEnded(tx, payment);
    await updatePayment(tx, payment.id, { forced_status: status, forced_at: now });
    await noteStatus(writing, payment, { status, cause: forcedCause });
  });
}
