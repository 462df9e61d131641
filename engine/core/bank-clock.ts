import type { Instant } from './instant.ts';

/**
 * The bank clock as kept in the ledger (rules.md T1, T7). Running: `value` is bank time minus wall time in ms, so
 * that time goes on over a restart. Frozen: `value` is the bank time itself.
 */
export interface BankClock {
  readonly mode: 'running' | 'frozen';
  readonly value: number;
}

/** The bank's time at a moment of the wall clock. */
export function readBankClock(clock: BankClock, wall: Instant): Instant {
  return (clock.mode === 'frozen' ? clock.value : wall + clock.value) as Instant;
}

/** A clock that shows `now` at this moment of the wall clock. */
export function setBankClock(mode: BankClock['mode'], now: Instant, wall: Instant): BankClock {
  return { mode, value: mode === 'frozen' ? now : now - wall };
}
