import type { Country } from './country.ts';
import type { Currency, FormattedAmount } from './money.ts';

/** An address of a street, without its country. */
export interface StreetAddress {
  readonly street?: string;
  readonly buildingNumber?: string;
  readonly postalCode?: string;
  readonly city?: string;
}

/** The numbers of an account. */
export interface GivenNumbers {
  readonly bban?: string;
  readonly iban?: string;
}

/** interface: Account reference, as validated. At least one of bban and iban (rules.md P5). */
export interface AccountReference extends GivenNumbers {
  readonly currency: Currency;
}

export interface StructuredRemittance {
  readonly reference: string;
  readonly referenceType: 'SCOR' | 'CINV';
  readonly referenceIssuer?: string;
}

export interface Remittance {
  readonly remittanceInformationUnstructured?: string;
  readonly remittanceInformationStructuredArray?: readonly StructuredRemittance[];
}

/** One payment of a bulk payment (real-api-facts.md 6). */
export interface BulkPaymentItem extends Remittance {
  readonly instructedAmount: FormattedAmount;
  readonly creditorName: string;
  readonly creditorAccount: AccountReference;
  /** The country is required, the rest of the address is not (interface: Address). */
  readonly creditorAddress?: StreetAddress & { readonly country: Country };
  readonly ultimateDebtor?: string;
}

/** The members that single and periodic payment bodies share, as validated. */
export interface CreditTransferInitiation extends BulkPaymentItem {
  readonly debtorAccount: AccountReference;
  /** The BIC of the creditor's bank; foreign payments only. */
  readonly creditorAgent?: string;
  readonly purposeCode?: string;
}
