import { assert } from '../values/assert.ts';
import { canMove, deletion } from '../settlement/rules/transaction-status.ts';
import { cancelExecutions } from '../settlement/change-executions.ts';
import {
  type Payment,
  type PaymentsOf,
  removeEndedOrders,
  unfinishedPayments,
  paymentByKey,
  updatePayment,
} from './rows/payments.ts';
import { forgetAnswers } from '../calls/first-answers.ts';
import { type StatusChange, storeStatuses, tellStatusChanges } from './change-status.ts';
import { type BankContext, writeBank, type WriteMoment } from '../bank/bank-context.ts';
import { Refusal } from '../values/fault.ts';
import type { TppIdentity } from '../sca/sca.ts';
import { messagesOf } from './payment-messages.ts';
import { noMessages, type PaymentMessages } from './rules/failure-messages.ts';
import { findOwnPayment, type PaymentPath, shownPayment } from './read-payment.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';

/**
 * Cancels payments that are not settled, and their open executions (rules.md P12, R10, D2, S10). A bulk payment with a settled
 * item stays PART, which its history shows once more with the cause (S9c). An open SCA of such a payment stays open: it fails
 * when the PSU answers it, and redirects the PSU to the TPP.
 */
export async function cancelPayments(
  moment: WriteMoment,
  payments: readonly Payment[],
  change: Pick<StatusChange, 'cause' | 'situation'>,
): Promise<void> {
  const changes = payments.map((payment) => {
    const status = payment.status === 'PART' ? 'PART' : 'CANC';
    assert(status === 'PART' || canMove(payment.status, status), `a payment moves from ${payment.status} to ${status}`);
    return { ...change, paymentId: payment.id, payment, status } as const;
  });
  await cancelExecutions(moment.tx, payments);
  await storeStatuses(moment, changes, null);
  await tellStatusChanges(moment, changes);
}

/**
 * Cancels the open payments of a deleted account, agreement or customer, and forgets the first answers to their calls, so that a
 * repeated call makes a payment again (rules.md D2). The ended standing orders of a deleted account leave the payment API (R9c), and
 * all answers about its payments are forgotten.
 */
export async function withdrawPayments(moment: WriteMoment, of: PaymentsOf, cause: string): Promise<void> {
  const { tx, now } = moment;
  const payments = await unfinishedPayments(tx, of);
  await cancelPayments(moment, payments, { cause });
  if ('accountId' in of) await removeEndedOrders(tx, of.accountId, now);
  await forgetAnswers(tx, 'accountId' in of ? of : { payments });
}

interface DeletePayment {
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly path: PaymentPath;
}

/** A payment after a DELETE, with the messages of the answer. */
export interface DeletedPayment {
  readonly payment: Payment;
  readonly messages: PaymentMessages;
}

/**
 * Cancels an unsigned payment at once. For a signed one (ACSP) records that a cancellation is requested, which the PSU
 * must sign; the payment stays ACSP until then (rules.md P12, R10). In any later status: CANCELLATION_INVALID.
 */
export function deletePayment(bank: BankContext, command: DeletePayment): Promise<DeletedPayment> {
  return writeBank(bank, async (present) => {
    const { tx } = present;
    const { customer } = await identifyPsu(tx, command.tpp.id, command.psu);
    const payment = await findOwnPayment(present, command.tpp.id, command.path, customer);
    switch (deletion(payment.status)) {
      case 'at once':
        await cancelPayments(present, [payment], { cause: 'deleted by the TPP' });
        return { payment: await paymentByKey(tx, payment.id), messages: noMessages };
      case 'by authorisation': {
        const requested = await updatePayment(tx, payment.id, { cancellation_requested_at: present.now });
        const shown = await shownPayment(present, requested);
        return { payment: shown, messages: await messagesOf(present, shown) };
      }
      case 'never':
        throw new Refusal({ code: 'CANCELLATION_INVALID', text: tooLate(payment) });
    }
  });
}

function tooLate(payment: Payment): string {
  return (
    `The payment is ${payment.status} and can no longer be deleted. ` +
    'A payment can be deleted while DELETE is among the verbs of its self link.'
  );
}
