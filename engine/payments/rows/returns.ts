import { sql } from 'kysely';
import type { Reader, Row, Writer } from '../../ledger/database.ts';
import { type Given, insertRow, keysTable, prepared } from '../../ledger/queries.ts';
import type { CreditTransferInitiation } from '../../values/credit-transfer.ts';
import type { Currency } from '../../values/money.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Product } from '../../values/product.ts';

export type PaymentReturn = Row<'payment_return'>;

/** An execution that settled, with what its return tells. */
export interface Settled {
  readonly id: number;
  readonly paymentId: number;
  readonly accountId: number;
  readonly product: Product;
  /** Minor units: of the debtor account's currency, or as instructed abroad. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly initiation: CreditTransferInitiation;
  readonly holder: string;
  readonly bban: string | null;
  readonly iban: string | null;
}

/** These executions, in their order. */
export async function settledExecutions(reader: Reader, ids: readonly number[]): Promise<Settled[]> {
  const { rows } = await sql<Omit<Settled, 'initiation'> & { readonly initiation: string }>`
    select e.id, e.payment_id as "paymentId", e.debtor_account_id as "accountId", p.product,
      coalesce(f.instructed_minor, e.amount_minor) as amount, coalesce(f.instructed_currency, a.currency) as currency,
      coalesce(t.initiation, i.body) as initiation, c.name as holder, a.bban, a.iban
    from execution e
    join payment p on p.id = e.payment_id
    join payment_initiation i on i.payment_id = e.payment_id
    join account a on a.id = e.debtor_account_id
    join customer c on c.id = a.customer_id
    left join credit_transfer t on t.payment_id = e.payment_id and t.sequence = e.sequence
    left join foreign_transfer f on f.payment_id = e.payment_id
    where e.id in ${keysTable(ids)} order by e.id`.execute(reader);
  return rows.map((row) => ({ ...row, initiation: JSON.parse(row.initiation) as CreditTransferInitiation }));
}

export function insertReturn(tx: Writer, row: Omit<PaymentReturn, 'id'>): Promise<number> {
  return insertRow(tx, 'payment_return', row);
}

const due = prepared((db: Reader, { date }: Given<{ date: LocalDate }>) =>
  db.selectFrom('payment_return').selectAll().where('booked_at', 'is', null).where('due', '<=', date).orderBy('id'),
);

/** The returns to book by a day, in the order in which they were announced. */
export function returnsDue(reader: Reader, date: LocalDate): Promise<PaymentReturn[]> {
  return due(reader, { date });
}

/** A return is booked. `posting_id`: null if it is kept, with the reason in `kept`. */
export async function saveBookedReturn(
  tx: Writer,
  id: number,
  booked: Pick<PaymentReturn, 'booked_at' | 'posting_id' | 'kept'>,
): Promise<void> {
  await tx.updateTable('payment_return').set(booked).where('id', '=', id).execute();
}

/** The returns of a payment, with the date and the place of what is returned, and the amount that was booked. */
export const returnsOf = prepared((db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
  db
    .selectFrom('payment_return as r')
    .innerJoin('execution', 'execution.id', 'r.execution_id')
    .leftJoin('entry', (join) =>
      join.onRef('entry.direct_posting_id', '=', 'r.posting_id').onRef('entry.account_id', '=', 'r.account_id'),
    )
    .leftJoin('account', 'account.id', 'r.account_id')
    .select([
      'r.reason',
      'r.due',
      'r.booked_at',
      'r.kept',
      'execution.nominal_date',
      'execution.sequence',
      'execution.id as execution_id',
    ])
    .select(['entry.amount_minor', 'account.currency'])
    .where('r.payment_id', '=', paymentId)
    .orderBy('r.id'),
);
