import { sql } from 'kysely';
import { assert } from '../../values/assert.ts';
import type { BankClock } from '../../time/rules/bank-clock.ts';
import type { Instant } from '../../values/instant.ts';
import type { Reader, Row, Writer } from '../../ledger/database.ts';
import { type Given, placesOf, prepared } from '../../ledger/queries.ts';

const selectState = prepared((db: Reader) => db.selectFrom('bank_state').selectAll());

/** The bank's one row of state; undefined before the first seeding. */
export async function findBankState(reader: Reader): Promise<Row<'bank_state'> | undefined> {
  const [state] = await selectState(reader, {});
  return state;
}

export async function bankState(reader: Reader): Promise<Row<'bank_state'>> {
  const state = await findBankState(reader);
  assert(state !== undefined, 'the ledger holds the state of a seeded bank');
  return state;
}

/** Replaces the bank's one row of state. */
export async function replaceBankState(tx: Writer, state: Row<'bank_state'>): Promise<void> {
  await tx.replaceInto('bank_state').values(state).execute();
}

const updateSeen = prepared((tx: Writer, { steady }: Given<{ steady: Instant }>) =>
  tx.updateTable('bank_state').set({ clock_seen: steady }).returningAll(),
);

/**
 * Reads the state and stores this moment of the steady clock in one statement, so that the clock does not fall behind
 * it after a restart (rules.md T7). Write transactions use it instead of {@link bankState}.
 */
export async function stateSeenAt(tx: Writer, steady: Instant): Promise<Row<'bank_state'>> {
  const [state] = await updateSeen(tx, { steady });
  assert(state !== undefined, 'the ledger holds the state of a seeded bank');
  return state;
}

/** The bank clock in a row of state. */
export function clockOf(state: Omit<ClockColumns, 'clock_seen'>): BankClock {
  return { mode: state.clock_mode, value: state.clock_value, rate: state.clock_rate, since: state.clock_since };
}

const clockColumns = ['clock_mode', 'clock_value', 'clock_rate', 'clock_since', 'clock_seen'] as const;
type ClockColumns = Pick<Row<'bank_state'>, (typeof clockColumns)[number]>;

/** The columns of a clock that was set just now. */
export function clockRow({ mode, value, rate, since }: BankClock): ClockColumns {
  return { clock_mode: mode, clock_value: value, clock_rate: rate, clock_since: since, clock_seen: since };
}

export const saveClock = prepared((tx: Writer, given: Given<ClockColumns>) =>
  tx.updateTable('bank_state').set(placesOf(given, clockColumns)),
);

/** The columns that an advance changes. */
const progressColumns = [
  ...clockColumns,
  'due_told',
  'last_run_at',
  'unbooked_executions',
  'last_booking_at',
  'ended_orders',
  'lived_until',
] as const;
type StateProgress = Pick<Row<'bank_state'>, (typeof progressColumns)[number]>;

/** Stores how far an advance has come. */
export const saveProgress = prepared((tx: Writer, given: Given<StateProgress>) =>
  tx.updateTable('bank_state').set(placesOf(given, progressColumns)),
);

/** Stores columns that change rarely. */
export async function saveState(
  tx: Writer,
  change: Partial<
    Pick<Row<'bank_state'>, 'settlement_times' | 'lived_until' | 'list_key' | 'access_key' | 'quirks' | 'profile'>
  >,
): Promise<void> {
  await tx.updateTable('bank_state').set(change).execute();
}

/** Adds an execution that a run books at `bookedAt`; it settled outside a run (rules.md P10). */
export async function addUnbookedExecution(tx: Writer, bookedAt: Instant): Promise<void> {
  await tx
    .updateTable('bank_state')
    .set((eb) => ({
      unbooked_executions: eb('unbooked_executions', '+', 1),
      last_booking_at: sql<Instant>`max(last_booking_at, ${bookedAt})`,
    }))
    .execute();
}

/** Whether any run had something to do since the ledger was created. */
export async function anySettlementRun(reader: Reader): Promise<boolean> {
  return (await reader.selectFrom('settlement_run').select('number').limit(1).executeTakeFirst()) !== undefined;
}
