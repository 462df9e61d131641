import type { Generated, GeneratedAlways } from 'kysely';
import type { ClockMode } from '../time/rules/bank-clock.ts';
import type { Currency } from '../values/currency.ts';
import type { ExecutionRule } from '../time/rules/execution-rule.ts';
import type { Frequency } from '../time/rules/frequency.ts';
import type { Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { ScaOutcome } from '../sca/rules/sca.ts';
import type { AttemptOutcome, ExecutionStatus } from '../settlement/rules/settlement.ts';
import type { TransactionStatus } from '../settlement/rules/transaction-status.ts';
import type { CountedRead } from '../consents/rules/unattended-access.ts';
import type { Flag } from './codec.ts';

/** The rows of migrations/ as the repositories see them. Money is bigint, in columns named *_minor. */
export interface Tables {
  bank_state: BankStateRow;
  customer: CustomerRow;
  account: AccountRow;
  agreement: AgreementRow;
  engagement: EngagementRow;
  psu: PsuRow;
  sca_session: ScaSessionRow;
  consent: ConsentRow;
  consent_account: ConsentAccountRow;
  card_account: CardAccountRow;
  card_transaction: CardTransactionRow;
  consent_card: ConsentCardRow;
  unattended_read: UnattendedReadRow;
  tpp_contact: TppContactRow;
  payment: PaymentRow;
  payment_initiation: PaymentInitiationRow;
  signature: SignatureRow;
  standing_order: StandingOrderRow;
  credit_transfer: CreditTransferRow;
  bulk_payment: BulkPaymentRow;
  initiation_answer: InitiationAnswerRow;
  foreign_transfer: ForeignTransferRow;
  execution: ExecutionRow;
  settlement_run: SettlementRunRow;
  attempt: AttemptRow;
  status_change: StatusChangeRow;
  batch: BatchRow;
  direct_posting: DirectPostingRow;
  entry: EntryRow;
  signing_basket: SigningBasketRow;
  basket_payment: BasketPaymentRow;
  certificate_status: CertificateStatusRow;
  sca: ScaRow;
}

export type PaymentService = 'payments' | 'periodic-payments' | 'bulk-payments';
export type ScaPurpose = 'payment' | 'cancellation' | 'basket' | 'consent' | 'identification';
export type PsuContext = 'PRIVATE' | 'CORPORATE';
export type CustomerType = 'private' | 'corporate';
export type KidAgreement = 'MOD10' | 'MOD11';
/** What moves money without a payment: an opening balance, a mock transaction, its reversal, a closing account's rest. */
export type DirectPostingKind = 'opening' | 'transaction' | 'reversal' | 'closing';

export interface BankStateRow {
  id: 1;
  /** What a reset sets the clock to (rules.md T7). */
  seeded_at: Instant;
  seeded_mode: ClockMode;
  clock_mode: ClockMode;
  /** Running: bank time minus steady time (engine/time/clock.ts), in ms, at the steady clock's clock_since. Frozen: the bank time. */
  clock_value: number;
  /** The times that the runs of this ledger are numbered by, comma-separated (rules.md T4). */
  settlement_times: string;
  /** The last scheduled run passed, empty or not (rules.md T6). */
  last_run_at: Instant;
  /** Executions that settled since the last run: the next run books their entries (rules.md S6). */
  unbooked_executions: number;
  /** Standing orders that the last run completed: the next run takes them out of the payment API (rules.md R9). */
  ended_orders: number;
  /** How many times as fast as the wall clock it runs, from clock_since on. */
  clock_rate: number;
  clock_since: Instant;
  /** The last moment of the steady clock that a writing transaction saw: it starts there again, or later (rules.md T7). */
  clock_seen: Instant;
}

export interface CustomerRow {
  id: Generated<number>;
  resource_id: string;
  customer_number: string;
  name: string;
  type: CustomerType;
  deleted_at: Instant | null;
}

export interface AccountRow {
  id: Generated<number>;
  resource_id: string;
  kind: 'customer' | 'clearing';
  customer_id: number | null;
  name: string;
  bban: string | null;
  iban: string | null;
  currency: Currency;
  product: string | null;
  cash_account_type: string | null;
  credit_line_minor: bigint;
  /** The sum of the account's entries (rules.md S5). */
  balance_minor: bigint;
  kid_agreement: KidAgreement | null;
  signatures_required: number;
  payments_allowed: Flag;
  closed_at: Instant | null;
}

export interface AgreementRow {
  id: Generated<number>;
  resource_id: string;
  owner_id: number;
  name: string;
  deleted_at: Instant | null;
}

export interface EngagementRow {
  id: Generated<number>;
  agreement_id: number;
  customer_id: number;
  account_id: number;
  may_view: Flag;
  may_register: Flag;
}

export interface PsuRow {
  id: Generated<number>;
  psu_id: string;
  tpp_id: string;
  customer_id: number;
  last_sca_at: Instant;
}

export interface ScaSessionRow {
  id: Generated<number>;
  psu_key: number;
  tpp_session_id: string;
  started_at: Instant;
  ended_at: Instant | null;
}

export interface ConsentRow {
  id: Generated<number>;
  psu_key: number;
  agreement_id: number;
  granted_at: Instant;
  ended_at: Instant | null;
}

export interface ConsentAccountRow {
  consent_id: number;
  account_id: number;
}

export interface CardAccountRow {
  id: Generated<number>;
  resource_id: string;
  customer_id: number;
  masked_pan: string;
  name: string;
  product: string | null;
  currency: Currency;
  credit_limit_minor: bigint;
  opening_minor: bigint;
  /** JSON: CardDetails. */
  details: string;
  closed_at: Instant | null;
}

export interface CardTransactionRow {
  id: Generated<number>;
  card_account_id: number;
  card_transaction_id: string;
  /** Null: it is pending. */
  booking_date: LocalDate | null;
  transaction_date: LocalDate;
  amount_minor: bigint;
  original_minor: bigint | null;
  original_currency: Currency | null;
  /** JSON: CardTransactionDetails. */
  details: string;
}

export interface ConsentCardRow {
  consent_id: number;
  card_account_id: number;
}

/** One read of an account without the PSU, as long as it counts (rules.md A8). */
export interface UnattendedReadRow {
  id: Generated<number>;
  psu_key: number;
  /** The resource_id of an account or a card account. */
  account_id: string;
  kind: CountedRead;
  at: Instant;
}

export interface TppContactRow {
  tpp_id: string;
  email: string;
}

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

export interface ExecutionRow {
  id: Generated<number>;
  payment_id: number;
  /** Which execution of its payment: the index of a standing order's occurrence, else 0. */
  sequence: number;
  nominal_date: LocalDate;
  execution_date: LocalDate;
  authorised_at: Instant;
  debtor_account_id: number;
  /** The creditor's BBAN; an account of the sandbox is credited, any other goes to clearing (rules.md S5). */
  creditor_number: string;
  amount_minor: bigint;
  status: ExecutionStatus;
  /** Attempts that found too little money. */
  attempts: number;
  /** Whether a foreign_transfer says what else moves: fee and exchange. */
  is_foreign: Generated<Flag>;
}

export interface SettlementRunRow {
  date: LocalDate;
  number: number;
  at: Instant;
  settled: number;
  retried: number;
  rejected: number;
  booked: number;
  registered: number;
}

export interface AttemptRow {
  execution_id: number;
  number: number;
  /** Null for an instant payment, which waits for no run (rules.md P10). */
  run_date: LocalDate | null;
  run_number: number | null;
  available_minor: bigint;
  needed_minor: bigint;
  outcome: AttemptOutcome;
}

export interface StatusChangeRow {
  id: Generated<number>;
  payment_id: number;
  status: TransactionStatus;
  at: Instant;
  wall: Instant;
  cause: string;
}

/** What one run settled of a bulk payment: one transaction for the debtor, many for the creditors. */
export interface BatchRow {
  id: Generated<number>;
  payment_id: number;
  run_at: Instant;
  /** The execution whose debit stands for the whole batch in account information. */
  leading_execution_id: number;
  number_of_transactions: number;
  /** The sum of the debits, above zero. */
  amount_minor: bigint;
}

export interface DirectPostingRow {
  id: Generated<number>;
  kind: DirectPostingKind;
  /** The interface's members of a mock transaction, as JSON. */
  details: string;
  reversed_by: number | null;
}

export interface EntryRow {
  id: Generated<number>;
  account_id: number;
  /** Credit positive, debit negative. */
  amount_minor: bigint;
  execution_id: number | null;
  direct_posting_id: number | null;
  booking_date: LocalDate;
  /** The booking date in days since 1970, as its index has it. */
  booking_day: GeneratedAlways<number>;
  value_date: LocalDate;
  /** Pending until a run after this instant has passed; null: booked from the start (rules.md S6). */
  awaits_booking_since: Instant | null;
  /** A debit of a bulk payment, shown together with the others of its batch. */
  batch_id: number | null;
  /** The bank's price for the payment, a line of its own (rules.md P11). */
  is_fee: Generated<Flag>;
}

/** Payments that one PSU signs with one SCA (interface: Endpoints, rule 5). */
export interface SigningBasketRow {
  id: Generated<number>;
  resource_id: string;
  tpp_id: string;
  customer_id: number;
  tpp_redirect_uri: string;
  tpp_session_id: string | null;
  created_at: Instant;
  /** From then on it is removed (interface: Limits). */
  expires_at: Instant;
  signed_at: Instant | null;
}

export interface BasketPaymentRow {
  basket_id: number;
  payment_id: number;
  /** In the order of the request. */
  position: number;
}

/** A certificate that the bank no longer takes, by its normalised serial. */
export interface CertificateStatusRow {
  serial: string;
  status: 'blocked' | 'revoked';
  at: Instant;
}

export interface ScaRow {
  id: Generated<number>;
  resource_id: string;
  purpose: ScaPurpose;
  payment_id: number | null;
  basket_id: number | null;
  tpp_id: string;
  tpp_name: string;
  tpp_redirect_uri: string;
  tpp_session_id: string | null;
  /** The PSU whose signature is awaited, where the TPP named one. */
  customer_id: number | null;
  context: PsuContext | null;
  /** The agreement that the request named in PSU-Corporate-ID. */
  agreement_id: number | null;
  created_at_wall: Instant;
  /** National identity numbers that were entered on its page and are not those of a PSU who may sign (rules.md A2c). */
  wrong_numbers: Generated<number>;
  outcome: ScaOutcome | null;
}
