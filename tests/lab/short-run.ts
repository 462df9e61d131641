import { expect, test } from '@jest/globals';
import { type Campaign, type CampaignReport, runCampaign } from '../campaigns/campaign.ts';
import { oneOf } from '../support/sample.ts';

/** How far a campaign runs in a test, and what the test changes. */
interface ShortRun<Change> {
  readonly seed: number;
  readonly count: number;
  readonly change?: Change;
}

/** A test: the campaign finds nothing, and does all that it is asked. `check` holds what it has counted. */
export function findsNothing<Change>(
  title: string,
  campaign: Campaign<Change>,
  run: ShortRun<Change>,
  check: (tallies: CampaignReport['tallies']) => void = () => undefined,
): void {
  const short = async (): Promise<void> => {
    const { violation, done, tallies } = await runCampaign(campaign, run);
    expect({ seed: run.seed, violation, done }).toEqual({ seed: run.seed, violation: null, done: run.count });
    check(tallies);
  };
  test(title, short, 120_000);
}

/** What is wrong, what does it, and the violation that tells it. */
type Harm<Change> = readonly [what: string, change: Change, found: RegExp];

/** A test for one of the harms, for each under `SAMPLE=all`: the campaign finds it. */
export function finds<Change>(campaign: Campaign<Change>, run: ShortRun<Change>, harms: readonly Harm<Change>[]): void {
  const find = async (_: string, change: Change, found: RegExp): Promise<void> => {
    const { violation } = await runCampaign(campaign, { ...run, change });
    expect(violation).toMatch(found);
  };
  test.each(oneOf(`harms ${harms[0]?.[0]}`, harms))('the campaign finds %s', find, 120_000);
}
