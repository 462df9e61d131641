import type { Instant } from '../core/instant.ts';
import { epochDay, type LocalDate } from '../core/local-date.ts';
import type { Reader } from './database.ts';
import { latestFirst, type SandboxTransactionRow } from './sandbox-transactions.ts';

/** Dates are booking dates, both inclusive. */
export interface Period {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** The booked transactions of an account, the latest booking date first. `lastRunAt` divides them from pending ones (rules.md S6). */
export function bookedTransactions(
  reader: Reader,
  accountId: number,
  lastRunAt: Instant,
  { from, to }: Period,
  { offset, limit }: Page,
): Promise<SandboxTransactionRow[]> {
  return latestFirst(reader, accountId)
    .where((eb) =>
      eb.or([eb('entry.awaits_booking_since', 'is', null), eb('entry.awaits_booking_since', '<', lastRunAt)]),
    )
    .where('entry.booking_day', '>=', epochDay(from))
    .where('entry.booking_day', '<=', epochDay(to))
    .limit(limit)
    .offset(offset)
    .execute();
}

/** All pending transactions of an account; none is booked before `since`, the date of the last run (rules.md S6). */
export function pendingTransactions(
  reader: Reader,
  accountId: number,
  lastRunAt: Instant,
  since: LocalDate,
): Promise<SandboxTransactionRow[]> {
  return latestFirst(reader, accountId)
    .where('entry.awaits_booking_since', '>=', lastRunAt)
    .where('entry.booking_day', '>=', epochDay(since))
    .execute();
}
