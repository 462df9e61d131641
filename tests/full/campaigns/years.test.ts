import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { runCampaign } from '../../campaigns/campaign.ts';
import { years } from '../../campaigns/years.ts';
import type { EachDay } from '../../lab/simulation/simulate.ts';
import { rowsOf } from '../../lab/rows.ts';

/** The profiles with most quirks of settlement: lists by customers, cut-offs by product and currency, early closes, fixings, at once, runs of one product, days of the run, statuses. */
const profiles = [
  ...['handelsbanken-norge', 'sparebank1-ostfold-akershus', 'gildeskal-sparebank', 'skagerrak-sparebank'],
  ...['orskog-sparebank', 'sparebank1-sogn-og-fjordane', 'landkreditt-bank', 'kvinesdal-sparebank'],
  ...['sparebanken-din', 'sparebank1-sor-norge-sr'],
] as const;

test('bank and auditor agree on a year in which the wall clock jumps', async () => {
  const seed = 3;
  const { violation, done, tallies } = await runCampaign(years, { seed, count: 1 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 1 });
  expect(tallies['settled']).toBeGreaterThan(100);
}, 60_000);

test('Q12, T4b to T4f, S4c, P10b: bank and auditor agree under each profile, and a forecast tells what happens', async () => {
  const counts: Record<string, number> = {};
  for (const profile of profiles) {
    const { violation, tallies } = await runCampaign(years, {
      seed: 5,
      count: 1,
      change: { days: 25, profiles: [profile] },
    });
    expect({ profile, violation }).toEqual({ profile, violation: null });
    for (const [what, times] of Object.entries(tallies)) counts[what] = (counts[what] ?? 0) + times;
  }
  const { settled, foreseen, byCompanies, abroad, atOnce } = counts;
  expect(Math.min(...[settled, foreseen, byCompanies, abroad, atOnce].map(Number))).toBeGreaterThan(5);
}, 60_000);

test('the campaign finds payments that were received a day late behind its back, and tells the profile', async () => {
  const statement = 'update execution set received_at = received_at + 86400000 where attempts = 0';
  const eachDay: EachDay = (bank) => bank.ledger.write(async (tx) => void (await rowsOf(tx, statement)));
  const change = { days: 30, eachDay, profiles: ['orskog-sparebank'] };
  const { violation } = await runCampaign(years, { seed: 3, count: 1, change });
  expect(violation).toMatch(/differ under orskog-sparebank in the 30 days from .*, after [1-3] payments/);
}, 60_000);

test('the campaign finds an øre that came from nowhere, tells the seed, and saves the bank', async () => {
  const change: EachDay = async (bank, day) => {
    const statement = `update account set balance_minor = balance_minor + 1 where bban = '09232911044'`;
    if (day === 5) await bank.ledger.write((tx) => rowsOf(tx, statement));
  };
  const { violation } = await runCampaign(years, { seed: 3, count: 1, change: { eachDay: change, days: 20 } });
  expect(violation).toMatch(
    /after 0 payments: .*nora has.*\nagain with: npm run campaigns -- years --seed 3 --count 1\n/,
  );
  expect(existsSync(/the bank: (.*)$/.exec(violation ?? '')?.[1] ?? '')).toBe(true);
}, 60_000);
