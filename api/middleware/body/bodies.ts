import type { Currency } from '../../../engine/core/currency.ts';
import type { LocalDate } from '../../../engine/core/local-date.ts';
import type { PeriodicPaymentInitiation, SinglePaymentInitiation } from '../../../engine/core/payment-initiation.ts';
import type { KnownState } from '../../../engine/operations/shared/known-state.ts';

/** What a request body is once validateBody has let it through. One type for each schema, named like its file. */
export interface Bodies {
  'periodic-payment-initiation': PeriodicPaymentInitiation;
  'credit-transfer-initiation': SinglePaymentInitiation;
  'sandbox-customer': SandboxCustomerBody;
  'sandbox-account': SandboxAccountBody;
  'sandbox-transactions': readonly SandboxTransactionBody[];
  clock: { readonly now?: string; readonly mode?: 'running' | 'frozen' };
  /** Exactly one member is there. */
  advance: {
    readonly to?: string;
    readonly by?: string;
    readonly runs?: number;
    readonly until?: { readonly paymentId: string; readonly status: string };
  };
  'known-state': KnownState;
  reset: { readonly fixtures?: string };
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

export interface SandboxTransactionBody {
  readonly amount: number | string;
  readonly currency: Currency;
  readonly valueDate: LocalDate;
  readonly bookingDate: LocalDate;
  readonly remittanceInformationUnstructured?: string;
  readonly creditorId?: string;
  readonly creditorName?: string;
  readonly creditorAccount?: Partial<AccountBody>;
  readonly ultimateCreditor?: string;
  readonly debtorName?: string;
  readonly debtorAccount?: Partial<AccountBody>;
  readonly ultimateDebtor?: string;
  readonly purposeCode?: string;
  readonly bankTransactionCode?: string;
}
