import { Refusal } from '../values/fault.ts';
import { deletion } from '../settlement/rules/transaction-status.ts';
import { paymentByKey, updatePayment, type Payment } from './rows/payments.ts';
import { bankTime, type BankContext } from '../bank/bank-context.ts';
import type { TppIdentity } from '../sca/sca.ts';
import { cancelPayments } from './cancel-payments.ts';
import { messagesOf } from './payment-messages.ts';
import { noMessages, type PaymentMessages } from './rules/failure-messages.ts';
import { findOwnPayment, type PaymentPath } from './find-payment.ts';
import { shownPayment } from './read-payment.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';

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
  return bank.ledger.write(async (tx) => {
    const time = await bankTime(bank, tx);
    const { now } = time;
    const { customer } = await identifyPsu(tx, command.tpp.id, command.psu);
    const payment = await findOwnPayment(tx, command.tpp.id, command.path, { customer, time });
    switch (deletion(payment.status)) {
      case 'at once':
        await cancelPayments(bank, tx, [payment], { at: now, cause: 'deleted by the TPP' });
        return { payment: await paymentByKey(tx, payment.id), messages: noMessages };
      case 'by authorisation': {
        const requested = await updatePayment(tx, payment.id, { cancellation_requested_at: now });
        const shown = await shownPayment(bank, tx, requested, now);
        return { payment: shown, messages: await messagesOf(bank, tx, shown, time) };
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
