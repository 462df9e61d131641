import type { Generated } from 'kysely';
import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';
import type { ExecutionRule } from '../../time/rules/banking-calendar.ts';
import type { Frequency } from '../../time/rules/occurrences.ts';
import type { Currency } from '../../values/money.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { PaymentService, Product } from '../../values/product.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    payment: PaymentRow;
    payment_initiation: PaymentInitiationRow;
    signature: SignatureRow;
    standing_order: StandingOrderRow;
    credit_transfer: CreditTransferRow;
    bulk_payment: BulkPaymentRow;
    foreign_transfer: ForeignTransferRow;
    status_change: StatusChangeRow;
  }
}

export interface PaymentRow {
  id: Generated<number>;
  resource_id: string;
  service: PaymentService;
  product: Product;
  tpp_id: string;
  tpp_name: string;
  customer_id: number;
  debtor_account_id: number;
  status: TransactionStatus;
  /** A banking day (rules.md P3); null for a periodic payment: each of its executions has its own. */
  execution_date: LocalDate | null;
  tpp_redirect_uri: string;
  tpp_session_id: string | null;
  initiated_at: Instant;
  authorised_at: Instant | null;
  /** When the authorised payment counts as received: then, or later (rules.md T4d, T4f). */
  received_at: Instant | null;
  /** From this instant on an ACSC payment has left the payment API: the first run after it settled (rules.md S6). */
  leaves_at: Instant | null;
  cancellation_requested_at: Instant | null;
  /** The corporate agreement under which it is made; null for a PSU's own account, and until a signature decides. */
  agreement_id: number | null;
  /** Shown to the TPP instead of the status until the status changes (rules.md S9b). */
  forced_status: TransactionStatus | null;
  /** When the status was forced; meaningless without one. */
  forced_at: Instant | null;
}

interface PaymentInitiationRow {
  payment_id: number;
  /** The request body as JSON; a bulk payment's without its items, which are in credit_transfer. */
  body: string;
}

/** One PSU's signature under a payment (interface: Multiple signatures). */
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
  /** Index of the first occurrence without an execution; null when none is left. */
  next_index: number | null;
}

/** One transfer: a payment has one, a bulk payment one for each item. Executions and the duplicate check use it (rules.md P7). */
interface CreditTransferRow {
  id: Generated<number>;
  payment_id: number;
  /** The index of a bulk payment's item, else 0. */
  sequence: number;
  debtor_account_id: number;
  creditor_number: string;
  currency: Currency;
  amount_minor: bigint;
  /** A copy of the payment's, kept equal by a trigger; null for a periodic payment. */
  execution_date: LocalDate | null;
  /** A bulk payment's item as sent, as JSON; null otherwise: payment_initiation has the body. */
  initiation: string | null;
}

interface BulkPaymentRow {
  payment_id: number;
  number_of_transactions: number;
}

/** Amounts, fee and rates of a SEPA or cross-border payment, fixed at initiation (rules.md P11). */
export interface ForeignTransferRow {
  payment_id: number;
  /** Debit and fee are in the debtor account's currency. */
  debit_minor: bigint;
  fee_minor: bigint;
  instructed_minor: bigint;
  instructed_currency: Currency;
  /** Credited to a creditor account of this bank, in its currency. */
  credit_minor: bigint;
  credit_currency: Currency;
  /** Units of the debtor's and creditor's currency for one unit instructed; null where the currency is the same. */
  debit_rate: string | null;
  credit_rate: string | null;
  quotation_date: LocalDate;
  /** Null: the execution date (rules.md T4d). */
  value_date: LocalDate | null;
}

/** A line of the history of a payment (rules.md S10). */
export interface StatusChangeRow {
  id: Generated<number>;
  payment_id: number;
  status: TransactionStatus;
  at: Instant;
  wall: Instant;
  cause: string;
}
