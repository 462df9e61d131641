import { assert } from '../values/assert.ts';
import { refuseAny } from '../values/fault.ts';
import { osloDate } from '../values/instant.ts';
import { parseInstructedAmount } from '../values/money.ts';
import { checkPaymentChange, type PaymentChange } from './rules/payment-change.ts';
import type { SinglePaymentInitiation } from './rules/payment-initiation.ts';
import { changeTransferAmount, updatePayment, changeInitiation, initiationOf } from './rows/payments.ts';
import { changeExecutions } from '../settlement/change-executions.ts';
import type { Writer } from '../ledger/database.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Payment } from './rows/payments.ts';
import { receivePayment } from './receive-payment.ts';
import { keepStatusChanges } from './change-status.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { findAnyPayment, requireStatus } from './find-payment.ts';
import { cancelPayments } from './cancel-payments.ts';

/** The members that may change; a bulk payment has no instructedAmount. */
type Changeable = Partial<Pick<SinglePaymentInitiation, 'instructedAmount' | 'requestedExecutionDate'>>;

/**
 * Changes the amount or date of an ACSP payment as the PSU can in the bank's own channel (rules.md P14). The TPP reads the
 * new values under the same id; the status history records the change. No further signature is needed. Unknown:
 * NOT_FOUND; another status: STATUS_INVALID; faults of {@link checkPaymentChange}.
 */
export async function changeInAnotherChannel(
  bank: BankContext,
  paymentId: string,
  change: PaymentChange,
): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const now = await bankNow(bank, tx);
    const payment = await findAnyPayment(tx, paymentId, now);
    requireStatus(payment, 'ACSP');
    const before = JSON.parse(await initiationOf(tx, payment.id)) as Changeable;
    const { service, product } = payment;
    const currency = before.instructedAmount?.currency ?? null;
    const verdict = checkPaymentChange(change, { service, product, currency }, osloDate(now), bank.runs.calendar);
    refuseAny(verdict.faults);
    const { executionDate } = verdict;
    await changeInitiation(tx, payment.id, JSON.stringify({ ...before, ...membersOf(change) }));
    const amount = change.amount === null ? null : minorOf(change.amount);
    if (amount !== null) await changeTransferAmount(tx, payment.id, amount);
    if (executionDate !== null) await changeDay(bank, tx, payment, executionDate);
    await changeExecutions(tx, payment.id, { amount, date: executionDate });
    const recorded = {
      paymentId: payment.id,
      payment,
      status: payment.forced_status ?? payment.status,
      cause: causeOf(change),
      situation: 'changed in another channel' as const,
    };
    await keepStatusChanges(bank, tx, [recorded], now);
  });
}

/** Another day may have another fixing and another value date (rules.md T4d, T4f). */
async function changeDay(bank: BankContext, tx: Writer, payment: Payment, executionDate: LocalDate): Promise<void> {
  assert(payment.authorised_at !== null, 'a payment in ACSP is authorised');
  const received_at = await receivePayment(bank, tx, payment, { at: payment.authorised_at, executionDate });
  await updatePayment(tx, payment.id, { execution_date: executionDate, received_at });
}

function membersOf({ amount, requestedExecutionDate }: PaymentChange): object {
  return {
    ...(amount !== null && { instructedAmount: amount }),
    ...(requestedExecutionDate !== null && { requestedExecutionDate }),
  };
}

function minorOf({ amount, currency }: NonNullable<PaymentChange['amount']>): bigint {
  const parsed = parseInstructedAmount(amount, currency);
  assert(typeof parsed !== 'string', 'the schema lets amounts of the currency through only');
  return parsed.minor;
}

function causeOf({ amount, requestedExecutionDate: date }: PaymentChange): string {
  const changes = [
    ...(amount === null ? [] : [`amount ${amount.amount} ${amount.currency}`]),
    ...(date === null ? [] : [`date ${date}`]),
  ];
  return `changed in another channel: ${changes.join(', ')}`;
}

/** Cancels an ACSP payment as the PSU can in the bank's own channel, without a TPP (rules.md P14). Unknown: NOT_FOUND; another status: STATUS_INVALID. */
export async function cancelInAnotherChannel(bank: BankContext, paymentId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const now = await bankNow(bank, tx);
    const payment = await findAnyPayment(tx, paymentId, now);
    requireStatus(payment, 'ACSP');
    const cause = 'cancelled in another channel';
    await cancelPayments(bank, tx, [payment], { at: now, cause, situation: cause });
  });
}
