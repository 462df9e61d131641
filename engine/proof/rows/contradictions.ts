import { sql, type RawBuilder } from 'kysely';
import { clockRange } from '../../time/rules/bank-clock.ts';
import { balanceLimit, currencies } from '../../values/money.ts';
import { transactionStatuses } from '../../values/transaction-status.ts';
import { lastAttempt } from '../../settlement/rules/settlement.ts';
import type { Reader } from '../../ledger/database.ts';
import { products } from '../../values/product.ts';

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

/** What is wrong, in a few words, and a query that returns a row if it is. */
type Check = readonly [what: string, found: RawBuilder<unknown>];

/** States that no correct ledger has and no table constraint prevents. */
const contradictions: readonly Check[] = [
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
  [
    'an execution has more attempts than there are',
    sql`select 1 from execution where attempts not between 0 and ${lastAttempt}`,
  ],
];

/** The first contradiction, in a few words; else null. Reads every row of the large tables. */
export function findContradiction(reader: Reader): Promise<string | null> {
  return firstOf(contradictions, reader);
}

const isForeign = sql`product in (${sql.lit(products.sepa)}, ${sql.lit(products.crossBorder)})`;

/** Rows that lack another row which they need. */
const missing: readonly Check[] = [
  ['there is no state of the bank', sql`select 1 where not exists (select 1 from bank_state)`],
  ['a payment has no body', sql`select 1 from payment where id not in (select payment_id from payment_initiation)`],
  [
    'a payment is no standing order, or another one is',
    sql`select 1 from payment p where (service = 'periodic-payments')
      <> exists (select 1 from standing_order s where s.payment_id = p.id)`,
  ],
  [
    'a payment is no bulk payment, or another one is',
    sql`select 1 from payment p where (service = 'bulk-payments')
      <> exists (select 1 from bulk_payment b where b.payment_id = p.id)`,
  ],
  [
    'a payment has a product that its service does not offer',
    sql`select 1 from payment where service <> 'payments' and product <> ${sql.lit(products.domestic)}`,
  ],
  [
    'a payment has no price, or another one has',
    sql`select 1 from payment p where (${isForeign}) <> exists (select 1 from foreign_transfer f where f.payment_id = p.id)`,
  ],
  [
    'a payment has a body of another service',
    sql`select 1 from payment p join payment_initiation i on i.payment_id = p.id where
      (service = 'periodic-payments') <> (body ->> '$.startDate' is not null)
      or (service = 'bulk-payments') <> (body ->> '$.instructedAmount' is null)`,
  ],
  [
    'a payment has not the transfers that it should',
    sql`select 1 from payment p left join bulk_payment b on b.payment_id = p.id
      left join (select payment_id, count(*) as transfers, max(sequence) as last, count(initiation) as items,
        count(execution_date) as dated from credit_transfer group by payment_id) t on t.payment_id = p.id
      where coalesce(b.number_of_transactions, 1) is not t.transfers or t.last is not t.transfers - 1
        or t.items <> iif(service = 'bulk-payments', t.transfers, 0)
        or t.dated <> iif(service = 'periodic-payments', 0, t.transfers)`,
  ],
  [
    'a payment has an execution date and should have none, or the other way round',
    sql`select 1 from payment where (service = 'periodic-payments') <> (execution_date is null)`,
  ],
  [
    'an execution belongs to no transfer',
    sql`select 1 from execution e join payment p on p.id = e.payment_id where service <> 'periodic-payments'
      and not exists (select 1 from credit_transfer t where t.payment_id = e.payment_id and t.sequence = e.sequence)`,
  ],
  [
    'an execution is of another account, or another product, than its payment',
    sql`select 1 from execution e join payment p on p.id = e.payment_id
      where e.debtor_account_id <> p.debtor_account_id or e.is_foreign <> (${isForeign})`,
  ],
  ['a payment has no history', sql`select 1 from payment where id not in (select payment_id from status_change)`],
  [
    'a run has another instant than its date',
    sql`select 1 from settlement_run where date is not date(at / 1000 + 3600, 'unixepoch')
      and date is not date(at / 1000 + 7200, 'unixepoch')`,
  ],
  [
    'an account of a customer has no number',
    sql`select 1 from account where kind = 'customer' and bban is null and iban is null`,
  ],
  [
    'a reservation is on no open account of a customer',
    sql`select 1 from reservation r join account a on a.id = r.account_id where a.kind <> 'customer' or closed_at is not null`,
  ],
  [
    'a balance is beyond its limit',
    sql`select 1 from account where kind = 'customer' and abs(balance_minor) > ${sql.lit(balanceLimit)}`,
  ],
  [
    'a batch has executions of another payment',
    sql`select 1 from batch b join execution e on e.id = b.leading_execution_id where e.payment_id <> b.payment_id`,
  ],
];

/** Describes the first missing part in a few words, or returns null. */
export function findMissingPart(reader: Reader): Promise<string | null> {
  return firstOf(missing, reader);
}

async function firstOf(checks: readonly Check[], reader: Reader): Promise<string | null> {
  for (const [what, found] of checks) {
    const { rows } = await sql`${found} limit 1`.execute(reader);
    if (rows.length > 0) return what;
  }
  return null;
}
