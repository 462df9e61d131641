import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Reader } from '../../ledger/database.ts';
import { type Flag, type Given, keysIn, prepared } from '../../ledger/queries.ts';
import { isOpen } from '../../settlement/rows/executions.ts';
import { type Lane, laneWith } from '../../time/rules/lanes.ts';
import type { Schedule } from '../../time/rules/occurrences.ts';
import { assert } from '../../values/assert.ts';
import type { CustomerType } from '../../values/customer-type.ts';
import type { Instant } from '../../values/instant.ts';
import { readInParts } from '../../values/lists.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { type Currency, limitOf } from '../../values/money.ts';
import { isForeign, isInstant, type Product, products } from '../../values/product.ts';
import { requestedDay } from '../rules/check-dates.ts';
import type { Order } from '../rules/plan.ts';
import { type StandingOrder, standingOrdersOf } from './payments.ts';

/** What is ordered by a payment, and what is stored of it since its signature. */
export interface OrderOfPayment {
  readonly id: number;
  readonly order: Order;
  readonly executionDate: LocalDate | null;
  /** Null while nobody has signed it. */
  readonly signed: { readonly at: Instant; readonly receivedAt: Instant; readonly lane: Lane } | null;
  /** The first occurrence of a standing order without an execution. */
  readonly nextIndex: number | null;
}

/** What {@link orderColumns} gives. */
export interface OrderRow {
  readonly id: number;
  readonly product: Product;
  readonly customer: CustomerType;
  readonly is_single: Flag;
  readonly requested: LocalDate | null;
  readonly initiated_at: Instant;
  readonly execution_date: LocalDate | null;
  readonly authorised_at: Instant | null;
  readonly received_at: Instant | null;
  readonly lane: string | null;
  readonly is_own: Flag;
  /** Whether it has a structured reference. Null: it leaves the bank. */
  readonly has_reference: Flag | null;
  readonly settles_now: Flag;
  readonly debtor_currency: Currency;
  readonly instructed_minor: bigint | null;
  readonly instructed_currency: Currency | null;
  readonly credit_currency: Currency | null;
}

/** That `account` is the open account here to which a domestic transfer goes. */
const takes = (account: string, transfer: string): RawBuilder<SqlBool> =>
  sql.raw(`${account}.bban = ${transfer}.creditor_number
  and ${account}.closed_at is null and ${account}.currency = ${transfer}.currency`);

/** Whether a transfer of `p` leaves the bank. */
const leaves = sql`(p.product <> ${sql.lit(products.domestic)} or creditor.id is null
  or (p.service = 'bulk-payments' and exists (select 1 from credit_transfer item
    where item.payment_id = p.id and not exists (select 1 from account own where ${takes('own', 'item')}))))`;

const reference = sql.lit('$.remittanceInformationStructuredArray');
const withReference = sql`(i.body -> ${reference} is not null or (p.service = 'bulk-payments'
  and exists (select 1 from credit_transfer item where item.payment_id = p.id and item.initiation -> ${reference} is not null)))`;

/**
 * Whether the debtor account can pay the transfer `t` now, and the creditor account hold it (rules.md S4, S8b, P4).
 * Null if it leaves the bank.
 */
const settlesNow = sql`debtor.balance_minor + debtor.credit_line_minor + coalesce((select sum(r.amount_minor) from reservation r
  where r.account_id = debtor.id and r.amount_minor < 0), 0) >= t.amount_minor
  and creditor.balance_minor <= ${sql.raw(String(limitOf('customer')))} - t.amount_minor`;

/** The lane of a signed payment `p`. */
export const laneOfPayment = sql`(select e.lane from execution e where e.payment_id = p.id limit 1)`;

/** The columns of {@link orderTables} that make an order. */
export const orderColumns = sql`p.id, p.product, holder.type as customer, p.service = 'payments' as is_single,
  i.body ->> '$.requestedExecutionDate' as requested, p.initiated_at, p.execution_date, p.authorised_at, p.received_at,
  ${laneOfPayment} as lane,
  case when not ${leaves} then ${withReference} end as has_reference,
  coalesce(creditor.customer_id = debtor.customer_id, 0) as is_own, coalesce(${settlesNow}, 0) as settles_now,
  debtor.currency as debtor_currency, f.instructed_minor, f.instructed_currency, f.credit_currency`;

