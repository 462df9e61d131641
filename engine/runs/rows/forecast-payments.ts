import { sql } from 'kysely';
import type { Currency } from '../../values/currency.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { inParts } from '../../values/lists.ts';
import { keysTable, type Reader } from '../../ledger/database.ts';

/** A payment as a forecast needs it. */
export interface ForecastPayment {
  readonly id: number;
  readonly resource_id: string;
  /** The requested date, before any closed day moved it; null without one, and for a periodic payment. */
  readonly requested_date: LocalDate | null;
  readonly initiated_at: Instant;
  /** The debtor account's BBAN, else its IBAN, else its name. */
  readonly account: string;
  readonly currency: Currency;
}

/** These payments, by key. */
export async function forecastPayments(
  reader: Reader,
  paymentIds: readonly number[],
): Promise<Map<number, ForecastPayment>> {
  const payments = new Map<number, ForecastPayment>();
  for (const some of inParts(paymentIds)) {
    const { rows } = await sql<ForecastPayment>`
      select payment.id, payment.resource_id, payment.initiated_at, payment_initiation.body ->> '$.requestedExecutionDate' as requested_date,
        coalesce(account.bban, account.iban, account.name) as account, account.currency
      from payment join payment_initiation on payment_initiation.payment_id = payment.id
        join account on account.id = payment.debtor_account_id
      where payment.id in ${keysTable(some)}`.execute(reader);
    for (const row of rows) payments.set(row.id, row);
  }
  return payments;
}

/** An account of a customer that receives money. */
export interface ForecastCreditor {
  readonly id: number;
  /** Its BBAN, else its IBAN, else its name. */
  readonly account: string;
  readonly currency: Currency;
}

/** These accounts, by key. */
export async function forecastCreditors(
  reader: Reader,
  accountIds: readonly number[],
): Promise<Map<number, ForecastCreditor>> {
  const creditors = new Map<number, ForecastCreditor>();
  for (const some of inParts(accountIds)) {
    const rows = await reader
      .selectFrom('account')
      .select(['id', 'currency', sql<string>`coalesce(bban, iban, name)`.as('account')])
      .where('id', 'in', keysTable(some))
      .execute();
    for (const row of rows) creditors.set(row.id, row);
  }
  return creditors;
}

/** The sequence of each of these executions in its payment. */
export async function sequencesOf(reader: Reader, executionIds: readonly number[]): Promise<Map<number, number>> {
  const sequences = new Map<number, number>();
  for (const some of inParts(executionIds)) {
    const rows = await reader
      .selectFrom('execution')
      .select(['id', 'sequence'])
      .where('id', 'in', keysTable(some))
      .execute();
    for (const { id, sequence } of rows) sequences.set(id, sequence);
  }
  return sequences;
}
