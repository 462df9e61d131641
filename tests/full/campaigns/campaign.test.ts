import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { type Campaign, runCampaign } from '../../campaigns/campaign.ts';
import { onThreads } from '../../campaigns/on-threads.ts';
import { campaignNames } from '../../campaigns/list.ts';
import { counted } from '../../lab/counted.ts';

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

describe('on three threads', () => {
  const threaded = onThreads(new URL('../../lab/counted.ts', import.meta.url), 'counted', { part: 2, threads: 3 });

  test.each([
    ['finds nothing', { seed: 1, count: 11 }, { done: 11, violation: null }],
    ['tells the violation of the first seed', { seed: 10, count: 20 }, { done: 4, violation: 'seed 14' }],
  ])('a campaign has the report of one: it %s', async (_, run, wanted) => {
    const [one, three] = [await runCampaign(counted, run), await runCampaign(threaded, run)];
    expect(one).toMatchObject(wanted);
    expect(three).toEqual(one);
  });

  test('a campaign that is to end reports the parts done until then, without a gap', async () => {
    const ending = new AbortController();
    const progress = (done: number): void => {
      if (done === 4) ending.abort();
    };
    const report = await runCampaign(threaded, { seed: 1, count: 11, progress, ending: ending.signal });
    expect(report).toEqual(await runCampaign(counted, { seed: 1, count: 4 }));
  });

  test('an error that is no violation ends the campaign', async () => {
    const missing = onThreads(new URL('none.ts', import.meta.url), 'counted', { part: 2, threads: 3 });
    await expect(runCampaign(missing, { seed: 1, count: 11 })).rejects.toThrow('none.ts');
  });
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
