import { sql } from 'kysely';
import { isOpen } from '../../settlement/rows/executions.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Reader } from '../../ledger/database.ts';

/** Days: after the first, up to and including the second; null: from the beginning. */
export interface DueDays {
  readonly after: LocalDate | null;
  readonly through: LocalDate;
}

/**
 * The first of these days on which an ACSP single or bulk payment is due (rules.md S2b), or null. Goes through the open executions
 * of these days in the order of the index.
 */
export async function firstDueDay(reader: Reader, { after, through }: DueDays): Promise<LocalDate | null> {
  const row = await reader
    .selectFrom('execution')
    .innerJoin('payment', (join) =>
      join
        .onRef('payment.id', '=', 'execution.payment_id')
        .onRef('payment.execution_date', '=', 'execution.execution_date'),
    )
    .select('execution.execution_date')
    .where(isOpen('execution'))
    .where('execution.execution_date', '>', (after ?? '') as LocalDate)
    .where('execution.execution_date', '<=', through)
    .where('execution.status', '=', sql.lit('ACSP'))
    .where('payment.status', '=', sql.lit('ACSP'))
    .orderBy('execution.execution_date')
    .limit(1)
    .executeTakeFirst();
  return row?.execution_date ?? null;
}

/** The ids of the ACSP single and bulk payments that are due on a day, in the order of initiation. */
export async function paymentsDueOn(reader: Reader, date: LocalDate): Promise<string[]> {
  const { rows } = await sql<{ readonly resource_id: string }>`select resource_id from payment where id in
      (select payment_id from execution where ${isOpen('execution')} and execution_date = ${date} and status = 'ACSP')
    and status = 'ACSP' and execution_date = ${date} order by id`.execute(reader);
  return rows.map((row) => row.resource_id);
}
