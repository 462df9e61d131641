import { type Seeded, seeded } from '../../tests/support/seeded.ts';

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

interface CampaignReport {
  readonly seed: number;
  /** Units done. */
  readonly done: number;
  readonly tallies: Readonly<Record<string, number>>;
  /** Null: the bank kept every promise. */
  readonly violation: string | null;
}

interface CampaignOptions {
  readonly seed: number;
  readonly count: number;
  /** Hears of each unit. */
  readonly progress?: (done: number) => void;
}

/** Runs a campaign to its end or to the first violation. Errors that are no violation are thrown as they are. */
export async function runCampaign(campaign: Campaign, options: CampaignOptions): Promise<CampaignReport> {
  const { seed, count, progress } = options;
  const tallies = new Map<string, number>();
  let done = 0;
  const report = (violation: string | null): CampaignReport => {
    const sorted = [...tallies].sort(([one], [other]) => (one < other ? -1 : 1));
    return { seed, done, tallies: Object.fromEntries(sorted), violation };
  };
  try {
    await campaign.run({
      seed,
      count,
      random: seeded(seed),
      tally: (what, by = 1) => void tallies.set(what, (tallies.get(what) ?? 0) + by),
      step: () => {
        done += 1;
        progress?.(done);
      },
    });
    return report(null);
  } catch (error) {
    if (error instanceof Violation) return report(error.message);
    throw error;
  }
}
