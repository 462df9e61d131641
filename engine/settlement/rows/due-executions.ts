import { sql, type RawBuilder } from 'kysely';
import { assert } from '../../values/assert.ts';
import type { Currency } from '../../values/money.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { SettlementRun } from '../../time/rules/settlement-run.ts';
import {
  type AccountFunds,
  creditorRefusal,
  type DueExecution,
  type ForeignParts,
  settlementOrder,
  type SettlementPlace,
} from '../rules/decide-attempts.ts';
import { type Flag, type Given, prepared, wholeSum, keysTable } from '../../ledger/queries.ts';
import type { Reader } from '../../ledger/database.ts';
import { reservedOn } from '../../accounts/rows/reservations.ts';
import { isOpen } from './executions.ts';

/** The columns of the order of rules.md S3, as those of the index `execution_due`. */
const columnOf: Record<(typeof settlementOrder)[number], string> = {
  executionDate: 'e.execution_date',
  receivedAt: 'e.received_at',
  place: 'e.place',
  nominalDate: 'e.nominal_date',
  id: 'e.id',
};

/** Orders rows of `e`, executions, as a run tries them (rules.md T9). */
export const inOrder = sql.join(settlementOrder.map((part) => sql.ref(columnOf[part])));

interface DueRow {
  id: number;
  payment_id: number;
  is_occurrence: Flag;
  is_bulk_item: Flag;
  execution_date: LocalDate;
  received_at: Instant;
  nominal_date: LocalDate;
  place: number;
  attempts: number;
  creditor_number: string;
  rejection: string | null;
  is_foreign: Flag;
  debtor_id: number;
  debtor_currency: Currency;
  was_closed: Flag;
  creditor_id: number;
  creditor_currency: Currency;
  creditor_kind: 'customer' | 'clearing';
  amount_minor: bigint;
  debtor_balance_minor: bigint;
  debtor_credit_line_minor: bigint;
  reserved: string | null;
  creditor_balance_minor: bigint;
}

/**
 * What a run takes after a place in the order. `lanes` has the keys of the lanes that it tries, as JSON; without it the
 * run tries all.
 */
interface PageStart extends SettlementPlace {
  readonly date: LocalDate;
  readonly at: Instant;
  readonly lanes: string | null;
  readonly limit: number;
}

const dueAfter = prepared((_db: Reader, given: Given<PageStart>) =>
  dueRows(
    sql`${isOpen('e')} and e.execution_date <= ${given.date} and e.received_at <= ${given.at}
      and (${inOrder}) > (${sql.join(settlementOrder.map((part) => given[part]))})
      and (${given.lanes} is null or e.lane in (select value from json_each(${given.lanes})))`,
    given.limit,
  ),
);

/** Before all others. */
const start = {
  executionDate: '' as LocalDate,
  receivedAt: 0 as Instant,
  place: 0,
  nominalDate: '' as LocalDate,
  id: 0,
};

