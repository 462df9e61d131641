import { sql } from 'kysely';
import type { NewRow, Reader, Writer } from '../../ledger/database.ts';
import { type Given, insertRow, prepared, type RowFrom } from '../../ledger/queries.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { daysOf, type DaysOfPeriod, entryDaysIn } from '../../accounts/rows/entries.ts';
import { assert } from '../../values/assert.ts';
import type { Role } from '../rules/persona.ts';

/** A life with what it needs of its account, whose number is a BBAN or an IBAN. */
export type LivedAccount = RowFrom<typeof livesIn>;

const livesIn = (db: Reader) =>
  db
    .selectFrom('life')
    .innerJoin('account', 'account.id', 'life.account_id')
    .innerJoin('customer', 'customer.id', 'account.customer_id')
    .selectAll('life')
    .select(['account.customer_id', 'customer.name as holder', 'account.balance_minor', 'account.credit_line_minor'])
    .select(sql<string>`coalesce(account.bban, account.iban)`.as('account'))
    .$narrowType<{ role: Role | null }>()
    .orderBy('life.id');
const allLives = prepared(livesIn);
const someLives = prepared((db: Reader, { ids }: Given<{ ids: string }>) =>
  livesIn(db).where('life.account_id', 'in', sql<number>`(select value from json_each(${ids}))`),
);

/** All lives, or those of these accounts; the oldest first, with the balances of their accounts. */
export function livedAccounts(reader: Reader, accountIds?: readonly number[]): Promise<LivedAccount[]> {
  return accountIds === undefined ? allLives(reader, {}) : someLives(reader, { ids: JSON.stringify(accountIds) });
}

const persona = prepared((db: Reader, { id }: Given<{ id: number }>) =>
  db.selectFrom('persona').select('content').where('id', '=', id),
);

/** A persona of the ledger, as JSON. */
export async function storedPersona(reader: Reader, id: number): Promise<string> {
  const [found] = await persona(reader, { id });
  assert(found !== undefined, 'a life has a persona');
  return found.content;
}

/** The key of a persona; inserts it unless the ledger has it. */
export async function keepPersona(tx: Writer, content: string): Promise<number> {
  const known = await tx.selectFrom('persona').select('id').where('content', '=', content).executeTakeFirst();
  if (known !== undefined) return known.id;
  return (await tx.insertInto('persona').values({ content }).returning('id').executeTakeFirstOrThrow()).id;
}

/** Inserts the life of an account that has none. */
export async function insertLife(tx: Writer, life: NewRow<'life'> & { readonly role: Role | null }): Promise<void> {
  await insertRow(tx, 'life', life);
}

/** Deletes the life of an account, with the marks of its purchases; without one nothing changes. */
export async function deleteLife(tx: Writer, accountId: number): Promise<void> {
  await tx.deleteFrom('life').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('life_mark').where('mark', 'like', `${accountId} %`).execute();
}

/** The entries that the next interest of an account is worked out from. */
export interface InterestPeriod {
  /** Key of the account. */
  readonly accountId: number;
  /** The first day whose entries count. */
  readonly from: LocalDate;
}

const moves = prepared(
  (_db: Reader, { accountId, first, last }: Given<DaysOfPeriod & { accountId: number }>) =>
    sql<{ day: number; moved_minor: bigint }>`select booking_day as day, sum(amount_minor) as moved_minor from entry
      where account_id = ${accountId} and booking_day in ${entryDaysIn({ first, last })} group by booking_day order by booking_day`,
);

/** What the entries of an account came to on each day of a period that has any, in minor units. */
export async function movedOnDays(
  reader: Reader,
  accountId: number,
  period: { readonly from: LocalDate; readonly to: LocalDate | null },
): Promise<{ readonly day: number; readonly moved: bigint }[]> {
  const rows = await moves(reader, { accountId, ...daysOf(period) });
  return rows.map(({ day, moved_minor: moved }) => ({ day, moved }));
}

const rejected = prepared((db: Reader, { accountId, channel, from, to }: Given<Rejected>) =>
  db
    .selectFrom('payment')
    .innerJoin('execution', 'execution.payment_id', 'payment.id')
    .innerJoin('attempt', 'attempt.execution_id', 'execution.id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('payment.debtor_account_id', '=', accountId)
    // As the index payment_unfinished has it.
    .where(sql<boolean>`payment.status <> 'ACSC' and payment.status <> 'RJCT' and payment.status <> 'CANC'`)
    .where('payment.tpp_id', '=', channel)
    .where('attempt.outcome', '=', 'reject')
    .where('attempt.run_date', '>=', from)
    .where('attempt.run_date', '<=', to),
);

/** The standing orders of an account that a channel ordered, in a period; both days are included. */
interface Rejected {
  readonly accountId: number;
  readonly channel: string;
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** How many payments of the open standing orders a run rejected. */
export async function countRejected(reader: Reader, wanted: Rejected): Promise<number> {
  const [row] = await rejected(reader, wanted);
  return row?.count ?? 0;
}

/** What the life of an account booked on it. */
export interface LifeBookings {
  /** BBAN or IBAN. */
  readonly account: string;
  readonly count: number;
  /** Øre, zero or positive. */
  readonly received: bigint;
  /** Øre, zero or positive. */
  readonly spent: bigint;
}

/** What lives have booked behind this entry, by account. */
export async function bookedByLives(reader: Reader, behind: number): Promise<LifeBookings[]> {
  const rows = await sql<LifeBookings>`
    select coalesce(account.bban, account.iban) as account, count(*) as count,
      sum(max(entry.amount_minor, 0)) as received, sum(max(-entry.amount_minor, 0)) as spent
    from entry join direct_posting on direct_posting.id = entry.direct_posting_id join account on account.id = entry.account_id
    where entry.id > ${behind} and direct_posting.event is not null and account.kind = 'customer'
    group by account.id order by account.id`.execute(reader);
  return rows.rows.map((row) => ({
    ...row,
    count: Number(row.count),
    received: BigInt(row.received),
    spent: BigInt(row.spent),
  }));
}

/** A purchase on which other events of its life hang, as one text. */
export function markOf(accountId: number, event: string): string {
  return `${accountId} ${event}`;
}

/** Which of these purchases happened. */
export async function markedAmong(reader: Reader, wanted: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ mark: string }>`
    select mark from life_mark where mark in (select value from json_each(${JSON.stringify(wanted)}))`.execute(reader);
  return new Set(rows.map(({ mark }) => mark));
}

/** Keeps that these purchases happened, for as long as the life goes on. */
export async function keepMarks(tx: Writer, marks: ReadonlySet<string>): Promise<void> {
  if (marks.size === 0) return;
  await sql`insert or ignore into life_mark (mark) select value from json_each(${JSON.stringify([...marks])})`.execute(
    tx,
  );
}
