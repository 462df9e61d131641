import type BetterSqlite3 from 'better-sqlite3';
import { openBank, type Bank } from '../../engine/bank.ts';
import { parseInstant, type Instant } from '../../engine/values/instant.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { eveningBefore } from './book.ts';

/** A bank for the bench, with wall and bank clock frozen at the evening before the measured run. */
export function openBenchBank(ledger: string, customers: KnownState['customers'] = []): Promise<Bank> {
  const now = instant(eveningBefore);
  return openBank({
    ledger,
    wall: { now: () => now, monotonic: () => 0 },
    ids: randomIds,
    calendar: norwegianCalendar(),
    knownState: { customers, agreements: [] },
    start: { mode: 'frozen', now },
  });
}

/** Closes a ledger so that it is one file, without a WAL: one to copy. */
export function closeInOnePiece(database: BetterSqlite3.Database): void {
  database.pragma('journal_mode = delete');
  database.close();
}

/** Parses an ISO 8601 instant; throws if it is none. */
export function instant(text: string): Instant {
  const found = parseInstant(text);
  if (found === null) throw new Error(`no instant: ${text}`);
  return found;
}
