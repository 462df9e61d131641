import { type RawBuilder, sql } from 'kysely';
import { type BalanceSums, balancesOf, type Balances } from '../../accounts/rules/entry.ts';
import { osloDate, type Instant } from '../../values/instant.ts';
import type { Account } from '../../accounts/rows/accounts.ts';
import type { Reader } from '../../ledger/database.ts';
import { type Given, prepared, joinParts, wholeSum, wideParts, wideSum, keysIn } from '../../ledger/queries.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { daysOf, type DaysOfPeriod, entryDaysIn, isBooked, isPending } from '../../accounts/rows/entries.ts';
import { announcedTo, reservedOn } from '../../accounts/rows/reservations.ts';
import { isOpen } from './executions.ts';

/** Each sum as {@link wideSum} formats it. */
interface SumsRow {
  id: number;
  /** The sums of pending and of booked entries, separated by a comma: one query finds the days of both. */
  entries: string | null;
  due_in: string | null;
  due_out: string | null;
  reserved: string | null;
  announced: string | null;
}

interface SumTime extends DaysOfPeriod {
  readonly now: Instant;
  readonly today: LocalDate;
}

function sumWhere(condition: RawBuilder<unknown>): RawBuilder<string | null> {
  return wideSum(sql`case when ${condition} then entry.amount_minor else 0 end`);
}

/** SQL value of `wanted`, an account: the sums of its entries. */
function sumsOfEntries(given: Given<SumTime>): RawBuilder<string | null> {
  return sql`(select ${sumWhere(isPending(given.now))} || ',' || ${sumWhere(isBooked(given.now))}
    from entry where entry.account_id = wanted.id and entry.booking_day in ${entryDaysIn(given)})`;
}

/** SQL conditions and amounts of `x`, an execution, joined by {@link transfers}. */
const dueAt = (today: RawBuilder<LocalDate>): RawBuilder<unknown> =>
  sql`${isOpen('x')} and x.execution_date <= ${today}`;
const credited = sql`coalesce(f.credit_minor, x.amount_minor)`;
const creditCurrency = sql`coalesce(f.credit_currency, debtor.currency)`;
const debited = sql`x.amount_minor + coalesce(f.fee_minor, 0)`;
const transfers = sql`execution x join account debtor on debtor.id = x.debtor_account_id
  left join foreign_transfer f on f.payment_id = x.payment_id`;

/** `ids`: the keys of the accounts, as JSON. Goes through the due executions once, not once for each account. */
const sumRows = prepared((_db: Reader, given: Given<SumTime & { ids: string }>) => {
  const isDue = dueAt(given.today);
  const { high, low } = wideParts(credited);
  return sql<SumsRow>`
    with wanted as (select id, bban, iban, currency from account where id in ${keysIn(given.ids)}),
      coming as materialized (select x.creditor_number as number, ${creditCurrency} as currency, ${high} as high, ${low} as low
        from ${transfers} where ${isDue} and x.creditor_number in (select bban from wanted union all select iban from wanted)
        group by 1, 2),
      leaving as materialized (select x.debtor_account_id as id, ${wideSum(debited)} as due
        from ${transfers} where ${isDue} and x.debtor_account_id in (select id from wanted) group by 1)
    select wanted.id, ${sumsOfEntries(given)} as entries,
      (select ${joinParts(sql`sum(high)`, sql`sum(low)`)} from coming
        where coming.number in (wanted.bban, wanted.iban) and coming.currency = wanted.currency) as due_in,
      (select due from leaving where leaving.id = wanted.id) as due_out,
      ${reservedOn(sql`wanted.id`)} as reserved, ${announcedTo(sql`wanted.id`)} as announced
    from wanted`;
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
  const rows = await sumRows(reader, { ids, now, today, ...period });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(accounts.map((account) => [account.id, sumsFrom(account, byId.get(account.id))]));
}

function sumsFrom(account: Account, row: SumsRow | undefined): BalanceSums {
  const [pending = null, bookedToday = null] = row?.entries?.split(',') ?? [];
  return {
    posted: account.balance_minor,
    creditLine: account.credit_line_minor,
    pending: wholeSum(pending),
    bookedToday: wholeSum(bookedToday),
    dueIn: wholeSum(row?.due_in ?? null),
    dueOut: wholeSum(row?.due_out ?? null),
    reserved: -wholeSum(row?.reserved ?? null),
    announced: wholeSum(row?.announced ?? null),
  };
}

/** An account, with its balances if they were asked for. */
export interface AccountWithBalances {
  readonly account: Account;
  readonly balances: Balances | null;
}

/** The accounts in the order given, with their balances at that time (rules.md S8) if `areWanted`. */
export async function withBalances(
  { reader, now }: { readonly reader: Reader; readonly now: Instant },
  accounts: readonly Account[],
  areWanted: boolean,
): Promise<AccountWithBalances[]> {
  if (!areWanted) return accounts.map((account) => ({ account, balances: null }));
  const sums = await balanceSums(reader, accounts, now);
  return accounts.map((account) => {
    const found = sums.get(account.id);
    return { account, balances: found === undefined ? null : balancesOf(found) };
  });
}
