import { sql } from 'kysely';
import { type Flag, keysTable, type RowFrom } from '../../ledger/queries.ts';
import type { Reader } from '../../ledger/database.ts';
import type { PsuContext } from '../../parties/rows/customers.ts';
import type { Payment } from '../../payments/rows/payments.ts';
import { paymentAt } from '../../payments/rules/payment-status.ts';
import type { Instant } from '../../values/instant.ts';

/** An SCA without an outcome, with the PSU and the agreement that its request named, if any. */
export type UnfinishedSca = RowFrom<typeof unfinishedScas>;

/**
 * The SCAs without an outcome whose link was made at this wall time or later, the latest first; `key`: this one alone.
 */
export function unfinishedScas(reader: Reader, madeFrom: Instant, key?: number) {
  return reader
    .selectFrom('sca')
    .leftJoin('customer', 'customer.id', 'sca.customer_id')
    .leftJoin('agreement', 'agreement.id', 'sca.agreement_id')
    .leftJoin('signing_basket', 'signing_basket.id', 'sca.basket_id')
    .selectAll('sca')
    .select([
      'customer.customer_number',
      'customer.name as customer_name',
      // A deleted PSU can no longer answer its SCA.
      sql<Flag>`customer.deleted_at is not null`.as('is_customer_deleted'),
      'agreement.resource_id as agreement_resource_id',
      'signing_basket.resource_id as basket_resource_id',
    ])
    .where('sca.outcome', 'is', null)
    .where('sca.created_at_wall', '>=', madeFrom)
    .$if(key !== undefined, (query) => query.where('sca.id', '=', key ?? 0))
    .orderBy('sca.id', 'desc')
    .execute();
}

/** A payment that an SCA is about, as it reads at the time asked for. */
export type PaymentOfSca = Payment & {
  /** The open signing basket that holds it. */
  readonly open_basket_id: number | null;
  /** The payee's name. Null for a bulk payment, and for one that names none. */
  readonly payee: string | null;
};

/** These payments, and those of these baskets, by key, in the order of the baskets' requests. */
export async function paymentsOfScas(
  reader: Reader,
  { payments, baskets }: { readonly payments: readonly number[]; readonly baskets: readonly number[] },
  now: Instant,
): Promise<Map<number, PaymentOfSca>> {
  const { rows } = await sql<PaymentOfSca>`
    select p.*, (select b.id from basket_payment m join signing_basket b on b.id = m.basket_id
      where m.payment_id = p.id and b.signed_at is null and b.expires_at > ${now} limit 1) as open_basket_id,
      (select i.body ->> '$.creditorName' from payment_initiation i where i.payment_id = p.id) as payee
    from payment p where p.id in ${keysTable(payments)}
      or p.id in (select payment_id from basket_payment where basket_id in ${keysTable(baskets)})`.execute(reader);
  return new Map(rows.map((row) => [row.id, paymentAt(row, now)]));
}

/** The keys of the payments of each basket, in the order of its request. */
export async function basketMembers(reader: Reader, baskets: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await reader
    .selectFrom('basket_payment')
    .select(['basket_id', 'payment_id'])
    .where('basket_id', 'in', keysTable(baskets))
    .orderBy('basket_id')
    .orderBy('position')
    .execute();
  const groups = Map.groupBy(rows, (row) => row.basket_id);
  return new Map([...groups].map(([basket, members]) => [basket, members.map((row) => row.payment_id)]));
}

/** A PSU who may pay from an account in a context (rules.md A4). */
export interface Payer {
  readonly account_id: number;
  readonly customer_id: number;
  readonly customer_number: string;
  readonly customer_name: string;
  readonly context: PsuContext;
  readonly agreement_id: number;
  readonly agreement_resource_id: string;
  readonly agreement_name: string;
}

/**
 * Who may pay from these accounts: in PRIVATE the holder, in CORPORATE those with REGISTER, in the order of the PSUs'
 * creation.
 */
export async function payersOf(reader: Reader, accounts: Iterable<number>): Promise<Payer[]> {
  const wanted = keysTable(accounts);
  const { rows } = await sql<Payer>`
    select a.id as account_id, c.id as customer_id, c.customer_number, c.name as customer_name,
      'PRIVATE' as context, g.id as agreement_id, g.resource_id as agreement_resource_id, g.name as agreement_name
    from account a join customer c on c.id = a.customer_id join agreement g on g.owner_id = c.id
    where a.id in ${wanted} and c.type = 'private' and c.deleted_at is null and g.deleted_at is null
    union all
    select e.account_id, c.id, c.customer_number, c.name, 'CORPORATE', g.id, g.resource_id, g.name
    from engagement e join customer c on c.id = e.customer_id join agreement g on g.id = e.agreement_id
    where e.account_id in ${wanted} and e.may_register = 1 and g.owner_id <> c.id
      and c.type = 'private' and c.deleted_at is null and g.deleted_at is null
    order by 2`.execute(reader);
  return rows;
}

/** Who has signed these payments: the keys of the customers, by that of the payment. */
export async function signersOf(reader: Reader, payments: Iterable<number>): Promise<Map<number, Set<number>>> {
  const rows = await reader
    .selectFrom('signature')
    .select(['payment_id', 'customer_id'])
    .where('payment_id', 'in', keysTable(payments))
    .execute();
  const groups = Map.groupBy(rows, (row) => row.payment_id);
  return new Map([...groups].map(([payment, signed]) => [payment, new Set(signed.map((row) => row.customer_id))]));
}

/**
 * Names of those who may sign a payment and have not, but for a customer by key, in the order of their creation
 * (rules.md A4).
 */
export async function namesOfUnsigned(
  reader: Reader,
  { id, debtor_account_id: account }: Pick<Payment, 'id' | 'debtor_account_id'>,
  except: number | null = null,
): Promise<string[]> {
  const signed = (await signersOf(reader, [id])).get(id);
  const able = (await payersOf(reader, [account])).filter(
    ({ customer_id: payer }) => payer !== except && signed?.has(payer) !== true,
  );
  return [...new Map(able.map((payer) => [payer.customer_id, payer.customer_name])).values()];
}
