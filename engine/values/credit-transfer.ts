import {
  country,
  currency,
  listOf,
  money,
  object,
  type ObjectOf,
  oneOf,
  optional,
  some,
  texts,
  type ValueOf,
  words,
} from './allowed.ts';
import { parseInstructedAmount } from './money.ts';

export const streetAddress = texts('street', 'buildingNumber', 'postalCode', 'city');
export const accountNumbers = texts('bban', 'iban');

/** interface: Account reference, as validated. At least one of bban and iban (rules.md P5). */
export const accountReference = object({ ...accountNumbers, currency });
export type AccountReference = ValueOf<typeof accountReference>;

const structuredRemittance = object({
  reference: words,
  referenceType: oneOf(['SCOR', 'CINV']),
  referenceIssuer: some,
});
export type StructuredRemittance = ValueOf<typeof structuredRemittance>;

export const remittance = {
  remittanceInformationUnstructured: some,
  remittanceInformationStructuredArray: optional(listOf(structuredRemittance)),
};

const item = {
  instructedAmount: money(parseInstructedAmount),
  creditorName: words,
  creditorAccount: accountReference,
  /** interface: Address. */
  creditorAddress: optional(object({ ...streetAddress, country })),
  ultimateDebtor: some,
  ...remittance,
};

/** One payment of a bulk payment (real-api-facts.md 6). */
export const bulkPaymentItem = object(item);
export type BulkPaymentItem = ValueOf<typeof bulkPaymentItem>;

/** The members that single and periodic payment bodies share, as validated. */
export const creditTransfer = {
  ...item,
  debtorAccount: accountReference,
  /** The BIC of the creditor's bank; foreign payments only. */
  creditorAgent: some,
  purposeCode: some,
};
export type CreditTransferInitiation = ObjectOf<typeof creditTransfer>;
