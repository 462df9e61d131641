import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../ledger/database.ts';
import { type Given, keysIn, prepared } from '../../ledger/queries.ts';
import type { ReceivedOrder } from '../../time/rules/cut-offs.ts';
import type { CustomerType } from '../../values/customer-type.ts';
import { readInParts } from '../../values/lists.ts';
import type { Currency } from '../../values/money.ts';
import { products } from '../../values/product.ts';

/** The credit transfers of the payment `p` whose creditor has no open account here in their currency. */
const elsewhere = sql`select 1 from credit_transfer t where t.payment_id = p.id and not exists (
  select 1 from account a where a.bban = t.creditor_number and a.closed_at is null and a.currency = t.currency)`;

const withReference = sql`select 1 from credit_transfer t join payment_initiation i on i.payment_id = t.payment_id
  where t.payment_id = p.id and coalesce(t.initiation, i.body) -> '$.remittanceInformationStructuredArray' is not null`;

/**
 * What the payment `p` is for its cut-off (rules.md T4g), as `orderKey` writes it. A bulk payment is inside the bank if all its items are, and
 * has a structured reference if one has.
 */
export const keyOfOrder: RawBuilder<string> = sql`(select holder.type from account debtor join customer holder on holder.id = debtor.customer_id
    where debtor.id = p.debtor_account_id) || ' ' ||
  case when p.product <> ${sql.lit(products.domestic)} or exists (${elsewhere}) then p.product
    when exists (${withReference}) then 'inside-kid' else 'inside' end || ' ' ||
  coalesce((select f.instructed_currency from foreign_transfer f where f.payment_id = p.id), 'NOK')`;

const keysOf = prepared(
  (_db: Reader, { ids }: Given<{ ids: string }>) => sql<{ id: number; order: string | null }>`
    select p.id, ${keyOfOrder} as "order" from payment p where p.id in ${keysIn(ids)}`,
);

/** What these payments are for their cut-offs, by key. One whose customer was deleted is left out. */
export async function receivedOrders(
  reader: Reader,
  paymentIds: readonly number[],
): Promise<ReadonlyMap<number, ReceivedOrder>> {
  const rows = await readInParts([...new Set(paymentIds)], (some) => keysOf(reader, { ids: JSON.stringify(some) }));
  return new Map(rows.flatMap(({ id, order }) => (order === null ? [] : [[id, orderIn(order)] as const])));
}

function orderIn(key: string): ReceivedOrder {
  const [customer, product = '', currency] = key.split(' ');
  return { customer: customer as CustomerType, product, currency: currency as Currency };
}
