import type { ClockMode } from '../../time/rules/bank-clock.ts';
import type { Instant } from '../../values/instant.ts';

declare module '../../ledger/tables.ts' {
  interface Tables {
    bank_state: BankStateRow;
  }
}

export interface BankStateRow {
  id: 1;
  /** What a reset sets the clock to (rules.md T7). */
  seeded_at: Instant;
  seeded_mode: ClockMode;
  clock_mode: ClockMode;
  /** Running: bank time minus steady time (engine/time/clock.ts), in ms, at the steady clock's clock_since. Frozen: the bank time. */
  clock_value: number;
  /** The times that the runs of this ledger are numbered by, comma-separated (rules.md T4). */
  settlement_times: string;
  /** The last scheduled run passed, empty or not (rules.md T6). */
  last_run_at: Instant;
  /** Executions that settled since the last run: the next run books their entries (rules.md S6). */
  unbooked_executions: number;
  /** Standing orders that the last run completed: the next run takes them out of the payment API (rules.md R9). */
  ended_orders: number;
  /** How many times as fast as the wall clock it runs, from clock_since on. */
  clock_rate: number;
  clock_since: Instant;
  /** The last moment of the steady clock that a writing transaction saw: it starts there again, or later (rules.md T7). */
  clock_seen: Instant;
}
