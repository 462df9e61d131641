import { sql } from 'kysely';
import { isOpen } from '../../settlement/rows/executions.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Reader } from '../../ledger/database.ts';
import { countIn, type Given, prepared } from '../../ledger/queries.ts';
import { namedPayments } from './payments.ts';

/** The days after `after`, or from the beginning if it is null, up to and including `through`. */
interface DueDays {
  readonly after: LocalDate | null;
  readonly through: LocalDate;
}

const firstDue = prepared((db: Reader, { after, through }: Given<{ after: LocalDate; through: LocalDate }>) =>
  db
    .selectFrom('execution')
    .innerJoin('payment', (join) =>
      join
        .onRef('payment.id', '=', 'execution.payment_id')
        .onRef('payment.execution_date', '=', 'execution.execution_date'),
    )
    .select('execution.execution_date')
    .where(isOpen('execution'))
    .where('execution.execution_date', '>', after)
    .where('execution.execution_date', '<=', through)
    .where('execution.status', '=', sql.lit('ACSP'))
    .where('payment.status', '=', sql.lit('ACSP'))
    .orderBy('execution.execution_date')
    .limit(sql.lit(1)),
);

/**
 * The first of these days on which an ACSP single or bulk payment is due (rules.md S2b), or null. Goes through the open executions
 * of these days in the order of the index.
 */
export async function firstDueDay(reader: Reader, { after, through }: DueDays): Promise<LocalDate | null> {
  const [row] = await firstDue(reader, { after: after ?? ('' as LocalDate), through });
  return row?.execution_date ?? null;
}

/** The keys of the ACSP single and bulk payments that are due on a day, the first initiated first. */
const dueOn = prepared(
  (_db: Reader, { date }: Given<{ date: LocalDate }>) =>
    sql<{ readonly id: number }>`select id from payment where id in
        (select payment_id from execution where ${isOpen('execution')} and execution_date = ${date} and status = 'ACSP')
      and status = 'ACSP' and execution_date = ${date} order by ${countIn('payment')}`,
);

/** The ids of the ACSP single and bulk payments that are due on a day, the first initiated first: the last `max`, and how many come before. */
export async function paymentsDueOn(
  reader: Reader,
  date: LocalDate,
  max: number,
): Promise<{ readonly last: readonly string[]; readonly leftOut: number }> {
  const keys = (await dueOn(reader, { date })).map(({ id }) => id);
  const last = keys.slice(Math.max(0, keys.length - max));
  const namedBy = await namedPayments(reader, last);
  return { last: last.map((key) => namedBy(key).resource_id), leftOut: keys.length - last.length };
}
