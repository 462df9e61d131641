import { type Seeded, seeded } from '../../lab/seeded.ts';

/** A long search for faults of the bank. The same seed makes the same moves. */
export interface Campaign {
  /** What one unit of `count` is: `kills`, `requests`, `years`. */
  readonly unit: string;
  /** Default number of units. */
  readonly usualCount: number;
  /** Ends with a {@link Violation} as soon as the bank breaks a promise. */
  run(soak: Soak): Promise<void>;
}

/** One run of a campaign. */
export interface Soak {
  readonly seed: number;
  readonly count: number;
  /** Derived from the seed; the only source of randomness. */
  readonly random: Seeded;
  /** Counts an event, such as an answer's status or a killed reset. */
  tally(what: string, by?: number): void;
  /** One unit is done. */
  step(): void;
}

/** The bank broke a promise. The message says which one and how. */
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
  /** Null if the bank kept every promise. */
  readonly violation: string | null;
}

interface CampaignOptions {
  readonly seed: number;
  readonly count: number;
  /** Called after each unit. */
  readonly progress?: (done: number) => void;
  /** Aborted: the campaign ends after the unit under way, and reports what it has counted. */
  readonly ending?: Pick<AbortSignal, 'aborted'>;
}

/** Thrown by {@link Soak.step} to end a campaign early. */
class Ending extends Error {}

/** Runs a campaign to its end, to the first violation or until it is to end. Rethrows other errors. */
export async function runCampaign(campaign: Campaign, options: CampaignOptions): Promise<CampaignReport> {
  const { seed, count, progress, ending } = options;
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
        if (ending?.aborted === true && done < count) throw new Ending();
      },
    });
    return report(null);
  } catch (error) {
    if (error instanceof Ending) return report(null);
    if (error instanceof Violation) return report(error.message);
    throw error;
  }
}
