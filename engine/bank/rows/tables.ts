import type { ClockMode } from '../../time/rules/bank-clock.ts';
import type { Instant } from '../../values/instant.ts';
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
