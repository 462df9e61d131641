import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../ledger/database.ts';
import { products } from '../../values/product.ts';

const isForeign = sql`product in (${sql.lit(products.sepa)}, ${sql.lit(products.crossBorder)})`;

/** Each query returns a row if a row lacks another row that it needs. */
const missing: readonly (readonly [what: string, found: RawBuilder<unknown>])[] = [
  ['there is no state of the bank', sql`select 1 where not exists (select 1 from bank_state)`],
  ['a payment has no body', sql`select 1 from payment where id not in (select payment_id from payment_initiation)`],
  [
    'a payment is no standing order, or another one is',
    sql`select 1 from payment p where (service = 'periodic-payments')
      <> exists (select 1 from standing_order s where s.payment_id = p.id)`,
  ],
  [
    'a payment is no bulk payment, or another one is',
    sql`select 1 from payment p where (service = 'bulk-payments')
      <> exists (select 1 from bulk_payment b where b.payment_id = p.id)`,
  ],
  [
    'a payment has a product that its service does not offer',
    sql`select 1 from payment where service <> 'payments' and product <> ${sql.lit(products.domestic)}`,
  ],
  [
    'a payment has no price, or another one has',
    sql`select 1 from payment p where (${isForeign}) <> exists (select 1 from foreign_transfer f where f.payment_id = p.id)`,
  ],
  [
    'a payment has a body of another service',
    sql`select 1 from payment p join payment_initiation i on i.payment_id = p.id where
      (service = 'periodic-payments') <> (body ->> '$.startDate' is not null)
      or (service = 'bulk-payments') <> (body ->> '$.instructedAmount' is null)`,
  ],
  [
    'a payment has not the transfers that it should',
    sql`select 1 from payment p left join bulk_payment b on b.payment_id = p.id
      left join (select payment_id, count(*) as transfers, max(sequence) as last, count(initiation) as items,
        count(execution_date) as dated from credit_transfer group by payment_id) t on t.payment_id = p.id
      where coalesce(b.number_of_transactions, 1) is not t.transfers or t.last is not t.transfers - 1
        or t.items <> iif(service = 'bulk-payments', t.transfers, 0)
        or t.dated <> iif(service = 'periodic-payments', 0, t.transfers)`,
  ],
  [
    'a payment has an execution date and should have none, or the other way round',
    sql`select 1 from payment where (service = 'periodic-payments') <> (execution_date is null)`,
  ],
  [
    'an execution belongs to no transfer',
    sql`select 1 from execution e join payment p on p.id = e.payment_id where service <> 'periodic-payments'
      and not exists (select 1 from credit_transfer t where t.payment_id = e.payment_id and t.sequence = e.sequence)`,
  ],
  [
    'an execution is of another account, or another product, than its payment',
    sql`select 1 from execution e join payment p on p.id = e.payment_id
      where e.debtor_account_id <> p.debtor_account_id or e.is_foreign <> (${isForeign})`,
  ],
  ['a payment has no history', sql`select 1 from payment where id not in (select payment_id from status_change)`],
  [
    'a run has another instant than its date',
    sql`select 1 from settlement_run where date is not date(at / 1000 + 3600, 'unixepoch')
      and date is not date(at / 1000 + 7200, 'unixepoch')`,
  ],
  [
    'an account of a customer has no number',
    sql`select 1 from account where kind = 'customer' and bban is null and iban is null`,
  ],
  [
    'a reservation is on no open account of a customer',
    sql`select 1 from reservation r join account a on a.id = r.account_id where a.kind <> 'customer' or closed_at is not null`,
  ],
  [
    'a balance is beyond its limit',
    sql`select 1 from account where kind = 'customer' and abs(balance_minor) > 100000000000000000`,
  ],
  [
    'a batch has executions of another payment',
    sql`select 1 from batch b join execution e on e.id = b.leading_execution_id where e.payment_id <> b.payment_id`,
  ],
];

/** Describes the first missing part in a few words, or returns null. */
export async function findMissingPart(reader: Reader): Promise<string | null> {
  for (const [what, found] of missing) {
    const { rows } = await sql`${found} limit 1`.execute(reader);
    if (rows.length > 0) return what;
  }
  return null;
}
