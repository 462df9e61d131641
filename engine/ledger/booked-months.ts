import { sql, type RawBuilder } from 'kysely';
import { localDate, type LocalDate } from '../core/local-date.ts';
import { monthNumber } from '../core/month-number.ts';

/** Booking dates, both inclusive; null leaves that end open. */
export interface Period {
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
}

const endOfTime = localDate('9999-12-31');

/**
 * The months in which any account has entries, for `entry.booking_month in`: the index by account begins with the month
 * (docs/decisions/0018), so that whoever asks for an account names the months. SQLite goes through them in their order.
 */
export function bookedMonths({ from, to }: Period): RawBuilder<number> {
  const first = from === null ? 0 : monthNumber(from);
  return sql`(with recursive month (number) as (
      select max(booking_month) from entry where booking_month <= ${monthNumber(to ?? endOfTime)}
      union all
      select (select max(booking_month) from entry where booking_month < number) from month where number > ${first})
    select number from month)`;
}
