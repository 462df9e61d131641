import { expect, test } from '@jest/globals';
import { listedProfile } from '../../api/start/profile.ts';
import { livedState, readUnder } from '../../scripts/soak/habits.ts';

/* Rich profiles, short: `npm run soak -- habits` takes all for 200 days. readUnder throws for books that are not right. */
const days = 75;

test('S6, Q2, L6: under bien-sparebank a reader of a family and a student has each transaction once, by days and by ids', async () => {
  const bien = await listedProfile('bien-sparebank');
  const { seen, twiceInWindows, unknownAtTheEnd } = await readUnder(bien, 1, days, await livedState());
  expect(seen).toBeGreaterThan(100);
  expect([twiceInWindows, unknownAtTheEnd]).toEqual([0, 0]);
}, 60_000);

test.each(['sparebank1-sor-norge-sr', 'every-habit'])(
  'Q3, register 1: under %s a reader that goes by ids books transactions again; one that goes by days does not',
  async (id) => {
    const { seen = 0, twiceInWindows, unknownAtTheEnd } = await readUnder(await listedProfile(id), 1, days);
    expect(seen).toBeGreaterThan(100);
    expect(twiceInWindows).toBeGreaterThan(0);
    expect(unknownAtTheEnd).toBeGreaterThan(0);
  },
  60_000,
);
