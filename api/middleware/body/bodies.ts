import type { Currency } from '../../../engine/core/currency.ts';
import type { CurrencyExchange } from '../../../engine/core/currency-exchange.ts';
import type { LocalDate } from '../../../engine/core/local-date.ts';
import type {
  BulkPaymentInitiation,
  BulkPaymentItem,
  PeriodicPaymentInitiation,
  SinglePaymentInitiation,
  StructuredRemittance,
} from '../../../engine/core/payment-initiation.ts';
import type { ForeignProduct } from '../../../engine/core/product.ts';
import type { KnownState } from '../../../engine/operations/shared/known-state.ts';

/** What a request body is once validateBody has let it through. One type for each schema, named like its file. */
export interface Bodies {
  'periodic-payment-initiation': PeriodicPaymentInitiation;
  'credit-transfer-initiation': SinglePaymentInitiation;
  'straks-initiation': SinglePaymentInitiation;
  'sepa-initiation': SinglePaymentInitiation;
  'cross-border-initiation': SinglePaymentInitiation;
  'bulk-payment-initiation': BulkPaymentInitiation;
  'bulk-payment-item': BulkPaymentItem;
  'signing-basket': { readonly paymentIds: readonly string[] };
  'sandbox-customer': SandboxCustomerBody;
  'sandbox-account': SandboxAccountBody;
  'sandbox-agreement': SandboxAgreementBody;
  'sandbox-engagement': SandboxEngagementBody;
  'user-verification': { readonly identifier: string };
  'sandbox-card-account': SandboxCardAccountBody;
  'sandbox-card-transactions': readonly SandboxCardTransactionBody[];
  'tpp-contact': { readonly email: string };
  'sandbox-transaction': SandboxTransactionBody;
  'sandbox-transactions': readonly SandboxTransactionBody[];
  'armed-fault': {
    readonly code: string;
    readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
    readonly path?: string;
    readonly times?: number;
  };
  'consent-grant': {
    readonly tpp: string;
    readonly psu: string;
    readonly context?: 'PRIVATE' | 'CORPORATE';
    readonly agreement?: string;
    readonly accounts?: readonly string[];
  };
  'forced-status': { readonly status: string };
  'payment-change': {
    readonly amount?: { readonly amount: string; readonly currency: Currency };
    readonly requestedExecutionDate?: LocalDate;
  };
  clock: { readonly now?: string; readonly mode?: 'running' | 'frozen'; readonly rate?: number };
  /** Exactly one member is there. */
  advance: {
    readonly to?: string;
    readonly by?: string;
    readonly runs?: number;
    readonly until?: { readonly paymentId: string; readonly status: string };
  };
  'known-state': KnownState;
  /** NOK for one unit, by currency code. */
  'exchange-rates': { readonly quotationDate: LocalDate; readonly nokPerUnit: Readonly<Record<string, string>> };
  /** Amounts of NOK. */
  fees: Readonly<Record<ForeignProduct, string>> & { readonly currency: 'NOK' };
  reset: { readonly fixtures?: string };
  snapshot: { readonly name: string };
  bank: {
    readonly name: string;
    readonly fixtures?: string;
    readonly now?: string;
    readonly mode?: 'running' | 'frozen';
    readonly quirks?: readonly string[];
  };
  'sca-outcome': {
    readonly outcome: 'approve' | 'cancel' | 'fail';
    /** Both are there when the outcome is approve. */
    readonly psu?: string;
    readonly context?: 'PRIVATE' | 'CORPORATE';
    readonly agreement?: string;
    readonly accounts?: readonly string[];
    readonly failure?: string;
  };
}

export type BodyName = keyof Bodies;

/** `iban` may hold blanks: read it with parseIban. */
export interface AccountBody {
  readonly bban?: string;
  readonly iban?: string;
  readonly currency: Currency;
}

export interface SandboxCustomerBody {
  readonly customerNumber: string;
  readonly name: string;
  readonly type: 'private' | 'corporate';
}

