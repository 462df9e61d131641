import { expect, test } from '@jest/globals';
import { runCampaign } from '../../campaigns/campaign.ts';
import { drift } from '../../campaigns/drift.ts';

test('recordings of Sandbank show no difference', async () => {
  const seed = 5;
  const { violation, done } = await runCampaign(drift, { seed, count: 60 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 60 });
}, 120_000);
