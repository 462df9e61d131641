import { type Insertable, type Selectable, sql } from 'kysely';
import type { Reader, Writer } from '../../ledger/database.ts';
import { prepared } from '../../ledger/prepared.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { entryDays } from '../../accounts/rows/entries.ts';
import type { LifeRow } from './tables.ts';

/** A life with what it needs of its account. */
export interface LivedAccount extends Selectable<LifeRow> {
  /** BBAN or IBAN. */
  readonly account: string;
  readonly customer_id: number | null;
  readonly holder: string;
  readonly balance_minor: bigint;
  readonly credit_line_minor: bigint;
}

const allLives = prepared((db: Reader) =>
  db
    .selectFrom('life')
    .innerJoin('account', 'account.id', 'life.account_id')
    .innerJoin('customer', 'customer.id', 'account.customer_id')
    .selectAll('life')
    .select(['account.customer_id', 'customer.name as holder', 'account.balance_minor', 'account.credit_line_minor'])
    .select(sql<string>`coalesce(account.bban, account.iban)`.as('account'))
    .orderBy('life.id'),
);

/** All lives, the oldest first, with the balances of their accounts. */
export function livedAccounts(reader: Reader): Promise<LivedAccount[]> {
  return allLives(reader, {});
}

const personas = prepared((db: Reader) =>
  db.selectFrom('persona').selectAll().where('id', 'in', db.selectFrom('life').select('persona_id')),
);

/** The personas of all lives, as JSON by their keys. */
export async function livedPersonas(reader: Reader): Promise<Map<number, string>> {
  return new Map((await personas(reader, {})).map(({ id, content }) => [id, content]));
}

/** The key of a persona; inserts it unless the ledger has it. */
export async function keepPersona(tx: Writer, content: string): Promise<number> {
  const known = await tx.selectFrom('persona').select('id').where('content', '=', content).executeTakeFirst();
  if (known !== undefined) return known.id;
  return (await tx.insertInto('persona').values({ content }).returning('id').executeTakeFirstOrThrow()).id;
}

export async function insertLife(tx: Writer, life: Insertable<LifeRow>): Promise<void> {
  await tx.insertInto('life').values(life).execute();
}

export async function deleteLife(tx: Writer, accountId: number): Promise<void> {
  await tx.deleteFrom('life').where('account_id', '=', accountId).execute();
}

/** What the entries of an account came to on each day of a period that has any, in minor units, and its opening balances among them. */
export async function movedOnDays(
  reader: Reader,
  accountId: number,
  period: { readonly from: LocalDate; readonly to: LocalDate | null },
): Promise<{ readonly day: number; readonly moved: bigint; readonly opened: bigint }[]> {
  const { rows } = await sql<{ day: number; moved_minor: bigint; opened_minor: bigint }>`
    select booking_day as day, sum(amount_minor) as moved_minor,
      sum(case when d.kind = 'opening' then amount_minor else 0 end) as opened_minor
    from entry left join direct_posting d on d.id = entry.direct_posting_id
    where account_id = ${accountId} and booking_day in ${entryDays(period)} group by booking_day order by booking_day`.execute(
    reader,
  );
  return rows.map(({ day, moved_minor: moved, opened_minor: opened }) => ({ day, moved, opened }));
}

/** How many executions of these payments a run rejected for lack of funds in a period, both days included. */
export async function countRejected(
  reader: Reader,
  paymentIds: readonly number[],
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): Promise<number> {
  if (paymentIds.length === 0) return 0;
  const { count } = await reader
    .selectFrom('execution')
    .innerJoin('attempt', 'attempt.execution_id', 'execution.id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('execution.payment_id', 'in', paymentIds)
    .where('attempt.outcome', '=', 'reject')
    .where('attempt.run_date', '>=', from)
    .where('attempt.run_date', '<=', to)
    .executeTakeFirstOrThrow();
  return count;
}
