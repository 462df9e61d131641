import type { Generated } from 'kysely';
import type { Currency } from '../../values/money.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    card_account: CardAccountRow;
    card_transaction: CardTransactionRow;
  }
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
  /** Null while pending; pending too until this day (rules.md D3d). */
  booking_date: LocalDate | null;
  transaction_date: LocalDate;
  /** A purchase is positive, a refund negative (rules.md D5). */
  amount_minor: bigint;
  original_minor: bigint | null;
  original_currency: Currency | null;
  /** JSON: CardTransactionDetails. */
  details: string;
}
