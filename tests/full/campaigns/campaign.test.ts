import { expect, test } from '@jest/globals';
import { type Campaign, runCampaign } from '../../campaigns/campaign.ts';

test('a campaign that is to end stops after the unit under way, puts things in order and reports its counts', async () => {
  let cleaned = false;
  const counting: Campaign = async ({ count, tally, step }) => {
    try {
      for (let unit = 0; unit < count; unit += 1) {
        tally('begun');
        await Promise.resolve();
        step();
      }
    } finally {
      cleaned = true;
    }
  };
  const ending = new AbortController();
  const progress = (done: number): void => {
    if (done === 3) ending.abort();
  };
  const report = await runCampaign(counting, { seed: 1, count: 10, progress, ending: ending.signal });
  expect(report).toEqual({ seed: 1, done: 3, tallies: { begun: 3 }, violation: null });
  expect(cleaned).toBe(true);
});
