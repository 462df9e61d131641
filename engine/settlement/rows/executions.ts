import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { type Instant, osloDate } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Occurrence } from '../../time/rules/occurrences.ts';
import type { AskedDays } from '../rules/posting-dates.ts';
import { afterAttempt, openExecutionStatuses, type SettlementDecision } from '../rules/decide-attempts.ts';
import type { SettlementRun } from '../../time/rules/settlement-run.ts';
import { groupAlike, inParts, readInParts } from '../../values/lists.ts';
import { type Lane, laneKey } from '../../time/rules/lanes.ts';
import type { Reader, Row, Writer } from '../../ledger/database.ts';
import {
  type Given,
  prepared,
  insertMany,
  keyBefore,
  keysIn,
  keysOfDay,
  keysTable,
  rowsIn,
  preparedOne,
} from '../../ledger/queries.ts';

export type Execution = Row<'execution'>;

/**
 * SQL condition: the status of a row of `alias` is open. Written as that of the partial index `execution_due`, or
 * SQLite does not use the index.
 */
export function isOpen(alias: string): RawBuilder<SqlBool> {
  const status = sql.ref(`${alias}.status`);
  return sql`(${sql.join(
    openExecutionStatuses.map((open) => sql`${status} = ${sql.lit(open)}`),
    sql` or `,
  )})`;
}

/** What all executions of a payment have in common when it is signed. */
export interface SignedPayment {
  readonly paymentId: number;
  readonly lane: Lane;
  readonly status: (typeof openExecutionStatuses)[number];
}

/** The greatest key of an execution of a day, or {@link keyBefore} it. */
function lastExecutionOn(date: RawBuilder<unknown>): RawBuilder<number> {
  const before = keyBefore(date);
  return sql`coalesce((select max(id) from execution where id > ${before} and id < ${before} + ${sql.lit(keysOfDay)}), ${before})`;
}

/** The last key of the execution date, which is the third column of the given rows. */
const lastKey = lastExecutionOn(sql.ref('c2'));

const insertPlanned = prepared(
  (
    _tx: Writer,
    { rows, paymentId, lane, status }: Given<{ rows: string; paymentId: number; lane: string; status: string }>,
  ) =>
    // A payment has several transfers or several occurrences, never both, so the sum of both numbers is unique.
    sql`insert into execution (id, payment_id, sequence, nominal_date, execution_date, received_at, place, lane, debtor_account_id,
      creditor_number, amount_minor, status, attempts, is_foreign)
    select ${lastKey} + row_number() over (order by c0 + t.sequence),
      p.id, c0 + t.sequence, c1, c2, p.received_at, p.place, ${lane}, t.debtor_account_id, t.creditor_number,
      coalesce(f.debit_minor, t.amount_minor), ${status}, 0, f.payment_id is not null
    from ${rowsIn(rows, 3)} cross join payment p on p.id = ${paymentId} join credit_transfer t on t.payment_id = p.id
      left join foreign_transfer f on f.payment_id = p.id
    order by 3`,
);

/**
 * Schedules an execution for each transfer of a payment, and for each of these occurrences (rules.md S3, R4). It copies
 * place and `received_at` of the payment, which must be authorised before. Amounts are in the debtor account's
 * currency: for a foreign payment the priced amount (P11).
 */
export async function insertExecutions(
  tx: Writer,
  { paymentId, lane, status }: SignedPayment,
  planned: readonly Pick<Occurrence, 'index' | 'nominalDate' | 'executionDate'>[],
): Promise<void> {
  const signed = { paymentId, lane: laneKey(lane), status };
  for (const some of inParts(planned)) {
    const rows = some.map(({ index, nominalDate, executionDate }) => [index, nominalDate, executionDate]);
    await insertPlanned(tx, { ...signed, rows: JSON.stringify(rows) });
  }
}

/** The last key of the execution date, which is the fourth column of the given rows. */
const lastKeyOfFollowing = lastExecutionOn(sql.ref('c3'));

/** A later occurrence of a standing order, and the execution of an earlier one: they differ in their dates. */
interface FollowingExecution extends Pick<Occurrence, 'index' | 'nominalDate' | 'executionDate'> {
  /** A key of {@link Execution}. */
  readonly after: number;
}

const insertFollowing = prepared(
  (_tx: Writer, { rows }: Given<{ rows: string }>) =>
    sql`insert into execution (id, payment_id, sequence, nominal_date, execution_date, received_at, place, lane, debtor_account_id,
      creditor_number, amount_minor, status, attempts)
    select ${lastKeyOfFollowing} + row_number() over (order by e.payment_id, c1), e.payment_id, c1, c2, c3, e.received_at, e.place, e.lane, e.debtor_account_id, e.creditor_number, e.amount_minor, 'ACSP', 0
    from ${rowsIn(rows, 4)} cross join execution e on e.id = c0
    order by 2, 3`,
);

/** Schedules the next occurrences: each settles as a payment of its own (rules.md R9). */
export async function insertFollowingExecutions(tx: Writer, following: readonly FollowingExecution[]): Promise<void> {
  for (const some of inParts(following)) {
    const rows = some.map(({ after, index, nominalDate, executionDate }) => [after, index, nominalDate, executionDate]);
    await insertFollowing(tx, { rows: JSON.stringify(rows) });
  }
}

