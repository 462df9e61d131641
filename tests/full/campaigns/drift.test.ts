import { expect, test } from '@jest/globals';
import { runCampaign } from '../../campaigns/campaign.ts';
import { drift } from '../../campaigns/drift.ts';
import { privacy } from '../../campaigns/privacy.ts';

test('recordings of Sandbank show no difference', async () => {
  const seed = 5;
  const { violation, done } = await runCampaign(drift, { seed, count: 60 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 60 });
}, 120_000);

test('nothing of generated answers is left, and the check finds it where it was', async () => {
  const seed = Math.floor(performance.timeOrigin) % 1_000_000;
  const { violation, done } = await runCampaign(privacy, { seed, count: 20 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 20 });
}, 60_000);
