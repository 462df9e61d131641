import { sql, type RawBuilder } from 'kysely';
import { earliestDate, epochDay, latestDate, type LocalDate } from '../../values/local-date.ts';

/** Booking dates, both inclusive; null leaves that end open. */
export interface Period {
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
}

/**
 * The days of the period on which any account has entries, for `entry.booking_day in`: the index by account begins with the
 * day (docs/decisions/0018), so that whoever asks for an account names the days. SQLite goes through them in their order.
 */
export function entryDays({ from, to }: Period): RawBuilder<number> {
  const first = epochDay(from ?? earliestDate);
  const last = epochDay(to ?? latestDate);
  return sql`(with recursive day (number) as (
      select max(booking_day) from entry where booking_day between ${first} and ${last}
      union all
      select (select max(booking_day) from entry where booking_day between ${first} and day.number - 1) from day
        where day.number is not null)
    select number from day where number is not null)`;
}
