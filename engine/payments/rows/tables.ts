import type { Generated } from 'kysely';
import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';
import type { ExecutionRule } from '../../time/rules/execution-date.ts';
import type { Frequency } from '../../time/rules/frequency.ts';
import type { Currency } from '../../values/currency.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    payment: PaymentRow;
    payment_initiation: PaymentInitiationRow;
    signature: SignatureRow;
    standing_order: StandingOrderRow;
    credit_transfer: CreditTransferRow;
    bulk_payment: BulkPaymentRow;
    initiation_answer: InitiationAnswerRow;
    foreign_transfer: ForeignTransferRow;
  }
}

export type PaymentService = 'payments' | 'periodic-payments' | 'bulk-payments';

export interface PaymentRow {
  id: Generated<number>;
  resource_id: string;
  service: PaymentService;
  product: string;
  tpp_id: string;
  tpp_name: string;
  customer_id: number;
  debtor_account_id: number;
  status: TransactionStatus;
  /** Moved to a banking day (rules.md P3); null for a periodic payment, whose executions carry their own. */
  execution_date: LocalDate | null;
  tpp_redirect_uri: string;
  tpp_session_id: string | null;
  initiated_at: Instant;
  authorised_at: Instant | null;
  /** When it became ACSC: the next run takes it out of the payment API (rules.md S6). */
  settled_at: Instant | null;
  cancellation_requested_at: Instant | null;
  /** The corporate agreement that it is made under; null for a PSU's own account, or until a signature says which. */
  agreement_id: number | null;
  /** What the control plane shows instead of the status, until that changes (rules.md S9b). */
  forced_status: TransactionStatus | null;
}

export interface PaymentInitiationRow {
  payment_id: number;
  /** The request body as JSON, echoed to the TPP; a bulk payment's without its items. */
  body: string;
}

/** Who has signed a payment (interface: Multiple signatures). */
export interface SignatureRow {
  payment_id: number;
  customer_id: number;
  signed_at: Instant;
}

export interface StandingOrderRow {
  payment_id: number;
  start_date: LocalDate;
  end_date: LocalDate | null;
  frequency: Frequency;
  execution_rule: ExecutionRule;
  day_of_execution: number | null;
  /** Comma-separated. */
  months_of_execution: string | null;
  /** The first occurrence that has no execution yet; null when there is none left. */
  next_index: number | null;
}

/** What a payment transfers: one row, a bulk payment one for each item. Its executions and logical duplicates follow from it (rules.md P7). */
export interface CreditTransferRow {
  id: Generated<number>;
  payment_id: number;
  /** The index of a bulk payment's item, else 0. */
  sequence: number;
  debtor_account_id: number;
  creditor_number: string;
  currency: Currency;
  amount_minor: bigint;
  /** That of its payment, which it follows by a trigger; null for a periodic payment, whose executions carry their own. */
  execution_date: LocalDate | null;
  /** A bulk payment's item as it was sent, as JSON; null: the payment has it. */
  initiation: string | null;
}

export interface BulkPaymentRow {
  payment_id: number;
  number_of_transactions: number;
}

/** The first answer to an initiation, by the X-Request-ID of its TPP (rules.md P9). */
export interface InitiationAnswerRow {
  tpp_id: string;
  request_id: string;
  payment_id: number;
  /** What a repetition must have in common with the first call. */
  fingerprint: string;
  /** The body of the answer, as JSON. */
  answer: string;
}

/** What a SEPA or cross-border payment costs and brings, fixed when it is initiated (rules.md P11). */
export interface ForeignTransferRow {
  payment_id: number;
  /** In the debtor account's currency: what is debited for the amount, and the fee beside it. */
  debit_minor: bigint;
  fee_minor: bigint;
  instructed_minor: bigint;
  instructed_currency: Currency;
  /** What a creditor account of this bank gets, in its own currency. */
  credit_minor: bigint;
  credit_currency: Currency;
  /** The rates between the instructed currency and the other two; null where they are one. */
  debit_rate: string | null;
  credit_rate: string | null;
  quotation_date: LocalDate;
}
