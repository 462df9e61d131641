import { expect, test } from '@jest/globals';
import { runCampaign } from '../../scripts/soak/campaign.ts';
import { simulatedYears, years } from '../../scripts/soak/years.ts';
import { rowsOf } from '../../scripts/lab/rows.ts';

test('bank and auditor agree on a year in which the wall clock jumps', async () => {
  const seed = 3;
  const { violation, done, tallies } = await runCampaign(years, { seed, count: 1 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 1 });
  expect(tallies['settled']).toBeGreaterThan(100);
}, 60_000);

test('the campaign finds an øre that came from nowhere, and tells the years in which it did', async () => {
  const takesOne = simulatedYears(async (bank, day) => {
    const statement = `update account set balance_minor = balance_minor + 1 where bban = '09232911044'`;
    if (day === 5) await bank.ledger.write((tx) => rowsOf(tx, statement));
  });
  const { violation } = await runCampaign(takesOne, { seed: 3, count: 1 });
  expect(violation).toMatch(/differ in the 1 years from \d{4}-\d\d-\d\d: .*nora has/);
}, 60_000);