/** A row for each payment `p`, with its first transfer `t` and the account here that takes it. */
export const orderTables = sql`payment p join payment_initiation i on i.payment_id = p.id
  join account debtor on debtor.id = p.debtor_account_id join customer holder on holder.id = debtor.customer_id
  left join foreign_transfer f on f.payment_id = p.id join credit_transfer t on t.payment_id = p.id and t.sequence = 0
  left join account creditor on ${takes('creditor', 't')}`;

const orderRows = prepared(
  (_db: Reader, { ids }: Given<{ ids: string }>) =>
    sql<OrderRow>`select ${orderColumns} from ${orderTables} where p.id in ${keysIn(ids)}`,
);

/** The order of a payment; `payment`: its key, or the row that was read. */
export async function orderIn(reader: Reader, payment: number | OrderRow): Promise<OrderOfPayment> {
  const [found] = typeof payment === 'number' ? await ordersOf(reader, [payment]) : await ordersIn(reader, [payment]);
  assert(found !== undefined, 'the payment is on the ledger');
  return found;
}

/** The orders of these payments. */
export async function ordersOf(reader: Reader, paymentIds: readonly number[]): Promise<OrderOfPayment[]> {
  return ordersIn(reader, await readInParts(paymentIds, (some) => orderRows(reader, { ids: JSON.stringify(some) })));
}

async function ordersIn(reader: Reader, rows: readonly OrderRow[]): Promise<OrderOfPayment[]> {
  const periodic = rows.filter(({ execution_date: date }) => date === null).map(({ id }) => id);
  const standing = periodic.length === 0 ? [] : await standingOrdersOf(reader, periodic);
  const standingOf = new Map(standing.map((each) => [each.payment_id, each]));
  return rows.map((row) => orderOfRow(row, standingOf.get(row.id)));
}

function orderOfRow(row: OrderRow, standing: StandingOrder | undefined): OrderOfPayment {
  const { id, product, has_reference: reference } = row;
  return {
    id,
    order: {
      customer: row.customer,
      product,
      isSingle: row.is_single === 1,
      wanted: standing === undefined ? requestedDay(row.requested, row.initiated_at) : scheduleOfOrder(standing),
      inside: reference === null ? null : { isOwn: row.is_own === 1, hasReference: reference === 1 },
      foreign: foreignIn(row),
      settlesNow: isInstant(product) || row.settles_now === 1,
    },
    executionDate: row.execution_date,
    signed: signedIn(row),
    nextIndex: standing?.next_index ?? null,
  };
}

/** What is stored of a payment at its signature. */
export function signedIn(row: Pick<OrderRow, 'authorised_at' | 'received_at' | 'lane'>): OrderOfPayment['signed'] {
  const { authorised_at: at, received_at: receivedAt, lane } = row;
  return at === null || receivedAt === null || lane === null ? null : { at, receivedAt, lane: laneWith(lane) };
}

function foreignIn(row: OrderRow): Order['foreign'] {
  const { product, instructed_minor: minor, instructed_currency: currency, debtor_currency: debtorCurrency } = row;
  if (minor === null || currency === null || !isForeign(product)) return null;
  return { product, instructed: { minor, currency }, debtorCurrency, creditorCurrency: row.credit_currency };
}

/** The schedule in the row of a standing order. */
export function scheduleOfOrder(order: StandingOrder): Schedule {
  return {
    startDate: order.start_date,
    endDate: order.end_date,
    frequency: order.frequency,
    executionRule: order.execution_rule,
    dayOfExecution: order.day_of_execution,
    monthsOfExecution: order.months_of_execution?.split(',').map(Number) ?? null,
  };
}

// With the sign SQLite reads what is open. Without it, SQLite reads all executions in the order of their payments.
const openTo = prepared(
  (_db: Reader, { bban }: Given<{ bban: string }>) => sql<{ id: number }>`
    select distinct +e.payment_id as id from execution e where ${isOpen('e')} and exists (select 1 from credit_transfer t
      where t.payment_id = e.payment_id and t.creditor_number = ${bban})`,
);

/** The payments with open executions to an account with this BBAN. */
export async function openPaymentsTo(reader: Reader, bban: string): Promise<number[]> {
  return (await openTo(reader, { bban })).map(({ id }) => id);
}
