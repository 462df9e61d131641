import type {
  BulkPaymentInitiation,
  CreditTransferInitiation,
  PeriodicPaymentInitiation,
  SinglePaymentInitiation,
} from './payment-initiation.ts';

/** A validated request body with the service that it was sent to. */
export type Initiation =
  | { readonly service: 'payments'; readonly body: SinglePaymentInitiation }
  | { readonly service: 'periodic-payments'; readonly body: PeriodicPaymentInitiation }
  | { readonly service: 'bulk-payments'; readonly body: BulkPaymentInitiation };

/** One creditor's part of an initiation. */
export interface InitiatedTransfer {
  /** Where its members stand in the body: `payments[3]`; empty for a body with one creditor. */
  readonly path: string;
  readonly body: CreditTransferInitiation;
}

/** The transfers that an initiation asks for, one for each creditor, in the order of the body. */
export function transfersOf({ service, body }: Initiation): readonly InitiatedTransfer[] {
  if (service !== 'bulk-payments') return [{ path: '', body }];
  const { debtorAccount } = body;
  return body.payments.map((item, index) => ({ path: `payments[${index}]`, body: { ...item, debtorAccount } }));
}

/** The body without the items of a bulk payment, which are kept one by one. */
export function sharedMembers({ service, body }: Initiation): object {
  if (service !== 'bulk-payments') return body;
  const { paymentInformationId, debtorAccount, requestedExecutionDate } = body;
  return { paymentInformationId, debtorAccount, requestedExecutionDate };
}
