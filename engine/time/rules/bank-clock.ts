import { clockRange } from './clock-range.ts';
import type { Instant } from '../../values/instant.ts';

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
