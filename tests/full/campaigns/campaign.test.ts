import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { type Campaign, runCampaign } from '../../campaigns/campaign.ts';
import { campaignNames } from '../../campaigns/list.ts';

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

test('--seconds ends a campaign before its count, and its counts are told', () => {
  const words = ['tests/campaigns/run.ts', 'clock', '--seed', '1', '--count', '1000000', '--seconds', '1'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^clock: seed 1, 1000000 jumps\n(?: +\d+ {2}.+\n)+clock: \d+ of 1000000 jumps in \d+ s, .*\nno violation\n$/,
  );
}, 60_000);

test('no campaign of all begins when the time is over, and no report is replaced', () => {
  const words = ['tests/campaigns/run.ts', '--seconds', '0'];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  const told = stdout.trimEnd().split('\n').slice(0, -1);
  expect([status, told.toSorted()]).toEqual([1, campaignNames.map((name) => `${name}: no time was left`).toSorted()]);
}, 60_000);
