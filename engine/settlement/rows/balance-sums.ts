import { type RawBuilder, sql } from 'kysely';
import type { BalanceSums } from '../../accounts/rules/balances.ts';
import { osloDate, type Instant } from '../../values/instant.ts';
import type { Account } from '../../accounts/rows/accounts.ts';
import type { Reader } from '../../ledger/database.ts';
import { type Given, prepared } from '../../ledger/prepared.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { daysOf, type DaysOfPeriod, entryDaysIn, isBooked, isPending } from '../../accounts/rows/entries.ts';
import { isOpen } from './executions.ts';
import { wholeSum, wideSum } from '../../ledger/wide-sum.ts';

/** Each sum as {@link wideSum} formats it. */
interface SumsRow {
  id: number;
  /** Of what is pending and of what is booked, with a comma between them: their days are looked for once. */
  entries: string | null;
  due_in: string | null;
  due_out: string | null;
}

interface Wanted extends DaysOfPeriod {
  /** The keys of the accounts, as JSON. */
  readonly ids: string;
  readonly now: Instant;
  readonly today: LocalDate;
}

function sumWhere(condition: RawBuilder<unknown>): RawBuilder<string | null> {
  return wideSum(sql`case when ${condition} then entry.amount_minor else 0 end`);
}

const sumsOfAccounts = prepared((_db: Reader, given: Given<Wanted>) => {
  const { ids, now, today } = given;
  const isDue = sql`${isOpen('x')} and x.execution_date <= ${today}`;
  return sql<SumsRow>`
    select wanted.id,
      (select ${sumWhere(isPending(now))} || ',' || ${sumWhere(isBooked(now))}
        from entry where entry.account_id = wanted.id and entry.booking_day in ${entryDaysIn(given)}) as entries,
      (select ${wideSum(sql`coalesce(f.credit_minor, x.amount_minor)`)}
        from execution x join account debtor on debtor.id = x.debtor_account_id
          left join foreign_transfer f on f.payment_id = x.payment_id
        where ${isDue} and x.creditor_number in (wanted.bban, wanted.iban)
          and coalesce(f.credit_currency, debtor.currency) = wanted.currency) as due_in,
      (select ${wideSum(sql`x.amount_minor + coalesce(f.fee_minor, 0)`)}
        from execution x left join foreign_transfer f on f.payment_id = x.payment_id
        where ${isDue} and x.debtor_account_id = wanted.id) as due_out
    from account wanted where wanted.id in (select value from json_each(${ids}))`;
});

/**
 * The parts of these accounts' balances, by account. Only entries booked today or later, and payments due, are
 * summed: the rest is in the account's running balance, so a long history costs nothing.
 */
export async function balanceSums(
  reader: Reader,
  accounts: readonly Account[],
  now: Instant,
): Promise<Map<number, BalanceSums>> {
  if (accounts.length === 0) return new Map();
  const today = osloDate(now);
  // No pending entry has an earlier booking date than today (rules.md S6).
  const period = daysOf({ from: today, to: null });
  const ids = JSON.stringify(accounts.map(({ id }) => id));
  const rows = await sumsOfAccounts(reader, { ids, now, today, ...period });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(accounts.map((account) => [account.id, sumsOf(account, byId.get(account.id))]));
}

function sumsOf(account: Account, row: SumsRow | undefined): BalanceSums {
  const [pending = null, bookedToday = null] = row?.entries?.split(',') ?? [];
  return {
    posted: account.balance_minor,
    creditLine: account.credit_line_minor,
    pending: wholeSum(pending),
    bookedToday: wholeSum(bookedToday),
    dueIn: wholeSum(row?.due_in ?? null),
    dueOut: wholeSum(row?.due_out ?? null),
  };
}
