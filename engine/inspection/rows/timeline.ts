import { sql } from 'kysely';
import type { Reader, Row } from '../../ledger/database.ts';
import { countIn, keysTable, wholeSum, wideSum } from '../../ledger/queries.ts';
import { isUnfinished, type Payment } from '../../payments/rows/payments.ts';
import { paymentAt } from '../../payments/rules/payment-status.ts';
import { isOpen } from '../../settlement/rows/executions.ts';
import type { Currency } from '../../values/money.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';

/** A payment that a window may show, by what decides whether it does. */
export interface WindowRow {
  readonly id: number;
  readonly resource_id: string;
  readonly status: Payment['status'];
  readonly initiated_at: Instant;
  /** When it got its last status. */
  readonly changed_at: Instant;
}

/** Bounds of a window: instants, and the first day on which a payment may be due that is over and still in it. */
interface Window {
  readonly from: Instant;
  readonly to: Instant;
  readonly since: LocalDate;
}

/**
 * The payments that were initiated by the end of the window and were not over at its beginning, or come back in it; the
 * latest initiation first. `only`: the key of the one that is wanted, or null.
 */
export async function paymentsInWindow(
  reader: Reader,
  { from, to, since, only }: Window & { readonly only: number | null },
): Promise<WindowRow[]> {
  const changed = sql`(select max(s.at) from status_change s where s.payment_id = p.id)`;
  // Named `payment` for the condition that it is not over.
  const { rows } = await sql<WindowRow>`
    select * from (select p.id, p.resource_id, p.status, p.initiated_at, ${changed} as changed_at
      from payment p where ${only === null ? sql`true` : sql`p.id = ${only}`} and p.initiated_at <= ${to} and (p.status not in ('ACSC', 'RJCT', 'CANC')
        or p.execution_date is null or p.execution_date >= ${since}
        or exists (select 1 from payment_return r where r.payment_id = p.id))) payment
    where payment.changed_at >= ${from} or (${isUnfinished})
      or exists (select 1 from payment_return r where r.payment_id = payment.id and (r.booked_at is null or r.booked_at >= ${from}))
    order by ${countIn('payment')} desc`.execute(reader);
  return rows;
}

/** What a row of the window says of its payment. */
export type ShownRow = Pick<
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
> & {
  readonly debtor_number: string;
  /** Null for a bulk payment, and if none was sent. */
  readonly creditor_name: string | null;
  readonly currency: Currency;
  readonly total_minor: bigint;
  /** The day that the TPP asked for, or null if it named none. */
  readonly requested_date: LocalDate | null;
  /** The earliest date of an execution that is still to be tried. */
  readonly next_date: LocalDate | null;
};

/** These payments as they read at a time, the first initiation first. */
export async function shownRows(reader: Reader, keys: readonly number[], now: Instant): Promise<ShownRow[]> {
  const { rows } = await sql<Omit<ShownRow, 'total_minor'> & { readonly total: string | null }>`
    select p.id, p.resource_id, p.service, p.product, p.status, p.execution_date, p.forced_status, p.forced_at,
      p.initiated_at, p.authorised_at, coalesce(debtor.bban, debtor.iban, debtor.name) as debtor_number,
      i.body ->> '$.creditorName' as creditor_name, i.body ->> '$.requestedExecutionDate' as requested_date,
      first.currency,
      (select ${wideSum(sql`t.amount_minor`)} from credit_transfer t where t.payment_id = p.id) as total,
      (select min(x.execution_date) from execution x where x.payment_id = p.id and ${isOpen('x')}) as next_date
    from payment p join account debtor on debtor.id = p.debtor_account_id
      join payment_initiation i on i.payment_id = p.id
      join credit_transfer first on first.payment_id = p.id and first.sequence = 0
    where p.id in ${keysTable(keys)} order by ${countIn('p')}`.execute(reader);
  return rows.map(({ total, ...row }) => paymentAt({ ...row, total_minor: wholeSum(total) }, now));
}

/** The returns of these payments, in the order in which they were announced. */
export function returnsOfPayments(reader: Reader, keys: readonly number[]): Promise<Row<'payment_return'>[]> {
  return reader
    .selectFrom('payment_return')
    .selectAll()
    .where('payment_id', 'in', keysTable(keys))
    .orderBy('id')
    .execute();
}
