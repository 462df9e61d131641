import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Instant } from '../core/instant.ts';
import type { LocalDate } from '../core/local-date.ts';
import { openExecutionStatuses, statusAfter, type Attempt, type DueExecution } from '../core/settlement.ts';
import type { SettlementRun } from '../core/settlement-run.ts';
import type { Flag } from './codec.ts';
import { foreignParts, type ForeignDue } from './foreign-transfers.ts';
import { keysTable, rowsTable, type Reader, type Transaction } from './database.ts';
import { insertMany } from './insert-many.ts';
import type { ExecutionRow } from './tables.ts';

export type Execution = Selectable<ExecutionRow>;
export type NewExecution = Omit<Execution, 'id'>;

/** The status list of the partial index `execution_due`, spelled as there so that SQLite uses it. */
const isOpen = sql<boolean>`execution.status in ('ACSP', 'PDNG', 'ACCP')`;

const executionColumns = [
  'payment_id',
  'sequence',
  'nominal_date',
  'execution_date',
  'authorised_at',
  'debtor_account_id',
  'creditor_number',
  'amount_minor',
  'status',
  'attempts',
  'is_foreign',
] as const satisfies readonly (keyof NewExecution)[];

export async function insertExecutions(tx: Transaction, executions: readonly NewExecution[]): Promise<void> {
  await insertMany(tx, 'execution', executionColumns, executions, (execution) =>
    executionColumns.map((column) => execution[column]),
  );
}

/** An occurrence of a standing order that follows the execution of sequence `after`, with its accounts and amount. */
export interface FollowingExecution {
  readonly paymentId: number;
  readonly after: number;
  readonly sequence: number;
  readonly nominalDate: LocalDate;
  readonly executionDate: LocalDate;
}

/** Lays the next occurrences of many standing orders at once (rules.md R9). */
export async function insertFollowingExecutions(
  tx: Transaction,
  following: readonly FollowingExecution[],
): Promise<void> {
  if (following.length === 0) return;
  const rows = following.map((f) => [f.paymentId, f.after, f.sequence, f.nominalDate, f.executionDate]);
  await sql`insert into execution (payment_id, sequence, nominal_date, execution_date, authorised_at, debtor_account_id,
      creditor_number, amount_minor, status, attempts)
    select c0, c2, c3, c4, last.authorised_at, last.debtor_account_id, last.creditor_number, last.amount_minor, 'ACSP', 0
    from ${rowsTable(rows)} join execution last on last.payment_id = c0 and last.sequence = c1 order by c0, c2`.execute(
    tx,
  );
}

export function executionsOf(reader: Reader, paymentId: number): Promise<Execution[]> {
  return reader.selectFrom('execution').selectAll().where('payment_id', '=', paymentId).orderBy('sequence').execute();
}

/** The earliest execution date that still waits, or null. */
export async function earliestDueDate(reader: Reader): Promise<LocalDate | null> {
  const row = await reader
    .selectFrom('execution')
    .select('execution_date')
    .where(isOpen)
    .orderBy('execution_date')
    .limit(1)
    .executeTakeFirst();
  return row?.execution_date ?? null;
}

/** Where a page of due executions ended: its last row in the order of rules.md S3. */
export type DueCursor = Pick<DueExecution, 'executionDate' | 'authorisedAt' | 'nominalDate' | 'id'>;

interface DueRow {
  id: number;
  payment_id: number;
  is_occurrence: Flag;
  is_bulk_item: Flag;
  execution_date: LocalDate;
  authorised_at: Instant;
  nominal_date: LocalDate;
  attempts: number;
  is_foreign: Flag;
  debtor_id: number;
  creditor_id: number;
  creditor_kind: 'customer' | 'clearing';
  amount_minor: bigint;
  debtor_balance_minor: bigint;
  debtor_credit_line_minor: bigint;
  creditor_balance_minor: bigint;
  creditor_credit_line_minor: bigint;
}

/**
 * One page of what a run takes, in the order of rules.md S3, with the balances as they are now. The creditor is
 * the sandbox account of that number, else the clearing account of the debtor's currency (S5). Paged on the whole
 * order: paging by id alone would sort the rest again for every page.
 */
export function dueExecutions(
  reader: Reader,
  run: SettlementRun,
  after: DueCursor | null,
  limit: number,
): Promise<DueExecution[]> {
  const beyond =
    after === null
      ? sql``
      : sql`and (e.execution_date, e.authorised_at, e.nominal_date, e.id)
          > (${after.executionDate}, ${after.authorisedAt}, ${after.nominalDate}, ${after.id})`;
  return readDue(
    reader,
    sql`e.status in ('ACSP', 'PDNG', 'ACCP') and e.execution_date <= ${run.date} and e.authorised_at <= ${run.at}
      ${beyond}`,
    limit,
  );
}

/** The open executions of one payment, which is settled outside the runs (rules.md P10). */
export function openExecutionsOf(tx: Transaction, paymentId: number): Promise<DueExecution[]> {
  return readDue(tx, sql`e.status in ('ACSP', 'PDNG', 'ACCP') and e.payment_id = ${paymentId}`, -1);
}

