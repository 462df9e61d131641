import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { osloDate, type Instant } from '../../values/instant.ts';
import { earliestDate, epochDay, latestDate, type LocalDate } from '../../values/local-date.ts';
import type { Page } from '../../values/lists.ts';
import { type Flag, prepared, type Given, type RowFrom, wholeSum, wideSum, keysTable } from '../../ledger/queries.ts';
import type { Reader, Row } from '../../ledger/database.ts';
import {
  daysOf,
  type DaysOfPeriod,
  entryDays,
  entryDaysIn,
  entryOfTransaction,
  isBooked,
  isPending,
  transactionNumber,
  type Period,
} from './entries.ts';
import type { RowPlace } from '../rules/transaction-list.ts';
import { reservationsOf, type Reservation } from './reservations.ts';

/** An entry with the data of its cause: a mock transaction's details, or a payment's initiation and debtor. */
export type TransactionRow = RowFrom<typeof visibleLines> & {
  /** Set on a transaction that is not posted: the row is made by {@link reservedRow}. */
  readonly reservation?: Reservation;
};

const withoutCause = {
  initiation: null,
  debtor_name: null,
  debtor_bban: null,
  debtor_iban: null,
  is_fee: 0,
  is_return: 0,
  batch_id: null,
  batch_transactions: null,
  instructed_minor: null,
  instructed_currency: null,
  debit_rate: null,
  credit_rate: null,
  quotation_date: null,
} as const;

/**
 * A reservation as a pending transaction. It comes before those that are posted, and has a number that is no entry's.
 */
export function reservedRow(reservation: Reservation): TransactionRow {
  const { id, amount_minor, value_date, details } = reservation;
  const shown = { amount_minor, value_date, details, booking_date: latestDate, is_booked: 0 } as const;
  return { ...withoutCause, ...shown, transaction_number: -id, reservation };
}

/** A page of the transactions of a period. */
export interface TransactionWindow extends Period, Page {}

/** The part of a list that a page shows (rules.md A9c). */
export interface ListWindow extends TransactionWindow {
  /** The list omits rows with a higher key, which came after its first page; null omits no row. */
  readonly lastKey: number | null;
  /** Only rows after this one. */
  readonly after: RowPlace | null;
  /** The highest key first, whatever its date (rules.md Q5). False means the latest date first. */
  readonly isByPosting: boolean;
}

/** A list from its first row on, by date. */
export const wholeList = { lastKey: null, after: null, isByPosting: false } as const;

/**
 * The transactions of an account: reservations (rules.md S8b), then the latest booking date first, without opening,
 * closing and reversed entries. The period applies to the booking date of a booked transaction, and to the value date
 * of a pending one, which shows no other date (rules.md S6, A9).
 */
export async function sandboxTransactions(
  reader: Reader,
  accountId: number,
  { from, to, limit, offset }: TransactionWindow,
  now: Instant,
): Promise<TransactionRow[]> {
  const [first, last] = [from ?? earliestDate, to ?? latestDate];
  const isWithin = sql<SqlBool>`iif(${isPending(now)}, entry.value_date, entry.booking_date) between ${first} and ${last}`;
  const pendingDays = entryDays({ from: osloDate(now), to: null });
  const days = sql<number>`(select * from ${entryDays({ from, to })} union select * from ${pendingDays})`;
  const reserved = (await reservationsOf(reader, accountId)).filter(
    ({ value_date: date }) => date >= first && date <= last,
  );
  const shown = reserved.slice(offset, offset + limit).map(reservedRow);
  const rest = { limit: limit - shown.length, offset: Math.max(0, offset - reserved.length) };
  const posted = latestFirst(reader, { accountId, days, now }).where(isWithin).limit(rest.limit).offset(rest.offset);
  return [...shown, ...(await posted.execute())];
}

interface OfAccount extends DaysOfPeriod {
  readonly accountId: number;
  readonly now: Instant;
}

interface OfList extends OfAccount, Page {
  /** Transaction numbers. */
  readonly lastNumber: number;
  readonly afterNumber: number;
  /** Days since 1970. */
  readonly afterDay: number;
}

function pageOfBooked(db: Reader, given: Given<OfList>) {
  const { accountId, now, limit, offset, lastNumber, afterNumber, afterDay } = given;
  // The `+` keeps SQLite on the index of days: a condition on keys could make it read all entries.
  return latestFirst(db, { accountId, days: entryDaysIn(given), now })
    .where(isBooked(now))
    .where(sql<SqlBool>`+entry.id <= ${entryOfTransaction(lastNumber)}`)
    .where(sql<SqlBool>`(+entry.booking_day < ${afterDay} or +entry.id < ${entryOfTransaction(afterNumber)})`)
    .limit(limit)
    .offset(offset);
}

const booked = prepared(pageOfBooked);
const bookedByPosting = prepared((db: Reader, given: Given<OfList>) =>
  pageOfBooked(db, given).clearOrderBy().orderBy('entry.id', 'desc'),
);