const openOfPayment = prepared((_db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
  dueRows(sql`${isOpen('e')} and e.payment_id = ${paymentId}`, sql.lit(-1)),
);

/**
 * One page of the executions that a run takes, in the order of rules.md T9, with current balances. The creditor is the
 * open account with that number, else the clearing account of the debtor's currency (S5, P5c). `after` is the last of
 * the page before. The cursor has all columns of the order: with the id alone SQLite would sort the remaining rows for
 * every page.
 */
export async function dueExecutions(
  reader: Reader,
  { date, at, lanes }: Pick<SettlementRun, 'date' | 'at' | 'lanes'>,
  after: SettlementPlace | null,
  limit: number,
): Promise<DueExecution[]> {
  const { executionDate, receivedAt, place, nominalDate, id } = after ?? start;
  const taken = { date, at, lanes: lanes === undefined ? null : JSON.stringify([...lanes]), limit };
  return dueOfRows(reader, await dueAfter(reader, { ...taken, executionDate, receivedAt, place, nominalDate, id }));
}

/** The open executions of a payment, in the order of rules.md T9, as a run now would see them. */
export async function openExecutionsOf(reader: Reader, paymentId: number): Promise<DueExecution[]> {
  return dueOfRows(reader, await openOfPayment(reader, { paymentId }));
}

/** The reason of a provoked rejection of `e`. If the table is empty, SQLite finds that out once, not for every row. */
const rejection = sql`case when exists (select 1 from provoked_rejection) then (select reason from provoked_rejection r
  where r.payment_id = e.payment_id and r.sequence = e.sequence) end`;

/** What the debtor has reserved; as with {@link rejection}, an empty table costs nothing. */
const reserved = sql`case when exists (select 1 from reservation) then ${reservedOn(sql`debtor.id`)} end`;

/** Whether this bank closed an account that had the creditor's number of `e`. */
function wasClosed(column: 'bban' | 'iban'): RawBuilder<Flag> {
  return sql`exists (select 1 from account gone
    where ${sql.ref(`gone.${column}`)} = e.creditor_number and gone.closed_at is not null)`;
}

function dueRows(condition: RawBuilder<unknown>, limit: RawBuilder<number>): RawBuilder<DueRow> {
  return sql<DueRow>`
    select e.id, e.payment_id, e.execution_date, e.received_at, e.nominal_date, e.place, e.attempts, e.amount_minor, e.is_foreign,
      e.creditor_number,
      ${rejection} as rejection,
      exists (select 1 from standing_order o where o.payment_id = e.payment_id) as is_occurrence,
      exists (select 1 from bulk_payment b where b.payment_id = e.payment_id) as is_bulk_item,
      debtor.id as debtor_id, debtor.balance_minor as debtor_balance_minor,
      debtor.credit_line_minor as debtor_credit_line_minor, debtor.currency as debtor_currency, ${reserved} as reserved,
      creditor.kind = 'clearing' and ${wasClosed('bban')} as was_closed, creditor.currency as creditor_currency,
      creditor.id as creditor_id, creditor.kind as creditor_kind, creditor.balance_minor as creditor_balance_minor
    from execution e
    join account debtor on debtor.id = e.debtor_account_id
    join account creditor on creditor.id = coalesce(
      (select id from account a where a.bban = e.creditor_number and a.closed_at is null),
      (select id from account c where c.kind = 'clearing' and c.currency = debtor.currency))
    where ${condition}
    order by ${inOrder}
    limit ${limit}`;
}

async function dueOfRows(reader: Reader, rows: readonly DueRow[]): Promise<DueExecution[]> {
  const foreign = await foreignParts(
    reader,
    rows.filter((row) => row.is_foreign === 1).map((row) => row.id),
  );
  return rows.map((row) => dueExecution(row, foreign.get(row.id)));
}

/** The creditor of a foreign payment may have another currency, so it comes from {@link foreignParts}. */
function dueExecution(row: DueRow, foreign: ForeignDue | undefined): DueExecution {
  const { creditor, refusal, parts } = foreign ?? domesticCreditor(row);
  return {
    id: row.id,
    paymentId: row.payment_id,
    isOccurrence: row.is_occurrence === 1,
    isBulkItem: row.is_bulk_item === 1,
    executionDate: row.execution_date,
    receivedAt: row.received_at,
    nominalDate: row.nominal_date,
    place: row.place,
    attempts: row.attempts,
    creditorNumber: row.creditor_number,
    rejection: row.rejection,
    amount: row.amount_minor,
    reserved: -wholeSum(row.reserved),
    debtor: {
      id: row.debtor_id,
      kind: 'customer',
      balance: row.debtor_balance_minor,
      creditLine: row.debtor_credit_line_minor,
    },
    creditor,
    creditorRefusal: refusal,
    foreign: parts,
  };
}

function domesticCreditor(row: DueRow): DueCreditor<null> {
  const { creditor_kind: kind, creditor_currency: currency, debtor_currency: credited } = row;
  const creditor = { id: row.creditor_id, kind, balance: row.creditor_balance_minor };
  const refusal = creditorRefusal({
    currency: kind === 'customer' ? currency : null,
    wasClosed: row.was_closed === 1,
    credited,
  });
  return { creditor, refusal, parts: null };
}

/** The creditor of a due payment, why it takes nothing, and what a foreign payment moves besides its amount. */
interface DueCreditor<Parts> {
  readonly creditor: AccountFunds;
  readonly refusal: string | null;
  readonly parts: Parts;
}

type ForeignDue = DueCreditor<ForeignParts>;

interface ForeignDueRow {
  id: number;
  debtor_currency: Currency;
  fee_minor: bigint;
  value_date: LocalDate | null;
  credit_minor: bigint;
  credit_currency: Currency;
  clearing_id: number;
  clearing_minor: bigint;
  exchange_id: number | null;
  exchange_minor: bigint | null;
  was_closed: Flag;
  creditor_id: number | null;
  creditor_currency: Currency | null;
  creditor_minor: bigint | null;
}

/**
 * The foreign parts of these executions, by execution. The creditor is the open account with that number, else the
 * clearing account of the debtor's currency: another bank exchanges then (rules.md S5, P5c, P11).
 */
async function foreignParts(reader: Reader, executionIds: readonly number[]): Promise<Map<number, ForeignDue>> {
  if (executionIds.length === 0) return new Map();
  const { rows } = await sql<ForeignDueRow>`
    select e.id, debtor.currency as debtor_currency, f.fee_minor, f.value_date, f.credit_minor, f.credit_currency,
      clearing.id as clearing_id, clearing.balance_minor as clearing_minor,
      exchange.id as exchange_id, exchange.balance_minor as exchange_minor,
      creditor.id is null and (${wasClosed('bban')} or ${wasClosed('iban')}) as was_closed,
      creditor.currency as creditor_currency,
      creditor.id as creditor_id, creditor.balance_minor as creditor_minor
    from execution e
    join foreign_transfer f on f.payment_id = e.payment_id
    join account debtor on debtor.id = e.debtor_account_id
    join account clearing on clearing.kind = 'clearing' and clearing.currency = debtor.currency
    left join account exchange on exchange.kind = 'clearing' and exchange.currency = f.credit_currency
    left join account creditor on creditor.id = coalesce(
      (select id from account a where a.bban = e.creditor_number and a.closed_at is null),
      (select id from account a where a.iban = e.creditor_number and a.closed_at is null))
    where e.id in ${keysTable(executionIds)}`.execute(reader);
  return new Map(rows.map((row) => [row.id, foreignDue(row)]));
}

function foreignDue(row: ForeignDueRow): ForeignDue {
  const clearing = { id: row.clearing_id, kind: 'clearing', balance: row.clearing_minor } as const;
  const parts = { fee: row.fee_minor, valueDate: row.value_date, clearing, exchange: null };
  const { creditor_currency: currency, credit_currency: credited } = row;
  const refusal = creditorRefusal({ currency, wasClosed: row.was_closed === 1, credited });
  const { creditor_id: id, creditor_minor: balance } = row;
  if (id === null || balance === null || refusal !== null) return { creditor: clearing, refusal, parts };
  const creditor = { id, kind: 'customer', balance } as const;
  if (credited === row.debtor_currency) return { creditor, refusal, parts };
  const { exchange_id: exchangeId, exchange_minor: exchangeBalance } = row;
  assert(exchangeId !== null && exchangeBalance !== null, `the clearing account in ${credited} was opened`);
  const exchange = {
    clearing: { id: exchangeId, kind: 'clearing' as const, balance: exchangeBalance },
    amount: row.credit_minor,
  };
  return { creditor, refusal, parts: { ...parts, exchange } };
}
