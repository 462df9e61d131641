import { sql } from 'kysely';
import type { Currency } from '../../values/currency.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { readInParts } from '../../values/lists.ts';
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
  const found = await readInParts(paymentIds, async (some) => {
    const { rows } = await sql<ForecastPayment>`
      select payment.id, payment.resource_id, payment.initiated_at, payment_initiation.body ->> '$.requestedExecutionDate' as requested_date,
        coalesce(account.bban, account.iban, account.name) as account, account.currency
      from payment join payment_initiation on payment_initiation.payment_id = payment.id
        join account on account.id = payment.debtor_account_id
      where payment.id in ${keysTable(some)}`.execute(reader);
    return rows;
  });
  return new Map(found.map((row) => [row.id, row]));
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
  const found = await readInParts(accountIds, (some) =>
    reader
      .selectFrom('account')
      .select(['id', 'currency', sql<string>`coalesce(bban, iban, name)`.as('account')])
      .where('id', 'in', keysTable(some))
      .execute(),
  );
  return new Map(found.map((row) => [row.id, row]));
}

/** The sequence of each of these executions in its payment. */
export async function sequencesOf(reader: Reader, executionIds: readonly number[]): Promise<Map<number, number>> {
  const found = await readInParts(executionIds, (some) =>
    reader.selectFrom('execution').select(['id', 'sequence']).where('id', 'in', keysTable(some)).execute(),
  );
  return new Map(found.map(({ id, sequence }) => [id, sequence]));
}
