import type { CreditTransferInitiation, StructuredRemittance } from './payment-initiation.ts';

/** An account as a transaction names it. */
export interface NamedAccount {
  readonly bban?: string;
  readonly iban?: string;
}

/** What a transaction tells beside its amount and dates (real-api-facts.md 10). Kept as JSON for a mock transaction. */
export interface TransactionDetails {
  readonly remittanceInformationUnstructured?: string;
  readonly remittanceInformationStructuredArray?: readonly StructuredRemittance[];
  readonly creditorId?: string;
  readonly creditorName?: string;
  readonly creditorAccount?: NamedAccount;
  readonly ultimateCreditor?: string;
  readonly debtorName?: string;
  readonly debtorAccount?: NamedAccount;
  readonly ultimateDebtor?: string;
  readonly purposeCode?: string;
  readonly bankTransactionCode?: string;
}

/** The holder and the numbers of the account that a payment was debited to. */
export interface Debtor {
  readonly name: string;
  readonly bban: string | null;
  readonly iban: string | null;
}

/** The details of a payment's transaction: what its initiation says, and who paid. */
export function detailsOfPayment(initiation: CreditTransferInitiation, debtor: Debtor): TransactionDetails {
  const { remittanceInformationUnstructured, remittanceInformationStructuredArray, ultimateDebtor, purposeCode } =
    initiation;
  return {
    ...(remittanceInformationUnstructured !== undefined && { remittanceInformationUnstructured }),
    ...(remittanceInformationStructuredArray !== undefined && { remittanceInformationStructuredArray }),
    creditorName: initiation.creditorName,
    creditorAccount: namedAccount(initiation.creditorAccount),
    debtorName: debtor.name,
    debtorAccount: namedAccount(debtor),
    ...(ultimateDebtor !== undefined && { ultimateDebtor }),
    ...(purposeCode !== undefined && { purposeCode }),
  };
}

function namedAccount({ bban, iban }: { readonly bban?: string | null; readonly iban?: string | null }): NamedAccount {
  return { ...(typeof bban === 'string' && { bban }), ...(typeof iban === 'string' && { iban }) };
}
