import { sql, type RawBuilder } from 'kysely';
import { clockRange } from '../../time/rules/bank-clock.ts';
import { currencies } from '../../values/currency.ts';
import { transactionStatuses } from '../../settlement/rules/transaction-status.ts';
import type { Reader } from '../../ledger/database.ts';

const statuses = sql.join(Object.keys(transactionStatuses).map((status) => sql.lit(status)));
const currencyCodes = sql.join(currencies.map((currency) => sql.lit(currency)));
const day = 86_400_000;
/** SQL: the days since 1970 that an instant may be in at Oslo, whose clocks are one or two hours ahead. A literal: a parameter would be no integer. */
const daysOf = (column: string): RawBuilder<unknown> =>
  sql.join([3_600_000, 7_200_000].map((ahead) => sql`(${sql.ref(column)} + ${sql.lit(ahead)}) / ${sql.lit(day)}`));
/** A day before and 400 days after the range are allowed: a running clock may pass the last instant that can be set. */
const isNoTime = (column: string): RawBuilder<unknown> =>
  sql`${sql.ref(column)} not between ${clockRange.from - day} and ${clockRange.to + 400 * day}`;
const isNoDate = (column: string): RawBuilder<unknown> => sql`${sql.ref(column)} is not date(${sql.ref(column)})`;

/** States that no correct ledger has and no table constraint prevents. Each query returns a row when it finds one. */
const contradictions: readonly (readonly [what: string, found: RawBuilder<unknown>])[] = [
  [
    'there are rows, and no state of the bank',
    sql`select 1 where not exists (select 1 from bank_state)
      and (exists (select 1 from customer) or exists (select 1 from account) or exists (select 1 from payment))`,
  ],
  [
    'the state of the bank has an impossible time',
    sql`select 1 from bank_state
      where ${isNoTime('seeded_at')} or (clock_mode = 'frozen' and ${isNoTime('clock_value')}) or ${isNoTime('last_run_at')} or clock_since < 0
        or clock_since > ${clockRange.to + 400 * day} or unbooked_executions < 0 or ended_orders < 0 or double_executions < 0`,
  ],
  [
    'a payment has a status that there is not',
    sql`select 1 from payment where status not in (${statuses}) or forced_status not in (${statuses})`,
  ],
  ['an account has a currency that there is not', sql`select 1 from account where currency not in (${currencyCodes})`],
  ['a status in a history is none', sql`select 1 from status_change where status not in (${statuses})`],
  [
    'the status of a payment is not the last one of its history',
    sql`select 1 from payment p join (select payment_id, status, max(id) from status_change group by payment_id) s
      on s.payment_id = p.id where coalesce(p.forced_status, p.status) is not s.status`,
  ],
  [
    'an execution has a date that is none',
    sql`select 1 from execution where ${isNoDate('execution_date')} or ${isNoDate('nominal_date')}`,
  ],
  [
    'an entry has a date that is none',
    sql`select 1 from entry where ${isNoDate('booking_date')} or ${isNoDate('value_date')}`,
  ],
  [
    'an entry has another booking date than the run that books it',
    sql`select 1 from entry where booked_at is not null and booking_day not in (${daysOf('booked_at')})`,
  ],
  ['an execution has more attempts than there are', sql`select 1 from execution where attempts not between 0 and 5`],
];

/** The first contradiction, in a few words; else null. Reads every row of the large tables. */
export async function findContradiction(reader: Reader): Promise<string | null> {
  for (const [what, found] of contradictions) {
    const { rows } = await sql`${found} limit 1`.execute(reader);
    if (rows.length > 0) return what;
  }
  return null;
}
