import type { Country } from './country.ts';
import type { Currency } from './money.ts';

/** interface: Account reference, as validated. At least one of bban and iban (rules.md P5). */
export interface AccountReference {
  readonly bban?: string;
  readonly iban?: string;
  readonly currency: Currency;
}

/** interface: Address. */
interface Address {
  readonly street?: string;
  readonly buildingNumber?: string;
  readonly postalCode?: string;
  readonly city?: string;
  readonly country: Country;
}

export interface StructuredRemittance {
  readonly reference: string;
  readonly referenceType: 'SCOR' | 'CINV';
  readonly referenceIssuer?: string;
}

/** The members that single and periodic payment bodies share, as validated. */
export interface CreditTransferInitiation {
  readonly instructedAmount: { readonly amount: string; readonly currency: Currency };
  readonly debtorAccount: AccountReference;
  readonly creditorAccount: AccountReference;
  readonly creditorName: string;
  readonly creditorAddress?: Address;
  /** The BIC of the creditor's bank; foreign payments only. */
  readonly creditorAgent?: string;
  readonly ultimateDebtor?: string;
  readonly purposeCode?: string;
  readonly remittanceInformationUnstructured?: string;
  readonly remittanceInformationStructuredArray?: readonly StructuredRemittance[];
}

/** One payment of a bulk payment (real-api-facts.md 6). */
export type BulkPaymentItem = Omit<CreditTransferInitiation, 'debtorAccount' | 'purposeCode'>;