/** Amounts are read with parseSandboxAmount. */
export interface SandboxAccountBody extends AccountBody {
  readonly customerNumber: string;
  readonly accountName?: string;
  readonly product?: string;
  readonly cashAccountType?: 'CACC' | 'TAXE' | 'SVGS';
  readonly creditLine?: number | string;
  readonly balances?: readonly {
    readonly balanceType: 'EXPECTED';
    readonly balanceAmount: { readonly amount: number | string; readonly currency: Currency };
  }[];
}

/** The limits are taken and change nothing: what they mean is not published. */
export interface SandboxEngagementBody {
  readonly customer: string;
  readonly account: Partial<AccountBody>;
  readonly roles: readonly ('VIEW' | 'REGISTER')[];
  readonly registerLimit?: number;
  readonly approvalLimit?: number;
}

export interface SandboxAgreementBody {
  readonly owner: string;
  readonly name: string;
  readonly engagements?: readonly SandboxEngagementBody[];
}

export interface SandboxTransactionBody {
  readonly amount: number | string;
  readonly currency: Currency;
  readonly valueDate: LocalDate;
  readonly bookingDate: LocalDate;
  readonly remittanceInformationUnstructured?: string;
  readonly remittanceInformationStructuredArray?: readonly StructuredRemittance[];
  readonly creditorId?: string;
  readonly creditorName?: string;
  readonly creditorAccount?: Partial<AccountBody>;
  readonly ultimateCreditor?: string;
  readonly debtorName?: string;
  readonly debtorAccount?: Partial<AccountBody>;
  readonly ultimateDebtor?: string;
  readonly purposeCode?: string;
  readonly bankTransactionCode?: string;
  readonly proprietaryBankTransactionCode?: string;
  readonly mandateId?: string;
  readonly creditorAgent?: string;
  readonly debtorAgent?: string;
  readonly additionalInformation?: string;
  readonly additionalInformationProprietaryX?: string;
  readonly originalAmount?: SandboxAmountBody;
  readonly currencyExchange?: readonly SandboxExchangeBody[];
  readonly batchIndicator?: boolean;
  readonly batchNumberOfTransactions?: number;
  readonly entryDetails?: readonly SandboxBatchPartBody[];
}

/** One transfer of a mock batch, in the currency of the batch. */
export interface SandboxBatchPartBody {
  readonly amount: number | string;
  readonly creditorName?: string;
  readonly creditorAccount?: Partial<AccountBody>;
  readonly ultimateDebtor?: string;
  readonly remittanceInformationUnstructured?: string;
  readonly remittanceInformationStructuredArray?: readonly StructuredRemittance[];
}

/** An exchange of a mock transaction; the rate is a decimal string. */
export interface SandboxExchangeBody extends Omit<CurrencyExchange, 'instructedAmount'> {
  readonly instructedAmount?: SandboxAmountBody;
}

/** Read with parseSandboxAmount. */
export interface SandboxAmountBody {
  readonly amount: number | string;
  readonly currency: Currency;
}

export interface SandboxCardAccountBody {
  readonly customerNumber: string;
  readonly maskedPan: string;
  readonly currency: Currency;
  readonly creditLimit?: SandboxAmountBody;
  readonly balances?: readonly { readonly balanceAmount: SandboxAmountBody }[];
  readonly name?: string;
  readonly product?: string;
  readonly cardId?: string;
  readonly cardIdVNo?: string;
  readonly accountNumber?: string;
  readonly expiry?: string;
  readonly status?: string;
}

/** An empty text means that it is not known. */
export interface SandboxCardTransactionBody {
  readonly cardTransactionId?: string;
  readonly terminalId?: string;
  readonly bookingDate?: LocalDate | '';
  readonly transactionDate: LocalDate;
  readonly transactionAmount: SandboxAmountBody;
  readonly originalAmount?: SandboxAmountBody;
  readonly merchantCategoryCode?: string;
  readonly markupFee?: SandboxAmountBody;
  readonly markupFeePercentage?: string;
  readonly cardAcceptorId?: string;
  readonly cardAcceptorAddress?: Readonly<Record<string, string>>;
  readonly maskedPan?: string;
  readonly transactionDetails?: string;
  readonly invoiced?: 'true' | 'false' | '' | boolean;
  readonly proprietaryBankTransactionCode?: string;
}
