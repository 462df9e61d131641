import { dayAfter } from '../lab/simulation/days.ts';
import type { ModelHabits } from '../lab/simulation/model.ts';
import { type EachDay, simulate, type SimulationOptions } from '../lab/simulation/simulate.ts';
import { type Campaign, demand, type Soak } from './campaign.ts';

/** In years: standing orders and late payments end in it. */
const yearsAtOnce = 5;
const daysOfYear = 365;

/** Half of the simulations have none. */
const habitsOfBanks: readonly (ModelHabits | null)[] = [
  null,
  null,
  null,
  { 'own-accounts-at-once': true, 'weekend-values': true, 'month-end-bookings': true },
  { 'same-bank-at-once': 'without-kid', 'month-end-bookings': true },
  { 'same-bank-at-once': 'all', 'weekend-values': true },
];

/**
 * Simulated years: payments, standing orders, signatures, cancellations and deposits, while the wall clock sleeps and is set
 * back. An auditor that shares no code with the bank repeats them and compares every status, balance and settlement.
 */
export const years: Campaign<EachDay> = {
  unit: 'years',
  usualCount: 1_000,
  run: (soak, eachDay) =>
    soak.inParts(yearsAtOnce, (length) => {
      const habits = soak.random.pick(habitsOfBanks);
      return audited(soak, length * daysOfYear, { ...(habits && { habits }), ...(eachDay && { eachDay }) });
    }),
};

/** The profiles with most habits of settlement, by ids: lists by customers, cut-offs by product and currency, early closes, fixings, at once, runs of one product, days of the run. */
const ids = [
  'handelsbanken-norge',
  'sparebank1-ostfold-akershus',
  'gildeskal-sparebank',
  'skagerrak-sparebank',
  'orskog-sparebank',
  'sparebank1-sogn-og-fjordane',
  'landkreditt-bank',
  'kvinesdal-sparebank',
  'sparebanken-din',
] as const;

interface UnderProfiles {
  /** Length of a simulation. */
  readonly days: number;
  readonly names?: readonly string[];
  readonly eachDay?: EachDay;
}

/**
 * Random banks under each of these profiles, `count` of each, for some days: private customers and a company pay at home, abroad, in bulk, to
 * their own accounts and by standing orders. The auditor reads the values of the profile itself, and what a forecast told must happen.
 */
export const profiles: Campaign<UnderProfiles> = {
  unit: 'banks under each profile',
  usualCount: 100,
  run: (soak, { days, names = ids, eachDay } = { days: 2 * daysOfYear }) =>
    soak.each(async () => {
      for (const profile of names) await audited(soak, days, { profile, ...(eachDay && { eachDay }) });
    }),
};

/** Simulates some days within the years that the calendar covers. */
async function audited({ random, tallyAll }: Soak, days: number, options: SimulationOptions): Promise<void> {
  const { profile } = options;
  const seed = random.below(1_000_000_000);
  const firstDay = dayAfter('2027-01-04', random.below(60 * daysOfYear));
  const { problems, ...counts } = await simulate(seed, days, { firstDay, ...options });
  tallyAll(counts, profile && `${profile}: `);
  const where = `${profile === undefined ? '' : ` under ${profile}`} in the ${days} days from ${firstDay}, seed ${seed}`;
  demand(problems.length === 0, `bank and auditor differ${where}: ${problems.join('; ')}`);
}
