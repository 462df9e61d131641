import { osloDate, type Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { firstRunAfter, lastRunAtOrBefore, type SettlementRun } from '../time/rules/settlement-run.ts';
import { bankTime, type BankContext } from './bank-context.ts';

export interface ClockReading {
  readonly now: Instant;
  /** The bank date. */
  readonly date: LocalDate;
  readonly mode: 'running' | 'frozen';
  /** How many times as fast as the wall clock it goes while it runs. */
  readonly rate: number;
  readonly wall: Instant;
  /** The last scheduled run passed, empty or not (rules.md T6). */
  readonly lastRun: SettlementRun;
  /** The scheduled run that comes next; in the past for the moment in which a running clock has not been caught up. */
  readonly nextRun: SettlementRun;
}

/** Both clocks and the runs around the bank's (rules.md T1, T6). */
export function readClock(bank: BankContext): Promise<ClockReading> {
  return bank.ledger.read(async (reader) => {
    const { now, state } = await bankTime(bank, reader);
    const { clock_mode: mode, clock_rate: rate, last_run_at: lastRunAt } = state;
    return {
      now,
      date: osloDate(now),
      mode,
      rate,
      wall: bank.wall.now(),
      lastRun: lastRunAtOrBefore(lastRunAt, bank.runs),
      nextRun: firstRunAfter(lastRunAt, bank.runs),
    };
  });
}
