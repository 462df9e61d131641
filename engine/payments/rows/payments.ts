import { sql, type Updateable } from 'kysely';
import type { Instant } from '../../values/instant.ts';
import type { TransactionStatus } from '../../values/transaction-status.ts';
import type { FollowingOccurrences } from '../../time/rules/occurrences.ts';
import { assert } from '../../values/assert.ts';
import { inParts, readInParts, groupAlike } from '../../values/lists.ts';
import type { NewRow, Reader, Row, Writer } from '../../ledger/database.ts';
import {
  countIn,
  keyBefore,
  insertRow,
  type Given,
  placesOf,
  prepared,
  keysIn,
  keysTable,
  rowsIn,
  preparedOne,
} from '../../ledger/queries.ts';
import { isOpen } from '../../settlement/rows/executions.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { bulkItemsOf } from './credit-transfers.ts';

export type Payment = Row<'payment'>;
export type StandingOrder = Row<'standing_order'>;

const nextKey = prepared(
  (_tx: Writer, { date }: Given<{ date: LocalDate | null }>) => sql<{ key: number }>`
    select ${keyBefore(date)} + 1 + coalesce((select ${countIn('p')} from payment p order by ${countIn('p')} desc limit 1), 0) as key`,
);

/**
 * Inserts a payment under a key of its execution date, which counts all payments: a standing order, which has none,
 * under the count.
 */
export async function insertPayment(tx: Writer, payment: Omit<Payment, 'id'>): Promise<Payment> {
  const [next] = await nextKey(tx, { date: payment.execution_date });
  assert(next !== undefined, 'a key is a row');
  return { ...payment, id: await insertRow(tx, 'payment', { id: next.key, ...payment }) };
}

/** The place of a payment in the order of signatures (rules.md T9): its own, or the next one. */
const ownOrNextPlace = sql<number>`coalesce(place, 1 + coalesce((select max(place) from payment where place is not null), 0))`;

/**
 * Columns of a payment that change. `next`: it takes its place in the order of signatures, which it then keeps
 * (rules.md T9).
 */
export interface PaymentUpdate extends Omit<Updateable<Row<'payment'>>, 'place'> {
  readonly place?: 'next';
}

export async function insertStandingOrder(tx: Writer, order: NewRow<'standing_order'>): Promise<void> {
  await insertRow(tx, 'standing_order', order);
}

export const findPayment = preparedOne((db: Reader, { resourceId }: Given<{ resourceId: string }>) =>
  db.selectFrom('payment').selectAll().where('resource_id', '=', resourceId),
);

const byKey = prepared((db: Reader, { id }: Given<{ id: number }>) =>
  db.selectFrom('payment').selectAll().where('id', '=', id),
);

export async function paymentByKey(reader: Reader, id: number): Promise<Payment> {
  const [payment] = await byKey(reader, { id });
  assert(payment !== undefined, `payment ${id} is on the ledger`);
  return payment;
}

type ChangedColumns = Omit<Payment, 'id' | 'place'>;

/** The statements of {@link updatePayment} by their columns: callers change a few sets of them. */
const updates = new Map<string, ReturnType<typeof updateOf>>();

function updateOf(columns: readonly (keyof ChangedColumns)[], hasPlace: boolean) {
  return prepared((tx: Writer, given: Given<ChangedColumns & { id: number }>) =>
    tx
      .updateTable('payment')
      .set({ ...placesOf(given, columns), ...(hasPlace && { place: ownOrNextPlace }) })
      .where('id', '=', given.id)
      .returningAll(),
  );
}

/** Updates a payment and returns the new row. */
export async function updatePayment(tx: Writer, id: number, { place, ...change }: PaymentUpdate): Promise<Payment> {
  const columns = Object.keys(change) as (keyof ChangedColumns)[];
  const key = `${columns.join()} ${place}`;
  let update = updates.get(key);
  if (update === undefined) updates.set(key, (update = updateOf(columns, place === 'next')));
  const [payment] = await update(tx, { ...(change as ChangedColumns), id });
  assert(payment !== undefined, `payment ${id} is on the ledger`);
  return payment;
}

/** Id and TPP of a payment. */
export type NamedPayment = Pick<Payment, 'resource_id' | 'tpp_id'>;

