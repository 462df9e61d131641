import { type Instant, startOfDay } from '../../values/instant.ts';
import { addDuration } from '../../values/duration.ts';
import { addDays, localDate } from '../../values/local-date.ts';
import { lastExecutionDate } from './nominal-dates.ts';

export type ClockMode = 'running' | 'frozen';

/**
 * The bank clock as kept in the ledger (rules.md T1, T7). Running: `value` is bank time minus steady time (engine/time/clock.ts)
 * in ms at its `since`, and from then on `rate` ms pass for each of it, over a restart too. Frozen: `value` is the
 * bank time itself, and `rate` what it will run at.
 */
export interface BankClock {
  readonly mode: ClockMode;
  readonly value: number;
  readonly rate: number;
  readonly since: Instant;
}

/** How a clock moves by itself. */
export type ClockPace = Pick<BankClock, 'mode' | 'rate'>;

/** As the wall clock goes, up to a day a second: whole, so that the bank time stays exact. */
export const clockRates = { from: 1, to: 86_400 } as const;

export function isClockRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= clockRates.from && rate <= clockRates.to;
}

/** The bank's time at a moment of the steady clock. At the end of its range it stands (rules.md T7). */
export function readBankClock(clock: BankClock, steady: Instant): Instant {
  if (clock.mode === 'frozen') return clock.value as Instant;
  const now = clock.since + clock.value + clock.rate * (steady - clock.since);
  return Math.min(now, clockRange.to) as Instant;
}

/** A clock that shows `now` at this moment of the steady clock. */
export function setBankClock({ mode, rate }: ClockPace, now: Instant, steady: Instant): BankClock {
  return { mode, value: mode === 'frozen' ? now : now - steady, rate, since: steady };
}

/** The years that the banking calendar covers with a year to spare on either side, so that there is a run before and after. */
const firstDate = localDate('1991-01-01');

/** The first and the last instant that a bank clock can be set to: 00:00 on 1 January 1991, the last ms of 2099 (rules.md T7). */
export const clockRange: { readonly from: Instant; readonly to: Instant } = {
  from: startOfDay(firstDate),
  to: (startOfDay(addDays(lastExecutionDate, 1)) - 1) as Instant,
};

const longestAdvance = { months: 120, days: 0, seconds: 0 };

/** How far one call may advance: 10 years, and never beyond the range (control plane: POST /sandbox/clock/advance). */
export function furthestAdvance(from: Instant): Instant {
  return Math.min(addDuration(from, longestAdvance), clockRange.to) as Instant;
}
