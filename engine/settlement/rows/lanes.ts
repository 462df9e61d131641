import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../ledger/database.ts';
import { type Given, keysIn, prepared } from '../../ledger/queries.ts';
import { type Lane, laneProducts, laneWith } from '../../time/rules/lanes.ts';
import { readInParts } from '../../values/lists.ts';
import { products } from '../../values/product.ts';

/** The credit transfers of the payment `p` whose creditor has no open account here in their currency. */
const elsewhere = sql`select 1 from credit_transfer t where t.payment_id = p.id and not exists (
  select 1 from account a where a.bban = t.creditor_number and a.closed_at is null and a.currency = t.currency)`;

const withReference = sql`select 1 from credit_transfer t join payment_initiation i on i.payment_id = t.payment_id
  where t.payment_id = p.id and coalesce(t.initiation, i.body) -> '$.remittanceInformationStructuredArray' is not null`;

const productNames = sql.join(
  Object.entries(laneProducts).map(([product, name]) => sql`when ${sql.lit(product)} then ${sql.lit(name)}`),
  sql` `,
);

/**
 * The lane of the payment `p` as `laneKey` writes it (rules.md T9, T4g). A bulk payment is inside the bank if all its items are, and has a
 * structured reference if one has.
 */
export const laneOf: RawBuilder<string> = sql`(select holder.type from account debtor join customer holder on holder.id = debtor.customer_id
    where debtor.id = p.debtor_account_id) || ' ' ||
  case when p.product <> ${sql.lit(products.domestic)} or exists (${elsewhere}) then case p.product ${productNames} end
    when exists (${withReference}) then 'inside-kid' else 'inside' end || ' ' ||
  coalesce((select f.instructed_currency from foreign_transfer f where f.payment_id = p.id), 'NOK')`;

const lanesByPayment = prepared(
  (_db: Reader, { ids }: Given<{ ids: string }>) => sql<{ id: number; lane: string }>`
    select p.id, coalesce((select lane from execution e where e.payment_id = p.id limit 1), ${laneOf}) as lane
    from payment p where p.id in ${keysIn(ids)}`,
);

/** The lanes of these payments, by key: those of their executions; of one that nobody has signed the lane that it would get now. */
export async function lanesOf(reader: Reader, paymentIds: readonly number[]): Promise<ReadonlyMap<number, Lane>> {
  const ids = [...new Set(paymentIds)];
  const rows = await readInParts(ids, (some) => lanesByPayment(reader, { ids: JSON.stringify(some) }));
  return new Map(rows.map(({ id, lane }) => [id, laneWith(lane)]));
}
