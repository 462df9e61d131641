import { sql, type Insertable, type Selectable } from 'kysely';
import type { Instant } from '../core/instant.ts';
import type { Reader, Transaction } from './database.ts';
import type { CardAccountRow } from './tables.ts';

/** A card account with the sum of its opening balance and its transactions, in minor units. */
export type CardAccount = Selectable<CardAccountRow> & {
  readonly sum_minor: bigint;
  readonly customer_number: string;
};

export async function insertCardAccount(tx: Transaction, card: Insertable<CardAccountRow>): Promise<CardAccount> {
  const { id } = await tx.insertInto('card_account').values(card).returning('id').executeTakeFirstOrThrow();
  return openCards(tx).where('card_account.id', '=', id).executeTakeFirstOrThrow();
}

/** An open card account by the id that the interface shows. */
export function findCardAccount(reader: Reader, resourceId: string): Promise<CardAccount | undefined> {
  return openCards(reader).where('card_account.resource_id', '=', resourceId).executeTakeFirst();
}

export function allCardAccounts(reader: Reader): Promise<CardAccount[]> {
  return openCards(reader).orderBy('card_account.id').execute();
}

export function cardAccountsOfCustomer(reader: Reader, customerId: number): Promise<CardAccount[]> {
  return openCards(reader).where('card_account.customer_id', '=', customerId).orderBy('card_account.id').execute();
}

/** The open card accounts that a consent covers. */
export function cardAccountsOfConsent(reader: Reader, consentId: number): Promise<CardAccount[]> {
  return openCards(reader)
    .where('card_account.id', 'in', (eb) =>
      eb.selectFrom('consent_card').select('card_account_id').where('consent_id', '=', consentId),
    )
    .orderBy('card_account.id')
    .execute();
}

export async function closeCardAccount(tx: Transaction, id: number, at: Instant): Promise<void> {
  await tx.updateTable('card_account').set({ closed_at: at }).where('id', '=', id).execute();
}

function openCards(reader: Reader) {
  const spent = sql<bigint>`opening_minor + coalesce(
    (select sum(amount_minor) from card_transaction where card_account_id = card_account.id), 0)`;
  return reader
    .selectFrom('card_account')
    .innerJoin('customer', 'customer.id', 'card_account.customer_id')
    .selectAll('card_account')
    .select(['customer.customer_number', spent.as('sum_minor')])
    .where('card_account.closed_at', 'is', null);
}
