import type { Links, TppMessage } from './bank-answer.ts';
import type { Frequency, PaymentStatus } from './closed-lists.ts';
import type { Money } from './money.ts';

/** As `GET /v1/payments/{product}/{paymentId}/status` has it. */
export interface ReadPaymentStatus {
  readonly paymentId: string;
  readonly transactionStatus: PaymentStatus;
  /** False with ACCP: the account lacked the money at the last attempt. Left out with any other status. */
  readonly fundsAvailable?: boolean;
  /** Why it is rejected, or was not settled yet. */
  readonly tppMessages?: readonly TppMessage[];
  /** A text to show to the PSU. */
  readonly psuMessage?: string;
  readonly _links: Links<'self' | 'status', 'startAuthorisation'>;
}

/** As `GET /v1/payments/{product}/{paymentId}` has it: the body as the TPP sent it, and what became of the payment. */
export interface ReadPayment extends ReadPaymentStatus, Partial<ReadTransfer> {
  readonly debtorAccount: AccountNumbers;
  readonly requestedExecutionDate?: string;
  /** BIC, or code, of the creditor's bank abroad. */
  readonly creditorAgent?: string;
  readonly purposeCode?: string;
  /** Of a periodic payment. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly frequency?: Frequency;
  readonly executionRule?: 'following' | 'preceeding';
  readonly dayOfExecution?: string;
  readonly monthsOfExecution?: readonly number[];
  /** Of a bulk payment. */
  readonly payments?: readonly ReadTransfer[];
  readonly paymentInformationId?: string;
}

/** One transfer, as it was sent. */
export interface ReadTransfer {
  readonly instructedAmount: Money;
  readonly creditorName: string;
  readonly creditorAccount: AccountNumbers;
  readonly creditorAddress?: PostalAddress;
  readonly ultimateDebtor?: string;
  readonly remittanceInformationUnstructured?: string;
  readonly remittanceInformationStructuredArray?: readonly StructuredRemittance[];
}

/** An account by its numbers: those that were sent. */
export interface AccountNumbers {
  readonly bban?: string;
  readonly iban?: string;
  readonly currency?: string;
}

export interface PostalAddress {
  readonly street?: string;
  readonly buildingNumber?: string;
  readonly postalCode?: string;
  readonly city?: string;
  readonly country: string;
}

/** A KID (`SCOR`), or the reference of an e-invoice (`CINV`). */
export interface StructuredRemittance {
  readonly reference: string;
  readonly referenceType: 'SCOR' | 'CINV';
  readonly referenceIssuer?: string;
}
