import { Refusal } from '../values/fault.ts';
import { isDomestic } from '../values/product.ts';
import { hasLackedFunds } from '../settlement/rows/executions.ts';
import { wholeInitiationOf } from './rows/payment-initiations.ts';
import type { Payment } from './rows/payments.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { findOwnPayment, type PaymentPath } from './find-payment.ts';
import type { PaymentMessages } from './rules/failure-messages.ts';
import { messagesAbout } from './payment-messages.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';

export interface ReadPayment {
  readonly tppId: string;
  readonly psu: PsuReference;
  readonly path: PaymentPath;
}

export interface PaymentDetails {
  readonly payment: Payment;
  /** The request body as the TPP sent it, JSON text. */
  readonly initiation: string;
  readonly messages: PaymentMessages;
}

export interface PaymentStatus {
  readonly payment: Payment;
  /** Set for ACCP only (rules.md S4); null in every other status. */
  readonly fundsAvailable: boolean | null;
  readonly messages: PaymentMessages;
}

/** Reads a payment for its TPP (rules.md G8, S6, S7). Unknown: RESOURCE_UNKNOWN. */
export function readPayment(bank: BankContext, query: ReadPayment): Promise<PaymentDetails> {
  return bank.ledger.read(async (reader) => {
    const { customer } = await identifyPsu(reader, query.tppId, query.psu);
    const payment = await findOwnPayment(bank, reader, query.tppId, query.path, customer);
    const initiation = await wholeInitiationOf(reader, payment);
    return { payment, initiation, messages: await messagesAbout(bank, reader, payment) };
  });
}

/**
 * Reads the status of a payment for its TPP. RESOURCE_UNKNOWN for a domestic payment that the PSU has not approved, unless
 * the quirk status-before-approval is on (rules.md S9).
 */
export function readPaymentStatus(bank: BankContext, query: ReadPayment): Promise<PaymentStatus> {
  return bank.ledger.read(async (reader) => {
    const { customer } = await identifyPsu(reader, query.tppId, query.psu);
    const payment = await findOwnPayment(bank, reader, query.tppId, query.path, customer);
    if (isDomestic(payment.product) && payment.status === 'RCVD' && !bank.quirks.has('status-before-approval')) {
      const text =
        'The status of this payment cannot be fetched before the PSU approves it (a known issue of the interface). ' +
        'Start its authorisation; the quirk status-before-approval of this sandbox gives RCVD instead.';
      throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
    }
    const fundsAvailable = payment.status === 'ACCP' ? !(await hasLackedFunds(reader, payment.id)) : null;
    return { payment, fundsAvailable, messages: await messagesAbout(bank, reader, payment) };
  });
}
