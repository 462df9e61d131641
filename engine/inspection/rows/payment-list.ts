import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { type TransactionStatus, unsignedStatuses } from '../../values/transaction-status.ts';
import { isOpen } from '../../settlement/rows/executions.ts';
import type { Currency } from '../../values/money.ts';
import { osloDate, type Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Page } from '../../values/lists.ts';
import type { PaymentService } from '../../values/product.ts';
import {
  countIn,
  wholeSum,
  wideSum,
  keysTable,
  type Flag,
  type Given,
  prepared,
  type RowFrom,
} from '../../ledger/queries.ts';
import type { Reader } from '../../ledger/database.ts';
import { paymentAt } from '../../payments/rules/payment-status.ts';
import { laneOfPayment } from '../../payments/rows/orders.ts';
import type { Payment } from '../../payments/rows/payments.ts';
import { isBooked } from '../../accounts/rows/entries.ts';

/** Which payments are wanted. Null means any. */
interface PaymentFilter {
  /** As it reads, PDNG on the due day included (rules.md S2b). */
  readonly status: TransactionStatus | null;
  readonly service: PaymentService | null;
  /** The numbers of an account that is the debtor's or a creditor's. */
  readonly numbers: readonly string[] | null;
  /** Execution dates, both inclusive. */
  readonly dates: DateFilter | null;
}

export interface DateFilter {
  readonly from: LocalDate;
  readonly to: LocalDate;
  /** The unsigned payments in the period. */
  readonly unsigned: readonly number[];
}

/** A payment in a list, as it reads at the time asked for. */
export type ListedRow = Pick<
  Payment,
  | 'id'
  | 'resource_id'
  | 'service'
  | 'product'
  | 'status'
  | 'execution_date'
  | 'forced_status'
  | 'forced_at'
  | 'initiated_at'
  | 'authorised_at'
  | 'received_at'
> & {
  readonly lane: string | null;
  readonly debtor_number: string;
  readonly debtor_name: string;
  /** The number of the first creditor, and its name. */
  readonly creditor_number: string;
  readonly creditor_name: string | null;
  readonly currency: Currency;
  /** The sum of the transfers, in minor units. */
  readonly total_minor: bigint;
  /** When a run settled or rejected what was signed, if one did. */
  readonly ended_at: Instant | null;
  /** The earliest date of an execution that is still to be tried. */
  readonly next_date: LocalDate | null;
};

/** How many payments the filter lets through. */
export async function countPayments(reader: Reader, filter: PaymentFilter, now: Instant): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*) as count from payment p where ${passes(filter, now)}`.execute(reader);
  return rows[0]?.count ?? 0;
}

/** A page of the payments that the filter lets through, the latest initiation first. */
export async function paymentPage(
  reader: Reader,
  filter: PaymentFilter,
  { offset, limit }: Page,
  now: Instant,
): Promise<ListedRow[]> {
  const { rows } = await sql<Omit<ListedRow, 'total_minor'> & { readonly total: string | null }>`
    with page as (select p.id from payment p where ${passes(filter, now)} order by ${countIn('p')} desc limit ${limit} offset ${offset})
    select p.id, p.resource_id, p.service, p.product, p.status, p.execution_date, p.forced_status, p.forced_at,
      p.initiated_at, p.authorised_at, p.received_at, ${laneOfPayment} as lane, coalesce(debtor.bban, debtor.iban, debtor.name) as debtor_number,
      holder.name as debtor_name, ${numberWithoutBic('first')} as creditor_number, i.body ->> '$.creditorName' as creditor_name,
      first.currency, (select ${wideSum(sql`t.amount_minor`)} from credit_transfer t where t.payment_id = p.id) as total,
      ${nextDate} as next_date, (select max(s.at) from status_change s where s.payment_id = p.id
        and s.status in ('ACSC', 'PART', 'RJCT') and p.authorised_at is not null) as ended_at
    from page join payment p on p.id = page.id join account debtor on debtor.id = p.debtor_account_id
      join customer holder on holder.id = debtor.customer_id join payment_initiation i on i.payment_id = p.id
      join credit_transfer first on first.payment_id = p.id and first.sequence = 0
    order by ${countIn('p')} desc`.execute(reader);
  return rows.map(({ total, ...row }) => paymentAt({ ...row, total_minor: wholeSum(total) }, now));
}

/**
 * Finds which of these payments go to an account of this bank, and whether that account is open or closed. The first
 * transfer decides for a bulk payment. If two accounts have the number, the open one counts.
 */
export async function creditorsInside(
  reader: Reader,
  keys: readonly number[],
): Promise<ReadonlyMap<number, 'open' | 'closed'>> {
  const isOf = (state: 'is null' | 'is not null') => sql`exists (select 1 from account a
    where a.bban = t.creditor_number and a.closed_at ${sql.raw(state)} and a.kind = 'customer')
    or exists (select 1 from account a
    where a.iban = t.creditor_number and a.closed_at ${sql.raw(state)} and a.kind = 'customer')`;
  const { rows } = await sql<{ readonly key: number; readonly state: 'open' | 'closed' | null }>`
    select t.payment_id as key, case when ${isOf('is null')} then 'open' when ${isOf('is not null')} then 'closed' end as state
    from credit_transfer t
    where t.sequence = 0 and t.payment_id in ${keysTable(keys)}`.execute(reader);
  return new Map(rows.flatMap(({ key, state }) => (state === null ? [] : [[key, state]])));
}

/** The payments that wait for a signature. */
export async function unsignedPayments(reader: Reader): Promise<number[]> {
  const unsigned = reader.selectFrom('payment').select('id').where('status', 'in', unsignedStatuses);
  return (await unsigned.execute()).map(({ id }) => id);
}

const nextDate = sql`(select min(x.execution_date) from execution x where x.payment_id = p.id and ${isOpen('x')})`;

/** The creditor's number without the BIC that stands before a number abroad. */
function numberWithoutBic(alias: string): RawBuilder<string> {
  const number = sql.ref(`${alias}.creditor_number`);
  return sql`substr(${number}, instr(${number}, ' ') + 1)`;
}

function passes({ status, service, numbers, dates }: PaymentFilter, now: Instant): RawBuilder<SqlBool> {
  const conditions = [
    ...(status === null ? [] : [hasStatus(status, osloDate(now))]),
    ...(service === null ? [] : [sql`p.service = ${service}`]),
    ...(numbers === null ? [] : [concerns(numbers)]),
    ...(dates === null ? [] : [isOn(dates)]),
  ];
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`;
}

