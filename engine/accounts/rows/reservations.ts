import { type RawBuilder, sql } from 'kysely';
import type { Reader, Row, Writer } from '../../ledger/database.ts';
import { type Given, insertInOrder, prepared, wideSum, wholeSum, keysIn } from '../../ledger/queries.ts';
import type { LocalDate } from '../../values/local-date.ts';

export type Reservation = Row<'reservation'>;

/** Inserts reservations under one key after the other, and returns the first of these keys. */
export function insertReservations(tx: Writer, reservations: readonly Omit<Reservation, 'id'>[]): Promise<number> {
  const columns = [
    'resource_id',
    'account_id',
    'amount_minor',
    'value_date',
    'booking_date',
    'event',
    'details',
  ] as const;
  const rows = reservations.map((row) => columns.map((column) => row[column]));
  return insertInOrder(tx, 'reservation', { columns, count: rows.length, rowOf: (index) => rows[index] ?? [] });
}

const ofEvents = prepared((db: Reader, { accounts }: Given<{ accounts: string }>) =>
  db
    .selectFrom('reservation')
    .selectAll()
    .where('account_id', 'in', keysIn<number>(accounts))
    .where('event', 'is not', null),
);

/** The reservations that the lives of these accounts made. */
export function reservationsOfLives(reader: Reader, accountIds: readonly number[]): Promise<Reservation[]> {
  return ofEvents(reader, { accounts: JSON.stringify(accountIds) });
}

const reservedBy = prepared(
  (_db: Reader, { accounts }: Given<{ accounts: string }>) =>
    sql<{
      id: number;
      reserved: string | null;
    }>`select value as id, ${reservedOn(sql`value`)} as reserved from json_each(${accounts})`,
);

/** What each of these accounts has reserved, zero or positive, in minor units (rules.md S8b). */
export async function reservedOnAccounts(reader: Reader, accountIds: readonly number[]): Promise<Map<number, bigint>> {
  const rows = await reservedBy(reader, { accounts: JSON.stringify(accountIds) });
  return new Map(rows.map(({ id, reserved }) => [id, -wholeSum(reserved)]));
}

const ofAccount = prepared((db: Reader, { accountId }: Given<{ accountId: number }>) =>
  db.selectFrom('reservation').selectAll().where('account_id', '=', accountId).orderBy('id', 'desc'),
);

/** The reservations of an account, the latest first. */
export function reservationsOf(reader: Reader, accountId: number): Promise<Reservation[]> {
  return ofAccount(reader, { accountId });
}

/** A reservation of an account by its resource id. */
export function findReservation(
  reader: Reader,
  accountId: number,
  resourceId: string,
): Promise<Reservation | undefined> {
  const own = reader.selectFrom('reservation').selectAll().where('account_id', '=', accountId);
  return own.where('resource_id', '=', resourceId).executeTakeFirst();
}

const due = prepared((db: Reader, { day }: Given<{ day: LocalDate }>) =>
  db.selectFrom('reservation').selectAll().where('booking_date', '<=', day).orderBy('booking_date').orderBy('id'),
);

/** The reservations that are to be booked on this day or an earlier one, in the order of their days. */
export function reservationsDue(reader: Reader, day: LocalDate): Promise<Reservation[]> {
  return due(reader, { day });
}

/** All reservations, the oldest first, each with the number and the currency of its account. */
export function allReservations(reader: Reader) {
  return reader
    .selectFrom('reservation')
    .innerJoin('account', 'account.id', 'reservation.account_id')
    .select(['amount_minor', 'value_date', 'booking_date', 'currency'])
    .select(sql<string>`coalesce(bban, iban)`.as('number'))
    .orderBy('reservation.id')
    .execute();
}

const firstBooking = prepared(
  (_db: Reader) =>
    sql<{ date: LocalDate | null }>`select min(booking_date) as date from reservation where booking_date is not null`,
);

/** The earliest booking date of a reservation, or null if none has one. */
export async function earliestBooking(reader: Reader): Promise<LocalDate | null> {
  const [row] = await firstBooking(reader, {});
  return row?.date ?? null;
}

const deleteAll = prepared((tx: Writer, { ids }: Given<{ ids: string }>) =>
  tx.deleteFrom('reservation').where('id', 'in', keysIn<number>(ids)),
);

/** Deletes reservations by key. */
export async function deleteReservations(tx: Writer, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await deleteAll(tx, { ids: JSON.stringify(ids) });
}

/** Replaces the details (JSON) of a reservation. */
export async function saveReservationDetails(tx: Writer, id: number, details: string): Promise<void> {
  await tx.updateTable('reservation').set({ details }).where('id', '=', id).execute();
}

/** SQL value: the sum of the debits reserved on an account, less than zero, as {@link wideSum} formats it, or null. */
export function reservedOn(account: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(select ${wideSum(sql`amount_minor`)} from reservation
    where reservation.account_id = ${account} and amount_minor < 0)`;
}

/** SQL value: the sum of the credits announced to an account, as {@link wideSum} formats it, or null. */
export function announcedTo(account: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(select ${wideSum(sql`amount_minor`)} from reservation
    where reservation.account_id = ${account} and amount_minor > 0)`;
}

const reservedAndAnnounced = prepared(
  (_db: Reader, { accountId }: Given<{ accountId: number }>) =>
    sql<{ reserved: string | null; announced: string | null }>`
    select ${reservedOn(accountId)} as reserved, ${announcedTo(accountId)} as announced`,
);

/** What an account has reserved and what is announced to it, both zero or positive, in minor units (rules.md S8b). */
export async function reservedSums(reader: Reader, accountId: number) {
  const [row] = await reservedAndAnnounced(reader, { accountId });
  return { reserved: -wholeSum(row?.reserved ?? null), announced: wholeSum(row?.announced ?? null) };
}