/** Finds the ids of payments and their TPPs by their keys. */
export async function namedPayments(reader: Reader, keys: readonly number[]): Promise<(key: number) => NamedPayment> {
  const found = await readInParts(keys, (some) =>
    reader.selectFrom('payment').select(['id', 'resource_id', 'tpp_id']).where('id', 'in', keysTable(some)).execute(),
  );
  const names = new Map<number, NamedPayment>(found.map(({ id, ...name }) => [id, name]));
  return (key) => {
    const name = names.get(key);
    assert(name !== undefined, `payment ${key} is on the ledger`);
    return name;
  };
}

interface NewPaymentStatus extends Pick<Payment, 'status' | 'leaves_at'> {
  /** The keys of the payments, as JSON. */
  readonly ids: string;
}

const updateStatuses = prepared(
  (_tx: Writer, { status, leaves_at, ids }: Given<NewPaymentStatus>) =>
    sql`update or fail payment set status = ${status}, leaves_at = ${leaves_at}, forced_status = null
      where id in ${keysIn(ids)}`,
);

/** Updates the statuses of many payments; those that become ACSC leave the payment API at `leavesAt`. */
export async function updatePaymentStatuses(
  tx: Writer,
  changes: readonly { paymentId: number; status: TransactionStatus }[],
  leavesAt: Instant | null,
): Promise<void> {
  for (const [status, alike] of Map.groupBy(changes, (change) => change.status)) {
    for (const some of inParts(alike)) {
      const ids = JSON.stringify(some.map(({ paymentId }) => paymentId));
      await updateStatuses(tx, { status, leaves_at: status === 'ACSC' ? leavesAt : null, ids });
    }
  }
}

/** Removes from the payment API the ended standing orders of an account that stayed readable (rules.md R9c). */
export async function removeEndedOrders(tx: Writer, accountId: number, at: Instant): Promise<void> {
  await tx
    .updateTable('payment')
    .set({ leaves_at: at })
    .where('id', 'in', tx.selectFrom('standing_order').select('payment_id'))
    .where('debtor_account_id', '=', accountId)
    .where('status', '=', 'ACSC')
    .where('leaves_at', 'is', null)
    .execute();
}

export async function standingOrderOf(reader: Reader, paymentId: number): Promise<StandingOrder> {
  const [order] = await standingOrdersOf(reader, [paymentId]);
  assert(order !== undefined, `payment ${paymentId} is a standing order`);
  return order;
}

const standingOrders = prepared((db: Reader, { ids }: Given<{ ids: string }>) =>
  db.selectFrom('standing_order').selectAll().where('payment_id', 'in', keysIn<number>(ids)).orderBy('payment_id'),
);

/** These standing orders. */
export function standingOrdersOf(reader: Reader, paymentIds: readonly number[]): Promise<StandingOrder[]> {
  return readInParts(paymentIds, (some) => standingOrders(reader, { ids: JSON.stringify(some) }));
}

const updateIndexes = prepared(
  (_tx: Writer, { indexes }: Given<{ indexes: string }>) =>
    sql`update standing_order set next_index = rows.c1 from ${rowsIn(indexes, 2)} where payment_id = rows.c0`,
);

/** Stores the index of the first unscheduled occurrence of each of these signed orders, or null if none is left. */
export async function saveNextIndexes(
  tx: Writer,
  orders: readonly Pick<FollowingOccurrences, 'paymentId' | 'nextIndex'>[],
): Promise<void> {
  for (const some of inParts(orders)) {
    const indexes = JSON.stringify(some.map(({ paymentId, nextIndex }) => [paymentId, nextIndex]));
    await updateIndexes(tx, { indexes });
  }
}

