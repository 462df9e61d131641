import { test } from '@jest/globals';
import fc from 'fast-check';
import { dayAfter } from '../../lab/simulation/days.ts';
import { readDaily } from '../../lab/simulation/read-daily.ts';

const year = 365;

test('S6: a daily reader of three accounts reconciles a year to the øre and sees every transaction exactly once', async () => {
  const property = fc.asyncProperty(fc.nat(1_000_000_000), fc.nat(20_000), async (seed, later) => {
    const { problems, seen } = await readDaily(seed, year, { firstDay: dayAfter('2027-01-02', later) });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    if (seen < 500) throw new Error(`it saw ${seen} transactions only`);
  });
  // A failure names its seed and day: shrinking would take minutes.
  await fc.assert(property, { seed: 6, numRuns: 1, endOnFailure: true });
}, 300_000);
