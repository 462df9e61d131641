import { expect, test } from '@jest/globals';
import { bodies } from '../../campaigns/bodies.ts';
import { runCampaign } from '../../campaigns/campaign.ts';

const seed = 1;

test('C2: bodies too large, slow, broken or told in two ways are answered or cut off', async () => {
  const { violation, done } = await runCampaign(bodies, { seed, count: 24 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 24 });
}, 60_000);

test('the campaign finds a body of 9 MB that is taken', async () => {
  // To the server it has no body, and what follows it is no request.
  const change = (head: string): string => head.replace(/Content-Length: \d+/, 'Content-Length: 0');
  const { violation } = await runCampaign(bodies, { seed, count: 60, change });
  expect(violation).toContain('expected 413');
}, 60_000);
