import type { BankContext } from '../bank/bank-context.ts';
import type { BankStateRow } from '../bank/rows/tables.ts';
import type { Reader } from '../ledger/database.ts';
import { addDays, type LocalDate } from '../values/local-date.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import type { Amount } from '../values/money.ts';
import { livesOf } from './lives.ts';
import { amountOf } from './rules/life-on.ts';

/** What a life is known to do: its day and its amount stand in its persona. */
export interface PlannedEvent {
  readonly date: LocalDate;
  /** BBAN or IBAN. */
  readonly account: string;
  /** Credit positive. */
  readonly amount: Amount;
  /** The event of the persona: `salary`. */
  readonly event: string;
}

/**
 * What the lives of a bank will do up to an instant, in order of time: not purchases, which nobody knows before, nor standing orders, whose
 * executions the bank knows itself. A direct debit without funds will not happen. Ends after `limit` events.
 */
export async function plannedUntil(
  bank: BankContext,
  reader: Reader,
  { lived_until: from }: BankStateRow,
  { to, limit }: { readonly to: Instant; readonly limit: number },
): Promise<PlannedEvent[]> {
  if (from === null) return [];
  const planned: PlannedEvent[] = [];
  const lives = await livesOf(bank, reader);
  for (let date = osloDate(from); date <= osloDate(to); date = addDays(date, 1)) {
    for (const { row, course } of lives) {
      for (const { event, at, deed } of course.knownOn(date)) {
        if (at <= from || at <= row.began_at || at > to) continue;
        planned.push({ date, account: row.account, amount: { minor: amountOf(deed), currency: 'NOK' }, event });
      }
    }
    if (planned.length >= limit) return planned;
  }
  return planned;
}
