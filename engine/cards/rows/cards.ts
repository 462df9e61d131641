import { sql, type SqlBool } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { NewRow, Reader, Row, Writer } from '../../ledger/database.ts';
import { wholeSum, wideSum } from '../../ledger/queries.ts';
import { latestDate, type LocalDate } from '../../values/local-date.ts';
import type { ListWindow } from '../../accounts/rows/transactions.ts';

/**
 * A card account with its opening balance less its transactions, in minor units: a purchase is positive (rules.md D5).
 */
export type CardAccount = Row<'card_account'> & {
  readonly sum_minor: bigint;
  readonly customer_number: string;
};

/** Inserts a card account and returns it with its sum. */
export async function insertCardAccount(tx: Writer, card: NewRow<'card_account'>): Promise<CardAccount> {
  const { id } = await tx.insertInto('card_account').values(card).returning('id').executeTakeFirstOrThrow();
  return withSum(await openCards(tx).where('card_account.id', '=', id).executeTakeFirstOrThrow());
}

/** An open card account by its resource id. */
export async function findCardAccount(reader: Reader, resourceId: string): Promise<CardAccount | undefined> {
  const row = await openCards(reader).where('card_account.resource_id', '=', resourceId).executeTakeFirst();
  return row && withSum(row);
}

/** All open card accounts, the oldest first. */
export async function allCardAccounts(reader: Reader): Promise<CardAccount[]> {
  return (await openCards(reader).orderBy('card_account.id').execute()).map(withSum);
}

/** The open card accounts of these customers, the oldest first. */
export async function cardAccountsHeldBy(reader: Reader, customerIds: readonly number[]): Promise<CardAccount[]> {
  const owned = openCards(reader).where('card_account.customer_id', 'in', customerIds);
  return (await owned.orderBy('card_account.id').execute()).map(withSum);
}

/** The open card accounts that a consent covers. */
export async function cardAccountsOfConsent(reader: Reader, consentId: number): Promise<CardAccount[]> {
  const covered = openCards(reader).where('card_account.id', 'in', (eb) =>
    eb.selectFrom('consent_card').select('card_account_id').where('consent_id', '=', consentId),
  );
  return (await covered.orderBy('card_account.id').execute()).map(withSum);
}

/** Marks a card account as closed at bank time `at`. */
export async function markCardAccountClosed(tx: Writer, id: number, at: Instant): Promise<void> {
  await tx.updateTable('card_account').set({ closed_at: at }).where('id', '=', id).execute();
}

function openCards(reader: Reader) {
  const ofCard = sql`from card_transaction where card_account_id = card_account.id`;
  return reader
    .selectFrom('card_account')
    .innerJoin('customer', 'customer.id', 'card_account.customer_id')
    .selectAll('card_account')
    .select([
      'customer.customer_number',
      sql<string | null>`(select ${wideSum(sql`amount_minor`)} ${ofCard})`.as('spent'),
    ])
    .where('card_account.closed_at', 'is', null);
}

function withSum({ spent, ...card }: Omit<CardAccount, 'sum_minor'> & { readonly spent: string | null }): CardAccount {
  return { ...card, sum_minor: card.opening_minor - wholeSum(spent) };
}

export type CardTransaction = Row<'card_transaction'>;

/**
 * A page of a card's transactions. The period applies to the transaction date of a pending transaction (rules.md A9).
 */
interface CardWindow extends ListWindow {
  /** Null for booked and pending transactions. */
  readonly isBooked: boolean | null;
  /**
   * The bank date: what has a later booking date is pending, and the row has none (rules.md D3d). Null means as it was
   * posted.
   */
  readonly today: LocalDate | null;
}

/** Inserts a card transaction and returns its row. */
export function insertCardTransaction(tx: Writer, transaction: NewRow<'card_transaction'>): Promise<CardTransaction> {
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
