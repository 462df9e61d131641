import { osloDate, type Instant } from '../values/instant.ts';
import { type LocalDate, addDays } from '../values/local-date.ts';
import { firstRunAfter, lastRunAtOrBefore, type SettlementRun, runsOn } from '../time/rules/settlement-run.ts';
import { earlyCloseOn, noReceiving, type TimeTable } from '../time/rules/receiving.ts';
import { bankTime, type BankContext } from './bank-context.ts';

export interface ClockReading {
  readonly now: Instant;
  /** The bank date. */
  readonly date: LocalDate;
  readonly mode: 'running' | 'frozen';
  /** Speed relative to the wall clock while the clock runs. */
  readonly rate: number;
  readonly wall: Instant;
  /** The last scheduled run that has passed, empty runs included (rules.md T6). */
  readonly lastRun: SettlementRun;
  /** The run after `lastRun`. Before `now` for a moment, until a running clock has been followed. */
  readonly nextRun: SettlementRun;
}

/** Bank clock and wall clock, with the last and the next run (rules.md T1, T6). */
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

export interface CalendarDay {
  readonly date: LocalDate;
  /** The holiday's name, `Saturday` or `Sunday`; null on a banking day. */
  readonly closure: string | null;
  readonly runs: readonly SettlementRun[];
  /** The cut-offs of a banking day that closes early, by the names of products or for `all` (rules.md T4e). */
  readonly earlyClose: TimeTable;
}

/** The days from `from` to `to`, both included, with their runs (rules.md T3, T4). */
export function describeCalendar(bank: BankContext, from: LocalDate, to: LocalDate): CalendarDay[] {
  const { calendar, receiving = noReceiving } = bank.runs;
  const days: CalendarDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const closure = calendar.closure(date);
    const earlyClose = closure === null ? earlyCloseOn(date, receiving.earlyClose, calendar) : {};
    days.push({ date, closure, runs: runsOn(date, bank.runs), earlyClose });
  }
  return days;
}
