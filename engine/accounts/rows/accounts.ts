import { type RawBuilder, sql } from 'kysely';
import { assert } from '../../values/assert.ts';
import { isBban } from '../../values/account-number.ts';
import type { CustomerType } from '../../values/customer-type.ts';
import type { Currency } from '../../values/money.ts';
import type { Instant } from '../../values/instant.ts';
import { readInParts } from '../../values/lists.ts';
import type { NewRow, Reader, Row, Writer } from '../../ledger/database.ts';
import { type Given, prepared, keysIn } from '../../ledger/queries.ts';

export type Account = Row<'account'>;

/** Inserts an account and returns its row. */
export function insertAccount(tx: Writer, account: NewRow<'account'>): Promise<Account> {
  return tx.insertInto('account').values(account).returningAll().executeTakeFirstOrThrow();
}

const byResourceId = prepared((db: Reader, { resourceId }: Given<{ resourceId: string }>) =>
  openCustomerAccounts(db).where('resource_id', '=', resourceId),
);

/** An open customer account by its resource id. */
export async function findAccount(reader: Reader, resourceId: string): Promise<Account | undefined> {
  const [account] = await byResourceId(reader, { resourceId });
  return account;
}

/** An open customer account by its BBAN or, for an account without one, its IBAN. */
export async function accountByNumber(reader: Reader, number: string): Promise<Account | undefined> {
  return (await accountsByNumber(reader, new Set([number]))).get(number);
}

/** One lookup for each index: with `or` between them SQLite would scan all accounts. */
function accountsIn(numbers: RawBuilder<unknown>): RawBuilder<Account> {
  return sql`select * from account where kind = 'customer' and id in (
    select id from account where closed_at is null and bban in ${numbers}
    union all select id from account where closed_at is null and iban in ${numbers})`;
}

const byNumbers = prepared((_db: Reader, { numbers }: Given<{ numbers: string }>) => accountsIn(keysIn(numbers)));

/** For debtor and creditor, as in most payments: reading a JSON list would take longer than the lookup. */
const byTwoNumbers = prepared((_db: Reader, { one, other }: Given<{ one: string; other: string }>) =>
  accountsIn(sql`(${one}, ${other})`),
);

/** The usual case: no number is an IBAN. */
const byTwoBbans = prepared((db: Reader, { one, other }: Given<{ one: string; other: string }>) =>
  openCustomerAccounts(db).where('bban', 'in', [one, other]),
);

/** The open customer accounts among these BBANs and IBANs, keyed by the number asked for. */
export async function accountsByNumber(reader: Reader, numbers: ReadonlySet<string>): Promise<Map<string, Account>> {
  const [one = '', other = one] = numbers;
  const byTwo = isBban(one) && isBban(other) ? byTwoBbans : byTwoNumbers;
  const accounts = await (numbers.size > 2
    ? byNumbers(reader, { numbers: JSON.stringify([...numbers]) })
    : byTwo(reader, { one, other }));
  const found = [
    ...accounts.map((account) => [account.iban, account] as const),
    ...accounts.map((account) => [account.bban, account] as const),
  ];
  return new Map(found.filter((each): each is [string, Account] => each[0] !== null && numbers.has(each[0])));
}

const byKey = prepared((db: Reader, { id }: Given<{ id: number }>) =>
  db.selectFrom('account').selectAll().where('id', '=', id),
);

/** The account with this key, open or closed, of a customer or of the bank. */
export async function accountByKey(reader: Reader, id: number): Promise<Account> {
  const [account] = await byKey(reader, { id });
  assert(account !== undefined, `account ${id} is on the ledger`);
  return account;
}

const typesOf = prepared((db: Reader, { ids }: Given<{ ids: string }>) =>
  db
    .selectFrom('account')
    .innerJoin('customer', 'customer.id', 'account.customer_id')
    .select(['account.id', 'customer.type'])
    .where('account.id', 'in', keysIn<number>(ids)),
);

/** The types of the customers who own these accounts, open or closed, by the accounts' keys. */
export async function customerTypesOf(
  reader: Reader,
  accountIds: readonly number[],
): Promise<Map<number, CustomerType>> {
  const rows = await readInParts(accountIds, (some) => typesOf(reader, { ids: JSON.stringify(some) }));
  return new Map(rows.map(({ id, type }) => [id, type]));
}

/** The open accounts of these customers, the oldest first. */
export function accountsHeldBy(reader: Reader, customerIds: readonly number[]): Promise<Account[]> {
  return openCustomerAccounts(reader).where('customer_id', 'in', customerIds).orderBy('id').execute();
}

/** All customers' open accounts, the oldest first. */
export function customerAccounts(reader: Reader): Promise<Account[]> {
  return openCustomerAccounts(reader).orderBy('id').execute();
}

/** The bank's clearing account of a currency: the other side of money that enters or leaves the bank (rules.md S5). */
export async function clearingAccount(reader: Reader, wanted: Currency): Promise<Account | undefined> {
  const [account] = await clearingOf(reader, { currency: wanted });
  return account;
}

const clearingOf = prepared((db: Reader, { currency }: Given<{ currency: Currency }>) =>
  db.selectFrom('account').selectAll().where('kind', '=', sql.lit('clearing')).where('currency', '=', currency),
);

/** Marks an account as closed at bank time `at`; its row and entries stay. */
export async function markAccountClosed(tx: Writer, id: number, at: Instant): Promise<void> {
  await tx.updateTable('account').set({ closed_at: at }).where('id', '=', id).execute();
}

function openCustomerAccounts(reader: Reader) {
  return reader.selectFrom('account').selectAll().where('kind', '=', 'customer').where('closed_at', 'is', null);
}

/** The open accounts that a customer may read under an agreement: VIEW alone is enough (rules.md A4d). */
export function viewableAccounts(reader: Reader, agreementId: number, customerId: number): Promise<Account[]> {
  return reader
    .selectFrom('engagement')
    .innerJoin('account', 'account.id', 'engagement.account_id')
    .selectAll('account')
    .where('engagement.agreement_id', '=', agreementId)
    .where('engagement.customer_id', '=', customerId)
    .where('engagement.may_view', '=', 1)
    .where('account.closed_at', 'is', null)
    .orderBy('account.id')
    .execute();
}
