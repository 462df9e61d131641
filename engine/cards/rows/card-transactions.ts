import { sql, type Insertable, type Selectable, type SqlBool } from 'kysely';
import { latestDate, type LocalDate } from '../../values/local-date.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import type { ListWindow } from '../../accounts/rows/transactions.ts';
import type { CardTransactionRow } from './tables.ts';

export type CardTransaction = Selectable<CardTransactionRow>;

/** A page of a card's transactions. The period applies to the transaction date of a pending transaction (rules.md A9). */
interface CardWindow extends ListWindow {
  /** Null for booked and pending transactions. */
  readonly isBooked: boolean | null;
  /** The bank date: what has a later booking date is pending, and the row has none (rules.md D3d). Null: as it was posted. */
  readonly today: LocalDate | null;
}

/** Inserts a card transaction and returns its row. */
export function insertCardTransaction(
  tx: Writer,
  transaction: Insertable<CardTransactionRow>,
): Promise<CardTransaction> {
  return tx.insertInto('card_transaction').values(transaction).returningAll().executeTakeFirstOrThrow();
}

/** The key of the last inserted card transaction, or 0. */
export async function lastCardKey(reader: Reader): Promise<number> {
  const { last } = await reader
    .selectFrom('card_transaction')
    .select((eb) => eb.fn.max<number | null>('id').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Finds one transaction of a card by its cardTransactionId. */
export function findCardTransaction(
  reader: Reader,
  cardAccountId: number,
  cardTransactionId: string,
): Promise<CardTransaction | undefined> {
  return reader
    .selectFrom('card_transaction')
    .selectAll()
    .where('card_account_id', '=', cardAccountId)
    .where('card_transaction_id', '=', cardTransactionId)
    .executeTakeFirst();
}

/** The transactions of a page, the latest first, or the last posted. */
export async function cardTransactions(
  reader: Reader,
  cardAccountId: number,
  window: CardWindow,
): Promise<CardTransaction[]> {
  const { lastKey, after, isByPosting, today } = window;
  const bookedOn = sql<LocalDate | null>`iif(booking_date <= ${today ?? latestDate}, booking_date, null)`;
  const date = sql<LocalDate>`coalesce(${bookedOn}, transaction_date)`;
  let rows = reader.selectFrom('card_transaction').selectAll().where('card_account_id', '=', cardAccountId);
  if (window.isBooked !== null) rows = rows.where(bookedOn, window.isBooked ? 'is not' : 'is', null);
  if (window.from !== null) rows = rows.where(date, '>=', window.from);
  if (window.to !== null) rows = rows.where(date, '<=', window.to);
  if (lastKey !== null) rows = rows.where('id', '<=', lastKey);
  if (after !== null && isByPosting) rows = rows.where('id', '<', after.key);
  if (after !== null && !isByPosting) rows = rows.where(sql<SqlBool>`(${date}, id) < (${after.date}, ${after.key})`);
  if (!isByPosting) rows = rows.orderBy(date, 'desc');
  const found = rows.select(bookedOn.as('bookedOn')).orderBy('id', 'desc').limit(window.limit).offset(window.offset);
  return (await found.execute()).map(({ bookedOn: shown, ...row }) => ({ ...row, booking_date: shown }));
}

/** Deletes one transaction of a card, or all of them. Returns the number of deleted transactions. */
export async function deleteCardTransactions(
  tx: Writer,
  cardAccountId: number,
  cardTransactionId: string | null,
): Promise<number> {
  let rows = tx.deleteFrom('card_transaction').where('card_account_id', '=', cardAccountId);
  if (cardTransactionId !== null) rows = rows.where('card_transaction_id', '=', cardTransactionId);
  return Number((await rows.executeTakeFirstOrThrow()).numDeletedRows);
}