/** The transactions of a period that were booked at `readAt`, the latest booking date first, or the last posted. */
export function bookedTransactions(
  reader: Reader,
  accountId: number,
  { from, to, limit, offset, lastKey, after, isByPosting }: ListWindow,
  readAt: Instant,
): Promise<TransactionRow[]> {
  const { first, last } = daysOf({ from, to });
  const none = Number.MAX_SAFE_INTEGER;
  const keys = { lastNumber: lastKey ?? none, afterNumber: after?.key ?? none };
  const page = { accountId, now: readAt, limit, offset, first, ...keys };
  if (isByPosting) return bookedByPosting(reader, { ...page, last, afterDay: Number.MIN_SAFE_INTEGER });
  const afterDay = after === null ? none : epochDay(after.date);
  return booked(reader, { ...page, last: Math.min(last, afterDay), afterDay });
}

const pending = prepared((db: Reader, given: Given<OfAccount>) => {
  const { accountId, now } = given;
  return latestFirst(db, { accountId, days: entryDaysIn(given), now }).where(isPending(now));
});

/**
 * The pending transactions: reservations (rules.md S8b), then those that are posted, whose booking dates are today or
 * later (S6). Each is booked by the first run after its posting, so that the order by date is that of posting too.
 */
export async function pendingTransactions(reader: Reader, accountId: number, now: Instant): Promise<TransactionRow[]> {
  const reserved = await reservationsOf(reader, accountId);
  const posted = await pending(reader, { accountId, now, ...daysOf({ from: osloDate(now), to: null }) });
  return [...reserved.map(reservedRow), ...posted];
}

/** One transaction by its number. */
export function sandboxTransaction(
  reader: Reader,
  accountId: number,
  wanted: number,
  now: Instant,
): Promise<TransactionRow | undefined> {
  return visibleLines(reader, { accountId, now }).where('entry.id', '=', entryOfTransaction(wanted)).executeTakeFirst();
}

/**
 * A line of a statement: a transaction, or the opening of the account, with the id and the channel of its payment, and
 * the event of a life.
 */
export type StatementRow = RowFrom<typeof statementLines>;

/** Which lines of a statement are wanted: booked ones by their booking date, or pending ones. */
export interface StatementWindow extends Period {
  readonly isPending: boolean;
}

/**
 * The lines of an account, the latest first, but for the `offset` latest. Pending lines have booking dates from today
 * on (rules.md S6).
 */
export function statementLines(
  reader: Reader,
  accountId: number,
  { limit, offset, ...window }: StatementWindow & Pick<Page, 'limit' | 'offset'>,
  now: Instant,
) {
  return (
    linesOf(reader, accountId, window, now)
      // A return leads to its payment (rules.md S12).
      .leftJoin('payment_return', 'payment_return.posting_id', 'entry.direct_posting_id')
      .leftJoin('payment', (join) =>
        join.on('payment.id', '=', sql<number>`coalesce(execution.payment_id, payment_return.payment_id)`),
      )
      .select([
        'payment.resource_id as payment_id',
        'payment.tpp_id',
        'direct_posting.event',
        sql<Flag>`coalesce(direct_posting.kind = 'opening', 0)`.as('is_opening'),
      ])
      .limit(limit)
      .offset(offset)
      .execute()
  );
}

function linesOf(
  reader: Reader,
  accountId: number,
  { isPending: arePending, ...period }: StatementWindow,
  now: Instant,
) {
  return latestFirst(reader, { accountId, days: entryDays(period), now, kinds: ['transaction', 'opening'] }).where(
    arePending ? isPending(now) : isBooked(now),
  );
}

