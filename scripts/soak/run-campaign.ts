import { seeded } from '../../tests/support/seeded.ts';
import { Violation, type Campaign } from './campaign.ts';

export interface CampaignReport {
  readonly seed: number;
  /** Units done. */
  readonly done: number;
  readonly tallies: Readonly<Record<string, number>>;
  /** Null: the bank kept every promise. */
  readonly violation: string | null;
}

export interface CampaignOptions {
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
