import type { CashAccountType } from '../../values/customer-type.ts';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Flag } from '../../ledger/queries.ts';
import type { Currency } from '../../values/money.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    account: AccountRow;
    entry: EntryRow;
    batch: BatchRow;
    direct_posting: DirectPostingRow;
    reservation: ReservationRow;
  }
}

export type KidAgreement = 'MOD10' | 'MOD11';

/**
 * Postings without a payment: opening balance, mock transaction, its reversal, last balance of a closed account, correction of a double
 * execution (rules.md R8b).
 */
export type DirectPostingKind = 'opening' | 'transaction' | 'reversal' | 'closing' | 'correction';

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
  cash_account_type: CashAccountType | null;
  credit_line_minor: bigint;
  /** The sum of the account's entries (rules.md S5). */
  balance_minor: bigint;
  kid_agreement: KidAgreement | null;
  signatures_required: number;
  payments_allowed: Flag;
  closed_at: Instant | null;
}

interface EntryRow {
  id: Generated<number>;
  account_id: number;
  /** Credit positive, debit negative. */
  amount_minor: bigint;
  execution_id: number | null;
  direct_posting_id: number | null;
  /** The bank date of the run that books the entry (rules.md S6). */
  booking_date: LocalDate;
  /** The booking date in days since 1970, for the index. */
  booking_day: GeneratedAlways<number>;
  value_date: LocalDate;
  /** The entry is pending before this instant, which is known when it is posted. Null if it is booked at once (rules.md S6). */
  booked_at: Instant | null;
  /** Set on a debit of a bulk payment: account information shows all debits of a batch as one transaction. */
  batch_id: number | null;
  /** True for the fee of a payment, which is a separate entry (rules.md P11). */
  is_fee: Generated<Flag>;
}

/** The transfers of a bulk payment that one run settled. The debtor has one transaction for all; each creditor has one. */
interface BatchRow {
  id: Generated<number>;
  payment_id: number;
  run_at: Instant;
  /** The execution whose debit represents the batch in account information. */
  leading_execution_id: number;
  number_of_transactions: number;
  /** The sum of the debits, as a positive number. */
  amount_minor: bigint;
}

export interface DirectPostingRow {
  id: Generated<number>;
  kind: DirectPostingKind;
  /** JSON of TransactionDetails. */
  details: string;
  reversed_by: number | null;
  /** The event of the account's life that made it, see docs/life.md; null: no life did. */
  event: string | null;
}

/** A transaction that is announced and not posted: money that is reserved, or that will come (rules.md S8b, D3d). */
export interface ReservationRow {
  id: Generated<number>;
  resource_id: string;
  account_id: number;
  /** Credit positive, debit negative; in the account's currency. */
  amount_minor: bigint;
  value_date: LocalDate;
  /** The bank books it as it is at 00:00 of this day. Null: it stays until somebody books or releases it. */
  booking_date: LocalDate | null;
  /** The event of the account's life that made it; null: `/v1/sandbox` made it. */
  event: string | null;
  /** JSON of TransactionDetails. */
  details: string;
}
