import type { WallClock } from '../../engine/time/clock.ts';
import { type BankClock, type ClockPace, readBankClock, setBankClock } from '../../engine/time/rules/bank-clock.ts';
import type { Instant } from '../../engine/values/instant.ts';

/** The clock of the banks that nobody has asked yet. A bank takes it over when it is made. */
export class UnaskedClock {
  readonly #wall: Pick<WallClock, 'now'>;
  #clock: BankClock;
  /** Whether a call has moved it since the start. */
  isMoved = false;

  constructor(wall: Pick<WallClock, 'now'>, start: { readonly now: Instant; readonly mode: ClockPace['mode'] }) {
    this.#wall = wall;
    this.#clock = setBankClock({ mode: start.mode, rate: 1 }, start.now, wall.now());
  }

  get now(): Instant {
    return readBankClock(this.#clock, this.#wall.now());
  }

  get pace(): ClockPace {
    return { mode: this.#clock.mode, rate: this.#clock.rate };
  }

  move(to: Instant, pace: Partial<ClockPace>): void {
    this.#clock = setBankClock({ ...this.pace, ...pace }, to, this.#wall.now());
    this.isMoved = true;
  }
}