/** The status of `paymentAt` as an SQL condition on the payment `p` (rules.md S2b). */
export function hasStatus(status: string, today: LocalDate): RawBuilder<SqlBool> {
  if (status === 'PDNG') return sql`(p.status = 'PDNG' or (p.status = 'ACSP' and p.execution_date <= ${today}))`;
  if (status === 'ACSP') return sql`(p.status = 'ACSP' and (p.execution_date is null or p.execution_date > ${today}))`;
  return sql`p.status = ${status}`;
}

/** Debtor accounts that are closed count too: their payments stay. */
function concerns(numbers: readonly string[]): RawBuilder<SqlBool> {
  const wanted = keysTable(numbers);
  return sql`(p.debtor_account_id in (select id from account where bban in ${wanted} or iban in ${wanted})
    or exists (select 1 from credit_transfer t where t.payment_id = p.id and ${numberWithoutBic('t')} in ${wanted}))`;
}

/** That the payment `p` is executed in the period; of a standing order its next date counts. */
export function isOn({ from, to, unsigned }: DateFilter): RawBuilder<SqlBool> {
  return sql`(case when p.status in (${sql.join(unsignedStatuses)}) then p.id in ${keysTable(unsigned)}
    else coalesce(p.execution_date, ${nextDate}) between ${from} and ${to} end)`;
}

/** An attempt with its instant, and the nominal date and sequence of its execution. */
export type InspectedAttempt = RowFrom<typeof inspectAttempts>;

/**
 * Every settlement attempt of a payment's executions, in order of time; an instant payment is attempted at its
 * authorisation.
 */
export const inspectAttempts = prepared((db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
  db
    .selectFrom('attempt')
    .innerJoin('execution', 'execution.id', 'attempt.execution_id')
    .innerJoin('payment', 'payment.id', 'execution.payment_id')
    .leftJoin('settlement_run as run', (join) =>
      join.onRef('run.date', '=', 'attempt.run_date').onRef('run.number', '=', 'attempt.run_number'),
    )
    .leftJoin('foreign_transfer', 'foreign_transfer.payment_id', 'payment.id')
    .selectAll('attempt')
    .select([
      'foreign_transfer.fee_minor',
      'execution.nominal_date',
      'execution.sequence',
      sql<Instant>`coalesce(run.at, payment.authorised_at)`.as('at'),
    ])
    .where('execution.payment_id', '=', paymentId)
    .orderBy('at')
    .orderBy('attempt.execution_id'),
);

/** An entry with the facts of its account and its execution. */
export type InspectedEntry = RowFrom<typeof inspectEntries>;

/** Every entry of a payment's executions as it is at `now`, the debit of each execution first (rules.md S6). */
export const inspectEntries = prepared((db: Reader, { paymentId, now }: Given<{ paymentId: number; now: Instant }>) =>
  db
    .selectFrom('entry')
    .innerJoin('execution', 'execution.id', 'entry.execution_id')
    .innerJoin('account', 'account.id', 'entry.account_id')
    .select([
      'entry.account_id',
      'account.name as account_name',
      'account.bban',
      'account.currency',
      'entry.amount_minor',
      'execution.nominal_date',
      // Index of the execution's item in a bulk payment, else 0.
      'execution.sequence',
      'entry.booking_date',
      'entry.value_date',
      'entry.booked_at',
      isBooked(now).$castTo<Flag>().as('is_booked'),
    ])
    .where('execution.payment_id', '=', paymentId)
    .orderBy('entry.execution_id')
    .orderBy('entry.amount_minor'),
);
