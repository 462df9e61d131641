import { sql } from 'kysely';
import { assert } from '../../values/assert.ts';
import type { BankClock, ClockMode } from '../../time/rules/bank-clock.ts';
import type { Instant } from '../../values/instant.ts';
import type { Reader, Writer } from '../../ledger/database.ts';
import { type Given, placesOf, prepared } from '../../ledger/queries.ts';
import type { LocalDate } from '../../values/local-date.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    bank_state: BankStateRow;
  }
}

export interface BankStateRow {
  id: 1;
  /** A reset sets the clock to this instant and mode (rules.md T7). */
  seeded_at: Instant;
  seeded_mode: ClockMode;
  clock_mode: ClockMode;
  /** Running: bank time minus steady time (engine/time/clock.ts), in ms, at the steady clock's clock_since. Frozen: the bank time. */
  clock_value: number;
  /** Settlement times of this ledger, comma-separated; run numbers follow from them (rules.md T4). */
  settlement_times: string;
  /** The last scheduled run that has passed, empty runs included (rules.md T6). */
  last_run_at: Instant;
  /** Executions whose entries are pending: the run that books them counts them (rules.md S6). */
  unbooked_executions: number;
  /** The latest instant at which an execution's entries are booked; no pending one is booked later. */
  last_booking_at: Instant;
  /** Standing orders that the last run completed: the next run removes them from the payment API (rules.md R9). */
  ended_orders: number;
  /** Double executions of the last run: the next run corrects them (rules.md R8b). */
  double_executions: number;
  /** Speed relative to the steady clock, from clock_since on. */
  clock_rate: number;
  clock_since: Instant;
  /** The steady clock at the last write; after a restart it does not start earlier (rules.md T7). */
  clock_seen: Instant;
  /** Entries that this bank had before its last initialize: transactionIds count on from there (rules.md D7). */
  entries_before: number;
  /** What happens on the accounts that have a life has happened up to this instant; null: none has one (docs/life.md). */
  lived_until: Instant | null;
  /** The last day whose due payments were announced (rules.md S2b); null before the first. */
  due_told: LocalDate | null;
  /** Secret of the cursors of lists; another after each reset, initialize and restore (rules.md A9c). */
  list_key: string;
  /** Secret of the ids on the wire (rules.md Q3), drawn with the ids of the known state. */
  wire_key: string;
  /** The quirks that were switched since the last reset, as a list (rules.md Q1); null: those of the start. */
  quirks: string | null;
  /** Name of the known state that the ledger began with. */
  fixtures: string;
  /** Hash of its content ({@link hashOfKnownState}): a file of fixtures can be edited, and keep its name. */
  known_state_hash: string;
  /** Id of the profile that it began with (rules.md Q8); null: none. */
  profile: string | null;
}

const selectState = prepared((db: Reader) => db.selectFrom('bank_state').selectAll());

/** The bank's one row of state; undefined before the first seeding. */
export async function findBankState(reader: Reader): Promise<BankStateRow | undefined> {
  const [state] = await selectState(reader, {});
  return state;
}

export async function bankState(reader: Reader): Promise<BankStateRow> {
  const state = await findBankState(reader);
  assert(state !== undefined, 'the ledger holds the state of a seeded bank');
  return state;
}

/** Replaces the bank's one row of state. */
export async function replaceBankState(tx: Writer, state: BankStateRow): Promise<void> {
  await tx.replaceInto('bank_state').values(state).execute();
}

const updateSeen = prepared((tx: Writer, { steady }: Given<{ steady: Instant }>) =>
  tx.updateTable('bank_state').set({ clock_seen: steady }).returningAll(),
);

/**
 * Reads the state and stores this moment of the steady clock in one statement, so that the clock does not fall behind it after a
 * restart (rules.md T7). Write transactions use it instead of {@link bankState}.
 */
export async function stateSeenAt(tx: Writer, steady: Instant): Promise<BankStateRow> {
  const [state] = await updateSeen(tx, { steady });
  assert(state !== undefined, 'the ledger holds the state of a seeded bank');
  return state;
}

/** The bank clock in a row of state. */
export function clockOf(state: Omit<ClockColumns, 'clock_seen'>): BankClock {
  return { mode: state.clock_mode, value: state.clock_value, rate: state.clock_rate, since: state.clock_since };
}

const clockColumns = ['clock_mode', 'clock_value', 'clock_rate', 'clock_since', 'clock_seen'] as const;
type ClockColumns = Pick<BankStateRow, (typeof clockColumns)[number]>;

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
  'double_executions',
  'lived_until',
] as const;
type Progress = Pick<BankStateRow, (typeof progressColumns)[number]>;

/** Stores how far an advance has come. */
export const saveProgress = prepared((tx: Writer, given: Given<Progress>) =>
  tx.updateTable('bank_state').set(placesOf(given, progressColumns)),
);

/** Stores columns that change rarely. */
export async function saveState(
  tx: Writer,
  change: Partial<Pick<BankStateRow, 'settlement_times' | 'lived_until' | 'list_key' | 'quirks' | 'profile'>>,
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
