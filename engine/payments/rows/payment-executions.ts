import { sql } from 'kysely';
import type { ExecutionStatus } from '../../settlement/rules/decide-attempts.ts';
import type { TransactionStatus } from '../../values/transaction-status.ts';
import { isOpen } from '../../settlement/rows/executions.ts';
import { laneWith } from '../../time/rules/lanes.ts';
import type { Instant } from '../../values/instant.ts';
import { partSize, readInParts } from '../../values/lists.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Reader } from '../../ledger/database.ts';
import { countIn, type Given, keysIn, prepared, type RowFrom } from '../../ledger/queries.ts';
import { namedPayments } from './payments.ts';
import type { FailedPart } from '../rules/notes.ts';

/** The days after `after`, or from the beginning if it is null, up to and including `through`. */
interface DueDays {
  readonly after: LocalDate | null;
  readonly through: LocalDate;
}

const firstDueRow = prepared((db: Reader, { after, through }: Given<{ after: LocalDate; through: LocalDate }>) =>
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
 * The first of these days on which an ACSP single or bulk payment is due (rules.md S2b), or null. Goes through the open
 * executions of these days in the order of the index.
 */
export async function firstDueDay(reader: Reader, { after, through }: DueDays): Promise<LocalDate | null> {
  const [row] = await firstDueRow(reader, { after: after ?? ('' as LocalDate), through });
  return row?.execution_date ?? null;
}

/** Where a page of due payments begins: after a payment, in the order of rules.md T9. */
interface DueAfter {
  readonly receivedAt: Instant;
  readonly place: number;
}

/** `initiated` has the order of initiation. */
type DuePaymentRow = DueAfter & { readonly id: number; readonly initiated: number };

/** A page of the ACSP single and bulk payments that are due on a day. A bulk payment has many executions. */
const dueOn = prepared(
  (_db: Reader, { date, receivedAt, place }: Given<DueAfter & { date: LocalDate }>) =>
    sql<DuePaymentRow>`select p.id, ${countIn('p')} as initiated, e.received_at as receivedAt, e.place
      from execution e cross join payment p on p.id = e.payment_id
      where ${isOpen('e')} and e.execution_date = ${date} and (e.received_at, e.place) > (${receivedAt}, ${place})
        and e.status = 'ACSP' and p.status = 'ACSP' and p.execution_date = ${date}
      group by e.received_at, e.place order by e.received_at, e.place limit ${sql.lit(partSize)}`,
);

/**
 * The ids of the ACSP single and bulk payments that are due on a day, the first initiated first: the last `max`, and
 * how many come before.
 */
export async function paymentsDueOn(
  reader: Reader,
  date: LocalDate,
  max: number,
): Promise<{ readonly last: readonly string[]; readonly leftOut: number }> {
  let last: readonly DuePaymentRow[] = [];
  let count = 0;
  let after: DueAfter | undefined = { receivedAt: 0 as Instant, place: 0 };
  while (after !== undefined) {
    const { receivedAt, place }: DueAfter = after;
    const page: readonly DuePaymentRow[] = await dueOn(reader, { date, receivedAt, place });
    const sorted = [...last, ...page].sort((one, other) => one.initiated - other.initiated);
    last = sorted.slice(Math.max(0, sorted.length - max));
    count += page.length;
    after = page.length < partSize ? undefined : page.at(-1);
  }
  const namedBy = await namedPayments(
    reader,
    last.map(({ id }) => id),
  );
  return { last: last.map(({ id }) => namedBy(id).resource_id), leftOut: count - last.length };
}

const failedRows = prepared((db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
  db
    .selectFrom('execution')
    .leftJoin('attempt', (join) =>
      join.onRef('attempt.execution_id', '=', 'execution.id').onRef('attempt.number', '=', 'execution.attempts'),
    )
    .leftJoin('provoked_rejection as rejected', (join) =>
      join
        .onRef('rejected.payment_id', '=', 'execution.payment_id')
        .onRef('rejected.sequence', '=', 'execution.sequence'),
    )
    .select([
      'execution.sequence',
      'execution.nominal_date',
      'execution.status',
      'execution.lane',
      'attempt.number',
      'attempt.run_date',
      'attempt.run_number',
      'attempt.available_minor',
      'attempt.needed_minor',
      'attempt.reason',
      'rejected.reason as provoked',
    ])
    .where('execution.payment_id', '=', paymentId)
    .where('execution.status', 'in', ['RJCT', 'ACCP', 'CANC'])
    .orderBy('execution.sequence'),
);

/**
 * The executions of a payment that were rejected or cancelled, or lacked funds at their last attempt, by sequence
 * (rules.md S7b, S9c).
 */
export async function failedExecutions(reader: Reader, paymentId: number): Promise<FailedPart[]> {
  const rows = await failedRows(reader, { paymentId });
  return rows.map((row) => ({
    sequence: row.sequence,
    nominalDate: row.nominal_date,
    status: row.status as FailedPart['status'],
    lane: laneWith(row.lane),
    attempt: failedAttempt(row),
    rejection: row.reason ?? row.provoked,
  }));
}

function failedAttempt(row: RowFrom<typeof failedRows>): FailedPart['attempt'] {
  const { number, run_date: date, run_number: runNumber, available_minor: available, needed_minor: needed } = row;
  if (number === null || available === null || needed === null) return null;
  return { number, run: date === null || runNumber === null ? null : { date, number: runNumber }, available, needed };
}

/** A payment with the statuses of its executions, each once. */
interface PaymentProgress {
  readonly paymentId: number;
  readonly status: TransactionStatus;
  readonly parts: ReadonlySet<ExecutionStatus>;
}

/** The progress of these payments, by key; a payment without an execution is left out. */
export function progressOf(reader: Reader, paymentIds: readonly number[]): Promise<PaymentProgress[]> {
  return readInParts(paymentIds, (some) => progressOfSome(reader, some), progressAtOnce);
}

/** How many payments one query reads; each may have thousands of executions. */
const progressAtOnce = 20;

const partsOf = prepared((db: Reader, { ids }: Given<{ ids: string }>) =>
  db
    .selectFrom('execution')
    .innerJoin('payment', 'payment.id', 'execution.payment_id')
    .select(['execution.payment_id', 'execution.status as part', 'payment.status'])
    .distinct()
    .where('execution.payment_id', 'in', keysIn<number>(ids))
    .orderBy('execution.payment_id'),
);

async function progressOfSome(reader: Reader, paymentIds: readonly number[]): Promise<PaymentProgress[]> {
  const rows = await partsOf(reader, { ids: JSON.stringify(paymentIds) });
  return [...Map.groupBy(rows, (row) => row.payment_id)].flatMap(([paymentId, parts]) => {
    const status = parts[0]?.status;
    return status === undefined ? [] : [{ paymentId, status, parts: new Set(parts.map(({ part }) => part)) }];
  });
}