async function readDue(reader: Reader, condition: RawBuilder<unknown>, limit: number): Promise<DueExecution[]> {
  const { rows } = await sql<DueRow>`
    select e.id, e.payment_id, e.execution_date, e.authorised_at, e.nominal_date, e.attempts, e.amount_minor, e.is_foreign,
      exists (select 1 from standing_order o where o.payment_id = e.payment_id) as is_occurrence,
      exists (select 1 from bulk_payment b where b.payment_id = e.payment_id) as is_bulk_item,
      debtor.id as debtor_id, debtor.balance_minor as debtor_balance_minor,
      debtor.credit_line_minor as debtor_credit_line_minor,
      creditor.id as creditor_id, creditor.kind as creditor_kind, creditor.balance_minor as creditor_balance_minor,
      creditor.credit_line_minor as creditor_credit_line_minor
    from execution e
    join account debtor on debtor.id = e.debtor_account_id
    join account creditor on creditor.id = coalesce(
      (select id from account a
        where a.bban = e.creditor_number and a.closed_at is null and a.currency = debtor.currency),
      (select id from account c where c.kind = 'clearing' and c.currency = debtor.currency))
    where ${condition}
    order by e.execution_date, e.authorised_at, e.nominal_date, e.id
    limit ${limit}`.execute(reader);
  const foreign = await foreignParts(
    reader,
    rows.filter((row) => row.is_foreign === 1).map((row) => row.id),
  );
  return rows.map((row) => dueOf(row, foreign.get(row.id)));
}

/** The creditor of a foreign payment may be an account of another currency: it comes with the other parts. */
function dueOf(row: DueRow, foreign: ForeignDue | undefined): DueExecution {
  const creditor = {
    id: row.creditor_id,
    kind: row.creditor_kind,
    balance: row.creditor_balance_minor,
    creditLine: row.creditor_credit_line_minor,
  };
  return {
    id: row.id,
    paymentId: row.payment_id,
    isOccurrence: row.is_occurrence === 1,
    isBulkItem: row.is_bulk_item === 1,
    executionDate: row.execution_date,
    authorisedAt: row.authorised_at,
    nominalDate: row.nominal_date,
    attempts: row.attempts,
    amount: row.amount_minor,
    debtor: {
      id: row.debtor_id,
      kind: 'customer',
      balance: row.debtor_balance_minor,
      creditLine: row.debtor_credit_line_minor,
    },
    creditor: foreign?.creditor ?? creditor,
    foreign: foreign?.parts ?? null,
  };
}

/**
 * Keeps attempts of a run, or of the bank outside the runs (null, rules.md P10), with the funds seen (rules.md S4, S10), and
 * the new statuses of their executions. Those of one outcome and number are written together.
 */
export async function saveAttempts(
  tx: Transaction,
  attempts: readonly Attempt[],
  run: SettlementRun | null,
): Promise<void> {
  for (const alike of Map.groupBy(attempts, ({ outcome, number }) => `${outcome} ${number}`).values()) {
    await saveAlike(tx, alike, run);
  }
}

async function saveAlike(tx: Transaction, attempts: readonly Attempt[], run: SettlementRun | null): Promise<void> {
  const [first] = attempts;
  if (first === undefined) return;
  const { outcome, number } = first;
  const change = { status: statusAfter[outcome], attempts: outcome === 'settle' ? number - 1 : number };
  const ids = keysTable(attempts.map(({ executionId }) => executionId));
  await tx.updateTable('execution').set(change).where('id', 'in', ids).execute();
  await insertMany(
    tx,
    'attempt',
    ['execution_id', 'available_minor', 'needed_minor'],
    attempts,
    ({ executionId, available, needed }) => [executionId, available, needed],
    { number, run_date: run?.date ?? null, run_number: run?.number ?? null, outcome },
  );
}

/** Whether an attempt found too little money: what ACCP says of a payment (rules.md S4). */
export async function hasLackedFunds(reader: Reader, paymentId: number): Promise<boolean> {
  const row = await reader
    .selectFrom('attempt')
    .innerJoin('execution', 'execution.id', 'attempt.execution_id')
    .select('attempt.number')
    .where('execution.payment_id', '=', paymentId)
    .whereRef('attempt.available_minor', '<', 'attempt.needed_minor')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of these payments still have an open execution. */
export async function withOpenExecutions(reader: Reader, paymentIds: readonly number[]): Promise<Set<number>> {
  if (paymentIds.length === 0) return new Set();
  const rows = await reader
    .selectFrom('execution')
    .select('payment_id')
    .distinct()
    .where('payment_id', 'in', keysTable(paymentIds))
    .where('status', 'in', openExecutionStatuses)
    .execute();
  return new Set(rows.map((row) => row.payment_id));
}

/** Cancels what has not settled of these payments (rules.md R10). */
export async function cancelOpenExecutions(tx: Transaction, paymentIds: readonly number[]): Promise<void> {
  await tx
    .updateTable('execution')
    .set({ status: 'CANC' })
    .where('payment_id', 'in', keysTable(paymentIds))
    .where('status', 'in', openExecutionStatuses)
    .execute();
}
