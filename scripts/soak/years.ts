import { dayAfter } from '../lab/simulation/days.ts';
import type { ModelHabits } from '../lab/simulation/model.ts';
import { type EachDay, simulate } from '../lab/simulation/simulate.ts';
import { type Campaign, demand } from './campaign.ts';

/** Length of a simulation, in which standing orders and late payments end. */
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
export function simulatedYears(eachDay: EachDay = () => Promise.resolve()): Campaign {
  return {
    unit: 'years',
    usualCount: 1_000,
    run: async ({ count, random, step, tally }) => {
      for (let left = count; left > 0; left -= yearsAtOnce) {
        const seed = random.below(1_000_000_000);
        // Within the years that the calendar covers.
        const firstDay = dayAfter('2027-01-04', random.below(65 * daysOfYear));
        const length = Math.min(yearsAtOnce, left);
        const habits = random.pick(habitsOfBanks);
        const { problems, ...counts } = await simulate(seed, length * daysOfYear, {
          firstDay,
          ...(habits !== null && { habits }),
          eachDay: async (bank, day) => {
            await eachDay(bank, day);
            if (day % daysOfYear === daysOfYear - 1) step();
          },
        });
        for (const [what, times] of Object.entries(counts)) tally(what, times);
        const differing = `bank and auditor differ in the ${length} years from ${firstDay}`;
        demand(problems.length === 0, `${differing}: ${problems.join('; ')}`);
      }
    },
  };
}

export const years = simulatedYears();
