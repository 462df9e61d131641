import { sql, type Insertable, type Selectable } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import type { CardAccountRow } from './tables.ts';
import { wholeSum, wideSum } from '../../ledger/queries.ts';

/** A card account with its opening balance less its transactions, in minor units: a purchase is positive (rules.md D5). */
export type CardAccount = Selectable<CardAccountRow> & {
  readonly sum_minor: bigint;
  readonly customer_number: string;
};

/** Inserts a card account and returns it with its sum. */
export async function insertCardAccount(tx: Writer, card: Insertable<CardAccountRow>): Promise<CardAccount> {
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

/** A customer's open card accounts, the oldest first. */
export function cardAccountsOfCustomer(reader: Reader, customerId: number): Promise<CardAccount[]> {
  return cardAccountsHeldBy(reader, [customerId]);
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
