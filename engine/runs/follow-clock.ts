import { readBankClock, type BankClock } from '../time/rules/bank-clock.ts';
import { osloDate, startOfDay, type Instant } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import { firstRunAfter } from '../time/rules/settlement-run.ts';
import { earliestBooking } from '../accounts/rows/reservations.ts';
import { bankState, clockOf } from '../bank/rows/bank-state.ts';
import { advanceClock } from './advance-clock.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** State of the bank when the ledger was last read. */
interface Known {
  readonly version: number;
  readonly clock: BankClock;
  /** When the next scheduled run takes place, or a reservation is booked (rules.md D3d). */
  readonly nextAt: Instant;
}

/** Keeps up with the clock of one bank. */
export interface ClockFollower {
  /**
   * Advances the bank when its clock has reached a scheduled run or another day (rules.md T5). It reads the ledger only after
   * a write, so an idle bank costs no database work. `shouldStop` ends it between two runs; the next call goes on. Throws
   * what {@link advanceClock} throws.
   */
  catchUp(shouldStop?: () => boolean): Promise<void>;
  /** Whether the clock has passed a scheduled run, or a booking, that was not carried out when `catchUp` last looked. Reads no database. */
  isLate(): boolean;
}

export function followClock(bank: BankContext): ClockFollower {
  let known: Known | null = null;
  let day: LocalDate | null = null;
  return {
    catchUp: async (shouldStop = () => false) => {
      if (known?.version !== bank.ledger.version()) known = await look(bank);
      const now = readBankClock(known.clock, bank.steady.now());
      const today = osloDate(now);
      if (now < known.nextAt && today === day) return;
      await advanceClock(bank, 'now', { shouldStop: () => Promise.resolve(shouldStop()) });
      if (!shouldStop()) day = today;
    },
    isLate: () => known === null || readBankClock(known.clock, bank.steady.now()) >= known.nextAt,
  };
}

async function look(bank: BankContext): Promise<Known> {
  const version = bank.ledger.version();
  return bank.ledger.read(async (reader) => {
    const state = await bankState(reader);
    const booking = await earliestBooking(reader);
    const { at } = firstRunAfter(state.last_run_at, bank.runs);
    const nextAt = booking === null || startOfDay(booking) > at ? at : startOfDay(booking);
    return { version, clock: clockOf(state), nextAt };
  });
}
