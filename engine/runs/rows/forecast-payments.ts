import { type RawBuilder, sql } from 'kysely';
import type { Currency } from '../../values/money.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { readInParts } from '../../values/lists.ts';
import type { Reader } from '../../ledger/database.ts';
import { keysTable } from '../../ledger/queries.ts';

/** Reads the rows with these keys, by key. */
async function byKey<Row extends { readonly id: number }>(
  keys: readonly number[],
  read: (some: RawBuilder<number>) => Promise<readonly Row[]>,
): Promise<Map<number, Row>> {
  const found = await readInParts(keys, (some) => read(keysTable(some)));
  return new Map(found.map((row) => [row.id, row]));
}

/** A payment as a forecast needs it. */
export interface ForecastPayment {
  readonly id: number;
  readonly resource_id: string;
  /** The requested date, before any closed day moved it; null without one, and for a periodic payment. */
  readonly requested_date: LocalDate | null;
  readonly initiated_at: Instant;
  readonly authorised_at: Instant;
  /** The debtor account's BBAN, else its IBAN, else its name. */
  readonly account: string;
  readonly currency: Currency;
  /** Of a bulk payment null: each item has its own. */
  readonly payee: string | null;
}

/** These payments, by key. */
export function forecastPayments(reader: Reader, paymentIds: readonly number[]): Promise<Map<number, ForecastPayment>> {
  return byKey(paymentIds, async (some) => {
    const { rows } = await sql<ForecastPayment>`
      select payment.id, payment.resource_id, payment.initiated_at, payment.authorised_at, payment_initiation.body ->> '$.requestedExecutionDate' as requested_date,
        payment_initiation.body ->> '$.creditorName' as payee,
        coalesce(account.bban, account.iban, account.name) as account, account.currency
      from payment join payment_initiation on payment_initiation.payment_id = payment.id
        join account on account.id = payment.debtor_account_id
      where payment.id in ${some}`.execute(reader);
    return rows;
  });
}

/** An account of a customer that receives money. */
export interface ForecastCreditor {
  readonly id: number;
  /** Its BBAN, else its IBAN, else its name. */
  readonly account: string;
  readonly currency: Currency;
}

/** These accounts, by key. */
export function forecastCreditors(
  reader: Reader,
  accountIds: readonly number[],
): Promise<Map<number, ForecastCreditor>> {
  return byKey(accountIds, (some) =>
    reader
      .selectFrom('account')
      .select(['id', 'currency', sql<string>`coalesce(bban, iban, name)`.as('account')])
      .where('id', 'in', some)
      .execute(),
  );
}

/** An item of a bulk payment. */
export interface ForecastItem {
  /** The key of its execution. */
  readonly id: number;
  /** Its index in the payment. */
  readonly sequence: number;
  readonly payee: string;
}

/** The items of these executions, by execution. */
export function forecastItems(reader: Reader, executionIds: readonly number[]): Promise<Map<number, ForecastItem>> {
  return byKey(executionIds, async (some) => {
    const { rows } = await sql<ForecastItem>`
      select e.id, e.sequence, c.initiation ->> '$.creditorName' as payee
      from execution e join credit_transfer c on c.payment_id = e.payment_id and c.sequence = e.sequence
      where e.id in ${some}`.execute(reader);
    return rows;
  });
}
