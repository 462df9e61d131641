import { dayAfter } from '../lab/simulation/days.ts';
import { type EachDay, simulate } from '../lab/simulation/simulate.ts';
import { type Campaign, demand } from './campaign.ts';

/** The profiles with most habits of settlement, by ids: lists by customers, cut-offs by product and currency, early closes, fixings, at once. */
const ids = [
  'handelsbanken-norge',
  'sparebank1-ostfold-akershus',
  'gildeskal-sparebank',
  'skagerrak-sparebank',
  'orskog-sparebank',
  'sparebank1-sogn-og-fjordane',
] as const;

const twoYears = 730;

/**
 * Random banks under each of these profiles, `count` of each, for some days: private customers and a company pay at home, abroad, in bulk, to
 * their own accounts and by standing orders. The auditor reads the values of the profile itself, and compares every status, balance, attempt
 * and settlement; what a forecast told happened. `eachDay`: a test does something to the bank, behind the auditor's back.
 */
export function profilesCampaign(days = twoYears, eachDay?: EachDay, names: readonly string[] = ids): Campaign {
  return {
    unit: 'banks under each profile',
    usualCount: 100,
    run: async ({ random, each, tally }) => {
      await each(async () => {
        for (const profile of names) {
          const seed = random.below(1_000_000_000);
          const firstDay = dayAfter('2027-01-04', random.below(60 * 365));
          const { problems, ...counts } = await simulate(seed, days, {
            firstDay,
            profile,
            ...(eachDay && { eachDay }),
          });
          for (const [what, times] of Object.entries(counts)) tally(`${profile}: ${what}`, times);
          const differing = `bank and auditor differ under ${profile} in the ${days} days from ${firstDay}, seed ${seed}`;
          demand(problems.length === 0, `${differing}: ${problems.join('; ')}`);
        }
      });
    },
  };
}

export const profiles = profilesCampaign();
