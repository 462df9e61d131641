import { setBankClock, type ClockPace } from '../time/rules/bank-clock.ts';
import { lastRunAtOrBefore } from '../time/rules/settlement-run.ts';
import type { Instant } from '../values/instant.ts';
import type { Writer } from '../ledger/database.ts';
import type { BankContext } from './bank-context.ts';
import { newListKey } from './ids.ts';
import { clockRow, insertBankState } from './rows/bank-state.ts';

/** The bank clock at the start. */
export interface StartingPoint {
  readonly mode: ClockPace['mode'];
  readonly now: Instant;
  /** Bank time per wall time; {@link usualRate} when left out. */
  readonly rate?: number;
  /** The steady clock's reading at `now`; its present reading when left out. */
  readonly since?: Instant;
  /** Name of the known state; the bank's own when left out. */
  readonly fixtures?: string;
}

/** Bank time runs as fast as the wall clock. */
export const usualRate = 1;

/** Inserts the bank's row of state: the clock, and that nothing has happened yet. */
export async function insertStartingState(
  { runs, fixtures: ownFixtures }: Pick<BankContext, 'runs' | 'fixtures'>,
  tx: Writer,
  { mode, rate = usualRate, now, since, fixtures = ownFixtures }: StartingPoint & { readonly since: Instant },
): Promise<void> {
  await insertBankState(tx, {
    id: 1,
    seeded_at: now,
    seeded_mode: mode,
    ...clockRow(setBankClock({ mode, rate }, now, since)),
    settlement_times: runs.times.join(','),
    last_run_at: lastRunAtOrBefore(now, runs).at,
    unbooked_executions: 0,
    last_booking_at: now,
    ended_orders: 0,
    entries_before: 0,
    due_told: null,
    list_key: newListKey(),
    fixtures,
  });
}
