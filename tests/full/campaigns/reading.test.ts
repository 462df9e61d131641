import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listedProfile } from '../../../api/start/profile.ts';
import { livedState, readUnder } from '../../campaigns/reader.ts';
import { dayAfter } from '../../lab/simulation/days.ts';
import { readDaily } from '../../lab/simulation/read-daily.ts';
import { isWhole } from '../../support/sample.ts';

const days = isWhole ? 365 : 150;

test('S6: a daily reader of three accounts reconciles months to the øre, a year under SAMPLE=all, and sees every transaction exactly once', async () => {
  const property = fc.asyncProperty(fc.nat(1_000_000_000), fc.nat(20_000), async (seed, later) => {
    const { problems, seen } = await readDaily(seed, days, { firstDay: dayAfter('2027-01-02', later) });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    if (seen < 1.3 * days) throw new Error(`it saw ${seen} transactions only`);
  });
  // A failure names its seed and day: shrinking would take minutes.
  await fc.assert(property, { seed: 6, numRuns: 1, endOnFailure: true });
}, 300_000);

/* Two profiles, short: `npm run campaigns -- reader` takes all for 200 days. readUnder throws for books that are not right. */

test('S6, Q2, L6: under bien-sparebank a reader of a family and a student has each transaction once, by days and by ids', async () => {
  const bien = await listedProfile('bien-sparebank');
  const { seen, twiceInWindows, unknownAtTheEnd } = await readUnder(bien, 1, 45, { knownState: await livedState() });
  expect(seen).toBeGreaterThan(100);
  expect([twiceInWindows, unknownAtTheEnd]).toEqual([0, 0]);
}, 60_000);

test('Q3, Q10c, register 1, 40: under every-quirk a reader renews its consents after 90 days; by ids it books transactions again, by days not', async () => {
  const counts = await readUnder(await listedProfile('every-quirk'), 1, 95);
  const { seen, twiceInWindows, unknownAtTheEnd, renewals } = counts;
  expect(seen).toBeGreaterThan(100);
  expect(twiceInWindows).toBeGreaterThan(0);
  expect(unknownAtTheEnd).toBeGreaterThan(0);
  // Of two PSUs.
  expect(renewals).toBe(2);
}, 60_000);
