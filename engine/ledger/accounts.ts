import { sql, type Insertable, type Selectable } from 'kysely';
import type { Instant } from '../core/instant.ts';
import { rowsTable, type Reader, type Transaction } from './database.ts';
import type { AccountRow } from './tables.ts';

export type Account = Selectable<AccountRow>;

export function insertAccount(tx: Transaction, account: Insertable<AccountRow>): Promise<Account> {
  return tx.insertInto('account').values(account).returningAll().executeTakeFirstOrThrow();
}

/** An open customer account by the id that the interface shows. */
export function findAccount(reader: Reader, resourceId: string): Promise<Account | undefined> {
  return openCustomerAccounts(reader).where('resource_id', '=', resourceId).executeTakeFirst();
}

/** An open customer account by its BBAN or, for an account without one, its IBAN. */
export function accountByNumber(reader: Reader, number: string): Promise<Account | undefined> {
  return openCustomerAccounts(reader)
    .where((eb) => eb.or([eb('bban', '=', number), eb('iban', '=', number)]))
    .executeTakeFirst();
}

/** Of many numbers those that are open customer accounts, each under the number it was asked by. */
export async function accountsByNumber(reader: Reader, numbers: readonly string[]): Promise<Map<string, Account>> {
  const [only, ...others] = numbers;
  if (only === undefined) return new Map();
  if (others.length === 0) {
    const account = await accountByNumber(reader, only);
    return new Map(account === undefined ? [] : [[only, account]]);
  }
  const wanted = sql<string>`(select c0 from ${rowsTable(numbers.map((number) => [number]))})`;
  const byBban = await openCustomerAccounts(reader).where('bban', 'in', wanted).execute();
  const byIban = await openCustomerAccounts(reader).where('iban', 'in', wanted).execute();
  return new Map([
    ...byIban.map((account) => [account.iban ?? '', account] as const),
    ...byBban.map((account) => [account.bban ?? '', account] as const),
  ]);
}

export function accountByKey(reader: Reader, id: number): Promise<Account> {
  return reader.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export function accountsOfCustomer(reader: Reader, customerId: number): Promise<Account[]> {
  return openCustomerAccounts(reader).where('customer_id', '=', customerId).orderBy('id').execute();
}

export function customerAccounts(reader: Reader): Promise<Account[]> {
  return openCustomerAccounts(reader).orderBy('id').execute();
}

/** The bank's own account of a currency: the other side of all that leaves or enters the sandbox (rules.md S5). */
export function clearingAccount(reader: Reader, currency: string): Promise<Account | undefined> {
  return reader
    .selectFrom('account')
    .selectAll()
    .where('kind', '=', 'clearing')
    .where('currency', '=', currency)
    .executeTakeFirst();
}

export async function closeAccount(tx: Transaction, id: number, at: Instant): Promise<void> {
  await tx.updateTable('account').set({ closed_at: at }).where('id', '=', id).execute();
}

function openCustomerAccounts(reader: Reader) {
  return reader.selectFrom('account').selectAll().where('kind', '=', 'customer').where('closed_at', 'is', null);
}
