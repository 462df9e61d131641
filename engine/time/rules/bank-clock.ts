import { type Instant, startOfDay } from '../../values/instant.ts';
import { addDuration } from '../../values/duration.ts';
import { addDays, type LocalDate, localDate } from '../../values/local-date.ts';
import { lastExecutionDate } from './occurrences.ts';

export type ClockMode = 'running' | 'frozen';

/**
 * The bank clock as stored (rules.md T1, T7). Running: `value` is bank time minus steady time (SteadyClock) in ms at
 * `since`; from then on `rate` ms of bank time pass per ms of steady time, also over a restart. Frozen: `value` is the
 * bank time, and `rate` applies once the clock runs again.
 */
export interface BankClock {
  readonly mode: ClockMode;
  readonly value: number;
  readonly rate: number;
  readonly since: Instant;
}

export type ClockPace = Pick<BankClock, 'mode' | 'rate'>;

/** From the speed of the wall clock to a day per second; whole numbers, so that bank time stays exact. */
export const clockRates = { from: 1, to: 86_400 } as const;

/** Whether a clock can run at this rate. */
export function isClockRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= clockRates.from && rate <= clockRates.to;
}

/** Bank time at a moment of the steady clock. Stops at the end of its range (rules.md T7). */
export function readBankClock(clock: BankClock, steady: Instant): Instant {
  if (clock.mode === 'frozen') return clock.value as Instant;
  const now = clock.since + clock.value + clock.rate * (steady - clock.since);
  return Math.min(now, clockRange.to) as Instant;
}

/** Creates a clock that shows `now` at this moment of the steady clock. */
export function setBankClock({ mode, rate }: ClockPace, now: Instant, steady: Instant): BankClock {
  return { mode, value: mode === 'frozen' ? now : now - steady, rate, since: steady };
}

/** The banking calendar starts a year earlier, so that there is always a run before. */
const firstDate = localDate('1990-01-01');

/** First and last instant of a bank clock: 00:00 on 1 January 1990 and the last ms of 2099, in Oslo (rules.md T7). */
export const clockRange: { readonly from: Instant; readonly to: Instant } = {
  from: startOfDay(firstDate),
  to: (startOfDay(addDays(lastExecutionDate, 1)) - 1) as Instant,
};

/** The date, or the first or last one of the calendar if it lies beyond them. */
export function withinCalendar(date: LocalDate): LocalDate {
  return date < firstDate ? firstDate : date > lastExecutionDate ? lastExecutionDate : date;
}

const maxAdvance = { months: 120, days: 0, seconds: 0 };

/** The latest target of one advance: 10 years ahead, within the range (control plane: POST /sandbox/clock/advance). */
export function furthestAdvance(from: Instant): Instant {
  return Math.min(addDuration(from, maxAdvance), clockRange.to) as Instant;
}
