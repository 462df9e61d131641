import { Refusal } from '../core/fault.ts';
import { deletion } from '../core/transaction-status.ts';
import { updatePayment, type Payment } from '../ledger/payments.ts';
import { failOpenScasOf } from '../ledger/scas.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';
import type { TppIdentity } from './shared/begin-sca.ts';
import { changeStatus } from './shared/change-status.ts';
import { findOwnPayment, type PaymentPath } from './shared/find-own-payment.ts';
import { identifyPsu, type PsuReference } from './shared/identify-psu.ts';

export interface DeletePayment {
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly path: PaymentPath;
}

/**
 * Deletes a payment that nobody signed, at once, or asks for the signature that cancels a signed one: the payment
 * then is still ACSP (rules.md P12, R10). Later than that: CANCELLATION_INVALID.
 */
export function deletePayment(bank: BankContext, command: DeletePayment): Promise<Payment> {
  return bank.ledger.write(async (tx) => {
    const now = await bankNow(bank, tx);
    const customer = await identifyPsu(tx, command.tpp.id, command.psu);
    const payment = await findOwnPayment(tx, command.tpp.id, command.path, customer);
    switch (deletion(payment.status)) {
      case 'at once':
        await failOpenScasOf(tx, payment.id);
        return changeStatus(bank, tx, payment, 'CANC', { at: now, cause: 'deleted by the TPP' });
      case 'by authorisation':
        await updatePayment(tx, payment.id, { cancellation_requested_at: now });
        return payment;
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