/** Whether any payment was ever initiated; after that the clock cannot be set back. */
export async function anyPayment(reader: Reader): Promise<boolean> {
  return (await reader.selectFrom('payment').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * That a row of `payment` is not over. The first conditions must equal those of the partial index `payment_unfinished`,
 * or SQLite does not use it. A payment in PART is finished when no item is open (rules.md S9b).
 */
export const isUnfinished = sql<boolean>`payment.status <> 'ACSC' and payment.status <> 'RJCT' and payment.status <> 'CANC'
  and (payment.status <> 'PART'
  or exists (select 1 from execution open where open.payment_id = payment.id and ${isOpen('open')}))`;

/**
 * Selects payments: those from an account, those under an agreement, or those that a customer initiated or signed from
 * any account.
 */
export type PaymentsOf =
  | { readonly accountId: number }
  | { readonly agreementId: number }
  | { readonly customerId: number };

/** The selected payments that are not final, periodic ones included, in the order of initiation. */
export function unfinishedPayments(reader: Reader, of: PaymentsOf): Promise<Payment[]> {
  const unfinished = reader.selectFrom('payment').selectAll().where(isUnfinished).orderBy(countIn('payment'));
  if ('accountId' in of) return unfinished.where('debtor_account_id', '=', of.accountId).execute();
  if ('agreementId' in of) return unfinished.where('agreement_id', '=', of.agreementId).execute();
  const { customerId } = of;
  const signed = reader.selectFrom('signature').select('payment_id').where('customer_id', '=', customerId);
  return unfinished.where((eb) => eb.or([eb('customer_id', '=', customerId), eb('id', 'in', signed)])).execute();
}

/**
 * Sets the amount of a payment's credit transfer, from which the logical duplicate check takes it (rules.md P14, P7).
 */
export async function changeTransferAmount(tx: Writer, paymentId: number, minor: bigint): Promise<void> {
  await tx.updateTable('credit_transfer').set({ amount_minor: minor }).where('payment_id', '=', paymentId).execute();
}

/** Stores the request body as JSON, a bulk payment's without its items: those are stored with their transfers. */
export const insertInitiation = prepared(
  (tx: Writer, { paymentId, body }: Given<{ paymentId: number; body: string }>) =>
    tx.insertInto('payment_initiation').values({ payment_id: paymentId, body }),
);

/** The stored body of a payment as JSON, a bulk payment's without its items. */
export async function storedInitiation(reader: Reader, paymentId: number): Promise<string> {
  const { body } = await reader
    .selectFrom('payment_initiation')
    .select('body')
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  return body;
}

const storedRequestedDate = prepared(
  (_db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
    sql<{ requested: LocalDate | null }>`select body ->> '$.requestedExecutionDate' as requested
      from payment_initiation where payment_id = ${paymentId}`,
);

/** The requested date in the body of a single or bulk payment, or null. */
export async function requestedDateOf(reader: Reader, paymentId: number): Promise<LocalDate | null> {
  const [row] = await storedRequestedDate(reader, { paymentId });
  return row?.requested ?? null;
}

/** The body of a payment as the TPP sent it, as JSON, with the items of a bulk payment. */
export async function wholeInitiationOf(reader: Reader, { id, service }: Payment): Promise<string> {
  const body = await storedInitiation(reader, id);
  if (service !== 'bulk-payments') return body;
  const items = await bulkItemsOf(reader, id);
  // Joined as text: parsing and serialising ten thousand items would change nothing.
  return `${body.slice(0, -1)},"payments":[${items.join(',')}]}`;
}

export async function changeInitiation(tx: Writer, paymentId: number, body: string): Promise<void> {
  await tx.updateTable('payment_initiation').set({ body }).where('payment_id', '=', paymentId).execute();
}

export interface NewStatusChange {
  readonly paymentId: number;
  readonly status: TransactionStatus;
  readonly cause: string;
}

type Change = Pick<Row<'status_change'>, 'status' | 'at' | 'wall' | 'cause'>;

const insertAlike = prepared(
  (_tx: Writer, { status, at, wall, cause, ids }: Given<Change & { ids: string }>) =>
    sql`insert into status_change (payment_id, status, at, wall, cause)
      select value, ${status}, ${at}, ${wall}, ${cause} from ${keysIn(ids)} order by value`,
);

/** Stores status changes, at most one for each payment, with bank time and wall time (rules.md S10). */
export async function insertStatusChanges(
  tx: Writer,
  changes: readonly NewStatusChange[],
  at: Instant,
  wall: Instant,
): Promise<void> {
  const keyOf = ({ status, cause }: NewStatusChange): string => `${status} ${cause}`;
  const isAlike = (one: NewStatusChange, other: NewStatusChange): boolean =>
    one.status === other.status && one.cause === other.cause;
  for (const group of groupAlike(changes, keyOf, isAlike)) {
    const [first] = group;
    if (first === undefined) continue;
    const { status, cause } = first;
    if (group.length === 1) {
      await insertRow(tx, 'status_change', { payment_id: first.paymentId, status, at, wall, cause });
      continue;
    }
    for (const some of inParts(group)) {
      const ids = JSON.stringify(some.map(({ paymentId }) => paymentId));
      await insertAlike(tx, { status, at, wall, cause, ids });
    }
  }
}

/** A payment's status changes, the oldest first. */
export const statusChangesOf = prepared((db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
  db.selectFrom('status_change').selectAll().where('payment_id', '=', paymentId).orderBy('id'),
);
