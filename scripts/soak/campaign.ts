import type { Seeded } from '../../tests/support/seeded.ts';

/** A long search for a fault of the bank: the same seed makes the same moves. */
export interface Campaign {
  /** What one unit of `count` is: `kills`, `requests`, `years`. */
  readonly unit: string;
  /** How many units a long run by hand has. */
  readonly usualCount: number;
  /** Ends with a {@link Violation} as soon as the bank breaks a promise. */
  run(soak: Soak): Promise<void>;
}

/** One run of a campaign. */
export interface Soak {
  readonly seed: number;
  readonly count: number;
  /** Follows from the seed: the only source of chance. */
  readonly random: Seeded;
  /** Counts something that happened: an answer's status, a killed reset. */
  tally(what: string, by?: number): void;
  /** One unit is done. */
  step(): void;
}

/** The bank broke a promise. The message says which, and what led there. */
export class Violation extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Violation';
  }
}