/** All executions of a payment, by sequence. */
export const executionsOf = prepared((db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
  db.selectFrom('execution').selectAll().where('payment_id', '=', paymentId).orderBy('sequence'),
);

/** The dates of the first of a payment's executions that no run has tried. */
export const firstUntried = preparedOne((db: Reader, { paymentId }: Given<{ paymentId: number }>) =>
  db
    .selectFrom('execution')
    .select(['sequence as index', 'nominal_date as nominalDate', 'execution_date as executionDate'])
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'ACSP')
    .orderBy('execution_date')
    .orderBy('nominal_date')
    .limit(sql.lit(1)),
);

interface NewExecutionStatus extends Pick<Execution, 'status' | 'attempts'> {
  /** The keys of the executions, as JSON. */
  readonly ids: string;
}

const updateExecutions = prepared(
  (_tx: Writer, { status, attempts, ids }: Given<NewExecutionStatus>) =>
    sql`update or fail execution set status = ${status}, attempts = ${attempts} where id in ${keysIn(ids)}`,
);

/**
 * Stores the attempts of decisions with the funds seen (rules.md S4, S10) and the new statuses of their executions.
 * `run` is null for an instant payment (P10). Attempts with the same outcome, number and reason are written in one
 * statement.
 */
export async function saveAttempts(
  tx: Writer,
  decisions: readonly SettlementDecision[],
  run: SettlementRun | null,
): Promise<void> {
  const keyOf = ({ outcome, attempt, reason }: SettlementDecision): string => `${outcome} ${attempt} ${reason ?? ''}`;
  const isAlike = (one: SettlementDecision, other: SettlementDecision): boolean =>
    one.outcome === other.outcome && one.attempt === other.attempt && one.reason === other.reason;
  for (const group of groupAlike(decisions, keyOf, isAlike)) await saveGroup(tx, group, run);
}

async function saveGroup(tx: Writer, alike: readonly SettlementDecision[], run: SettlementRun | null): Promise<void> {
  const [first] = alike;
  if (first === undefined) return;
  const { outcome, attempt: number, reason } = first;
  await updateExecutions(tx, {
    ...afterAttempt(first),
    ids: JSON.stringify(alike.map(({ execution }) => execution.id)),
  });
  await insertMany(tx, 'attempt', {
    columns: ['execution_id', 'available_minor', 'needed_minor'],
    items: alike,
    rowOf: ({ execution, available, needed }) => [execution.id, available, needed],
    shared: { number, run_date: run?.date ?? null, run_number: run?.number ?? null, outcome, reason },
  });
}

/**
 * {@link AskedDays} of these authorised payments, by key; a standing order has the nominal dates of its occurrences
 * instead.
 */
export async function askedDays(
  reader: Reader,
  paymentIds: readonly number[],
): Promise<ReadonlyMap<number, AskedDays>> {
  const rows = await readInParts([...new Set(paymentIds)], async (some) => {
    const found = await sql<{ id: number; requested: LocalDate | null; initiated_at: Instant; authorised_at: Instant }>`
      select p.id, i.body ->> '$.requestedExecutionDate' as requested, p.initiated_at, p.authorised_at
      from payment p join payment_initiation i on i.payment_id = p.id where p.id in ${keysTable(some)}`.execute(reader);
    return found.rows;
  });
  return new Map(
    rows.map(({ id, requested, initiated_at: at, authorised_at: signedAt }) => {
      return [id, { wanted: requested ?? osloDate(at), signed: osloDate(signedAt) }];
    }),
  );
}

const cancelOpen = prepared((tx: Writer, { ids }: Given<{ ids: string }>) =>
  tx
    .updateTable('execution')
    .set({ status: sql.lit('CANC') })
    .where('payment_id', 'in', keysIn<number>(ids))
    .where(isOpen('execution')),
);

/** Cancels the open executions of these payments (rules.md R10). */
export async function cancelOpenExecutions(tx: Writer, paymentIds: readonly number[]): Promise<void> {
  for (const some of inParts(paymentIds)) {
    await cancelOpen(tx, { ids: JSON.stringify(some) });
  }
}

/** Sets the amount of a payment's open executions. */
export async function changeOpenAmount(tx: Writer, paymentId: number, minor: bigint): Promise<void> {
  await tx
    .updateTable('execution')
    .set({ amount_minor: minor })
    .where('payment_id', '=', paymentId)
    .where(isOpen('execution'))
    .execute();
}

/**
 * Sets the date of the open executions of a single or bulk payment; they take over when the payment now counts as
 * received, and the amount of a foreign one, whose rate may be fixed again (rules.md P14, T4f).
 */
export async function changeOpenDate(tx: Writer, paymentId: number, date: LocalDate): Promise<void> {
  await tx
    .updateTable('execution')
    .set({
      nominal_date: date,
      execution_date: date,
      received_at: sql`(select received_at from payment p where p.id = execution.payment_id)`,
      amount_minor: sql`coalesce((select debit_minor from foreign_transfer f where f.payment_id = execution.payment_id), amount_minor)`,
    })
    .where('payment_id', '=', paymentId)
    .where(isOpen('execution'))
    .execute();
}

const updateLanes = prepared(
  (_tx: Writer, { rows }: Given<{ rows: string }>) =>
    sql`update execution set lane = c1 from ${rowsIn(rows, 2)} where payment_id = c0 and ${isOpen('execution')}`,
);

/** Stores the lanes of the open executions of these payments (rules.md T9). */
export async function saveLanes(
  tx: Writer,
  lanes: readonly { readonly paymentId: number; readonly lane: Lane }[],
): Promise<void> {
  for (const some of inParts(lanes)) {
    await updateLanes(tx, { rows: JSON.stringify(some.map(({ paymentId, lane }) => [paymentId, laneKey(lane)])) });
  }
}
