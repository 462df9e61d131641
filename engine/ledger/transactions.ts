import type { Instant } from '../core/instant.ts';
import type { LocalDate } from '../core/local-date.ts';
import type { Page } from '../core/page.ts';
import type { Reader } from './database.ts';
import type { Period } from './entry-days.ts';
import { latestFirst, type SandboxTransactionRow } from './sandbox-transactions.ts';

/** The booked transactions of an account, the latest booking date first. `lastRunAt` divides them from pending ones (rules.md S6). */
export function bookedTransactions(
  reader: Reader,
  accountId: number,
  lastRunAt: Instant,
  period: Period,
  { offset, limit }: Page,
): Promise<SandboxTransactionRow[]> {
  return latestFirst(reader, accountId, period)
    .where((eb) =>
      eb.or([eb('entry.awaits_booking_since', 'is', null), eb('entry.awaits_booking_since', '<', lastRunAt)]),
    )
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
  return latestFirst(reader, accountId, { from: since, to: null })
    .where('entry.awaits_booking_since', '>=', lastRunAt)
    .execute();
}