/** How many lines an account has in a window, and the sum of the `latest` ones, in minor units. Makes no row of any. */
export async function statementSum(
  reader: Reader,
  accountId: number,
  { latest, ...window }: StatementWindow & { readonly latest: number },
  now: Instant,
): Promise<{ readonly count: number; readonly sum: bigint }> {
  const lines = linesOf(reader, accountId, window, now);
  const { count } = await reader
    .selectFrom(lines.as('line'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const { sum } = await reader
    .selectFrom(lines.limit(latest).as('line'))
    .select(wideSum(sql`line.amount_minor`).as('sum'))
    .executeTakeFirstOrThrow();
  return { count, sum: wholeSum(sum) };
}

/** The sum of an account's entries, in minor units, booked until a day, which counts. Without a day all of them. */
export async function bookedThrough(
  reader: Reader,
  accountId: number,
  day: LocalDate | null,
  now: Instant,
): Promise<bigint> {
  const { sum } = await reader
    .selectFrom('entry')
    .select(wideSum(sql`entry.amount_minor`).as('sum'))
    .where('entry.account_id', '=', accountId)
    .where('entry.booking_day', 'in', entryDays({ from: null, to: day }))
    .where(isBooked(now))
    .executeTakeFirstOrThrow();
  return wholeSum(sum);
}

/** The place of each booked transaction among those of its day, the latest first, from 1, by its number. */
export async function placesOfBooked(
  reader: Reader,
  accountId: number,
  period: Period,
  now: Instant,
): Promise<ReadonlyMap<number, number>> {
  const rows = await latestFirst(reader, { accountId, days: entryDays(period), now })
    .where(isBooked(now))
    .clearSelect()
    .select([transactionNumber.as('number'), 'entry.booking_date as date'])
    .execute();
  const counts = new Map<LocalDate, number>();
  return new Map(
    rows.map(({ number, date }) => {
      const place = (counts.get(date) ?? 0) + 1;
      counts.set(date, place);
      return [number, place];
    }),
  );
}

/** The transactions of these direct postings, in the order they were posted. */
export function transactionsOfPostings(
  reader: Reader,
  accountId: number,
  postingIds: readonly number[],
  now: Instant,
): Promise<TransactionRow[]> {
  if (postingIds.length === 0) return Promise.resolve([]);
  return visibleLines(reader, { accountId, now })
    .where('entry.direct_posting_id', 'in', keysTable(postingIds))
    .orderBy('entry.direct_posting_id')
    .execute();
}

/** Whose transactions are listed, and as of when. */
interface LinesWanted {
  readonly accountId: number | RawBuilder<number>;
  readonly now: Instant | RawBuilder<Instant>;
  /** Kinds of direct postings. The default is transactions alone. */
  readonly kinds?: readonly Row<'direct_posting'>['kind'][];
}

/** Query for the transactions of the days of {@link entryDays}, the latest booking date first. */
export function latestFirst(reader: Reader, { days, ...wanted }: LinesWanted & { readonly days: RawBuilder<number> }) {
  return visibleLines(reader, wanted)
    .where('entry.booking_day', 'in', days)
    .orderBy('entry.booking_day', 'desc')
    .orderBy('entry.id', 'desc');
}

/**
 * Query for the entries that are shown as transactions: only the leading debit of a batch, and only direct postings of
 * these kinds that are not reversed.
 */
function visibleLines(reader: Reader, { accountId, now, kinds = ['transaction'] }: LinesWanted) {
  return reader
    .selectFrom('entry')
    .leftJoin('direct_posting', 'direct_posting.id', 'entry.direct_posting_id')
    .leftJoin('execution', 'execution.id', 'entry.execution_id')
    .leftJoin('payment_initiation', 'payment_initiation.payment_id', 'execution.payment_id')
    .leftJoin('credit_transfer', (join) =>
      join
        .onRef('credit_transfer.payment_id', '=', 'execution.payment_id')
        .onRef('credit_transfer.sequence', '=', 'execution.sequence'),
    )
    .leftJoin('batch', 'batch.id', 'entry.batch_id')
    .leftJoin('foreign_transfer', 'foreign_transfer.payment_id', 'execution.payment_id')
    .leftJoin('account as debtor', 'debtor.id', 'execution.debtor_account_id')
    .leftJoin('customer as holder', 'holder.id', 'debtor.customer_id')
    .select([
      // The transactionId is made of this number.
      transactionNumber.as('transaction_number'),
      sql<bigint>`coalesce(-batch.amount_minor, entry.amount_minor)`.as('amount_minor'),
      'entry.booking_date',
      'entry.value_date',
      isBooked(now).$castTo<Flag>().as('is_booked'),
      'direct_posting.details',
      sql<string | null>`coalesce(credit_transfer.initiation, payment_initiation.body)`.as('initiation'),
      'holder.name as debtor_name',
      'debtor.bban as debtor_bban',
      'debtor.iban as debtor_iban',
      'entry.is_fee',
      sql<Flag>`exists (select 1 from payment_return r where r.posting_id = entry.direct_posting_id)`.as('is_return'),
      // Set on the debit that represents a batch; `amount_minor` is then the sum of its `batch_transactions` transfers.
      'entry.batch_id',
      'batch.number_of_transactions as batch_transactions',
      // Only a foreign payment has these columns: others are not exchanged (rules.md P11).
      'foreign_transfer.instructed_minor',
      'foreign_transfer.instructed_currency',
      'foreign_transfer.debit_rate',
      'foreign_transfer.credit_rate',
      'foreign_transfer.quotation_date',
    ])
    .where('entry.account_id', '=', accountId)
    .where((eb) =>
      eb.or([eb('entry.batch_id', 'is', null), eb('batch.leading_execution_id', '=', eb.ref('entry.execution_id'))]),
    )
    .where((eb) =>
      eb.or([
        eb('entry.execution_id', 'is not', null),
        eb.and([eb('direct_posting.kind', 'in', kinds), eb('direct_posting.reversed_by', 'is', null)]),
      ]),
    );
}
