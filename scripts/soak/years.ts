import { dayAfter } from '../../lab/simulation/days.ts';
import { simulate, type EachDay } from '../../lab/simulation/simulate.ts';
import { Violation, type Campaign, type Soak } from './campaign.ts';

/** Length of a simulation, in which standing orders and late payments end. */
const yearsAtOnce = 5;
const daysOfYear = 365;

/**
 * Simulated years: payments, standing orders, signatures, cancellations and deposits, while the wall clock sleeps and is set
 * back. An auditor that shares no code with the bank repeats them and compares every status, balance and settlement.
 */
export function simulatedYears(eachDay: EachDay = () => Promise.resolve()): Campaign {
  return {
    unit: 'years',
    usualCount: 1_000,
    run: async (soak) => {
      for (let left = soak.count; left > 0; left -= yearsAtOnce) {
        await live(soak, Math.min(yearsAtOnce, left), eachDay);
      }
    },
  };
}

export const years = simulatedYears();

async function live(soak: Soak, count: number, eachDay: EachDay): Promise<void> {
  const seed = soak.random.below(1_000_000_000);
  // Within the years that the calendar covers.
  const firstDay = dayAfter('2027-01-04', soak.random.below(65 * daysOfYear));
  const report = await simulate(seed, count * daysOfYear, {
    firstDay,
    eachDay: async (bank, day) => {
      await eachDay(bank, day);
      if (day % daysOfYear === daysOfYear - 1) soak.step();
    },
  });
  const { problems, ...counts } = report;
  for (const [what, times] of Object.entries(counts)) soak.tally(what, times);
  if (problems.length === 0) return;
  throw new Violation(`bank and auditor differ in the ${count} years from ${firstDay}: ${problems.join('; ')}`);
}
