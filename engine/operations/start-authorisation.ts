import { Refusal } from '../core/fault.ts';
import { awaitsSignature, isFinal } from '../core/transaction-status.ts';
import type { ScaPurpose } from '../ledger/tables.ts';
import { bankNow, type BankContext } from './shared/bank-context.ts';
import { beginSca, type ReturnAddress, type TppIdentity } from './shared/begin-sca.ts';
import { findOwnPayment, type PaymentPath } from './shared/find-own-payment.ts';
import { identifyPsu, type PsuReference } from './shared/identify-psu.ts';

export interface StartAuthorisation {
  readonly purpose: Extract<ScaPurpose, 'payment' | 'cancellation'>;
  readonly tpp: TppIdentity;
  readonly psu: PsuReference;
  readonly path: PaymentPath;
  /** What the request itself sent; a missing one is the initiation's (rules.md A4b). */
  readonly redirectUri: string | null;
  readonly sessionId: string | null;
}

/**
 * Opens an SCA for a payment or for its cancellation and returns its id (rules.md A1). A payment that is final or
 * fully signed, and a cancellation that was not asked for: STATUS_INVALID (P12).
 */
export function startAuthorisation(bank: BankContext, command: StartAuthorisation): Promise<string> {
  return bank.ledger.write(async (tx) => {
    await bankNow(bank, tx);
    const customer = await identifyPsu(tx, command.tpp.id, command.psu);
    const payment = await findOwnPayment(tx, command.tpp.id, command.path, customer);
    if (command.purpose === 'payment' && !awaitsSignature(payment.status)) {
      throw statusInvalid(`The payment is ${payment.status}: it takes no further signature.`);
    }
    if (command.purpose === 'cancellation') {
      if (isFinal(payment.status)) throw statusInvalid(`The payment is ${payment.status}: there is nothing to cancel.`);
      if (payment.cancellation_requested_at === null) {
        throw statusInvalid('No cancellation of this payment was asked for. DELETE the payment first.');
      }
    }
    const returnTo: ReturnAddress = {
      redirectUri: command.redirectUri ?? payment.tpp_redirect_uri,
      sessionId: command.sessionId ?? payment.tpp_session_id,
    };
    const { purpose, tpp } = command;
    return beginSca(bank, tx, { purpose, payment, tpp, returnTo, customerId: payment.customer_id, context: null });
  });
}

function statusInvalid(text: string): Refusal {
  return new Refusal({ code: 'STATUS_INVALID', text });
}
