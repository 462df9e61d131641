import { expect, test } from '@jest/globals';
import { runCampaign } from '../../campaigns/campaign.ts';
import { profiles, years } from '../../campaigns/years.ts';
import type { EachDay } from '../../lab/simulation/simulate.ts';
import { rowsOf } from '../../lab/rows.ts';

test('bank and auditor agree on a year in which the wall clock jumps', async () => {
  const seed = 3;
  const { violation, done, tallies } = await runCampaign(years, { seed, count: 1 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 1 });
  expect(tallies['settled']).toBeGreaterThan(100);
}, 60_000);

test('Q12, T4b to T4f, S4c, P10b: bank and auditor agree under each profile, and a forecast tells what happens', async () => {
  const seed = 5;
  const { violation, tallies } = await runCampaign(profiles, { seed, count: 1, change: { days: 40 } });
  expect({ seed, violation }).toEqual({ seed, violation: null });
  const sumOf = (what: string): number =>
    Object.entries(tallies).reduce((sum, [name, times]) => (name.endsWith(`: ${what}`) ? sum + times : sum), 0);
  expect(Math.min(...['settled', 'foreseen', 'byCompanies', 'abroad', 'atOnce'].map(sumOf))).toBeGreaterThan(5);
}, 60_000);

test('the campaign finds payments that were received a day late behind its back, and tells the profile', async () => {
  const statement = 'update execution set received_at = received_at + 86400000 where attempts = 0';
  const eachDay: EachDay = (bank) => bank.ledger.write(async (tx) => void (await rowsOf(tx, statement)));
  const change = { days: 30, eachDay, names: ['orskog-sparebank'] };
  const { violation } = await runCampaign(profiles, { seed: 3, count: 1, change });
  expect(violation).toMatch(/differ under orskog-sparebank in the 30 days from/);
}, 60_000);

test('the campaign finds an øre that came from nowhere, and tells the years in which it did', async () => {
  const change: EachDay = async (bank, day) => {
    const statement = `update account set balance_minor = balance_minor + 1 where bban = '09232911044'`;
    if (day === 5) await bank.ledger.write((tx) => rowsOf(tx, statement));
  };
  const { violation } = await runCampaign(years, { seed: 3, count: 1, change });
  expect(violation).toMatch(/differ in the 365 days from \d{4}-\d\d-\d\d, seed \d+: .*nora has/);
}, 60_000);
