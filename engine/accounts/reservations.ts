import type { Ids } from '../bank/ids.ts';
import { ensureClearing, hasRoom, postDirectly, requireRoom } from './post.ts';
import { accountByKey, type Account } from './rows/accounts.ts';
import {
  deleteReservations,
  insertReservations,
  reservationsDue,
  reservationsOf,
  reservedSums,
  type Reservation,
} from './rows/reservations.ts';
import type { TransactionDetails } from './rules/transaction-details.ts';
import type { Writer } from '../ledger/database.ts';
import type { LocalDate } from '../values/local-date.ts';

/** A transaction to announce on an account (rules.md S8b, D3d). */
interface WantedReservation {
  /** Minor units of the account's currency, not zero: a debit is reserved, a credit is announced. */
  readonly amount: bigint;
  readonly valueDate: LocalDate;
  /** The bank books it as it is at 00:00 of this day (D3d). Without a day it stays until it is booked or released. */
  readonly bookingDate: LocalDate | null;
  /** Names it among those of its account, for a life. */
  readonly event: string | null;
  /** JSON of TransactionDetails. */
  readonly details: string;
}

/**
 * Announces a transaction without posting it: a debit lowers `interimAvailable`, `expected` and the funds of runs, a
 * credit raises `expected` (rules.md S8b). `account` must be the current row in this transaction, of a customer and
 * open. FORMAT_ERROR if its balance with all that is reserved, or announced, would be beyond 10^17 minor units (P4).
 */
export async function reserve(ids: Ids, tx: Writer, account: Account, wanted: WantedReservation): Promise<Reservation> {
  const { amount, valueDate, bookingDate, event, details } = wanted;
  const { reserved, announced } = await reservedSums(tx, account.id);
  requireRoom(account, amount < 0n ? amount - reserved : amount + announced);
  const row = {
    resource_id: ids.resourceId(),
    account_id: account.id,
    amount_minor: amount,
    value_date: valueDate,
    booking_date: bookingDate,
    event,
    details,
  };
  return { ...row, id: await insertReservations(tx, [row]) };
}

/** A purchase that a life announces. */
interface LifeReservation extends Pick<WantedReservation, 'amount' | 'valueDate'> {
  readonly resourceId: string;
  readonly accountId: number;
  readonly event: string;
  readonly details: TransactionDetails;
}

/**
 * Announces what lives do, all at once (rules.md S8b): new reservations in their order, and the keys of those that end.
 * The caller checks the limits of balances (P4).
 */
export async function changeReservations(
  tx: Writer,
  { begun, ended }: { readonly begun: readonly LifeReservation[]; readonly ended: readonly number[] },
): Promise<void> {
  await deleteReservations(tx, ended);
  const rows = begun.map(({ resourceId, accountId, amount, valueDate, event, details }) => ({
    resource_id: resourceId,
    account_id: accountId,
    amount_minor: amount,
    value_date: valueDate,
    booking_date: null,
    event,
    details: JSON.stringify(details),
  }));
  if (rows.length > 0) await insertReservations(tx, rows);
}

/** Ends reservations without a booking: they are released, or lapse (rules.md S8b). */
export function releaseReservations(tx: Writer, reservations: readonly Pick<Reservation, 'id'>[]): Promise<void> {
  return deleteReservations(
    tx,
    reservations.map(({ id }) => id),
  );
}

/** Ends the reservations of an account, which is closed. */
export async function releaseAll(tx: Writer, accountId: number): Promise<void> {
  await releaseReservations(tx, await reservationsOf(tx, accountId));
}

/**
 * Books every reservation whose booking date has come, as it is (rules.md D3d). One that would take a balance beyond
 * its limit (P4) lapses, as nobody can be told.
 */
export async function bookReservationsDue(ids: Ids, tx: Writer, today: LocalDate): Promise<void> {
  for (const reservation of await reservationsDue(tx, today)) {
    const { account_id: id, amount_minor: amount, value_date: valueDate, booking_date: date, details } = reservation;
    await releaseReservations(tx, [reservation]);
    const account = await accountByKey(tx, id);
    const clearing = await ensureClearing(ids, tx, account.currency);
    if (!hasRoom(account, amount) || !hasRoom(clearing, -amount)) continue;
    await postDirectly(ids, tx, account, {
      kind: 'transaction',
      details,
      amount,
      bookingDate: date ?? today,
      valueDate,
    });
  }
}
