import { dayAfter } from '../../lab/simulation/days.ts';
import { readDaily, type ReadingOptions } from '../../lab/simulation/read-daily.ts';
import { Violation, type Campaign, type Soak } from './campaign.ts';

/** Length of one reader's life: consents are renewed, orders end, and the settlement times change at its beginning. */
const daysAtOnce = 180;
/** The calendar covers the days from 2027 on for so long. */
const daysCovered = 65 * 365;

/**
 * A reader keeps the books of three accounts from account information alone, while payments of every kind are made, the clock
 * is moved and the settlement times change. Its books must be right to the øre, and nothing may come behind it (rules.md S6).
 */
export function dailyReader(eachDay?: ReadingOptions['eachDay']): Campaign {
  return {
    unit: 'days',
    usualCount: 18_000,
    run: async (soak) => {
      for (let left = soak.count; left > 0; left -= daysAtOnce) await read(soak, Math.min(daysAtOnce, left), eachDay);
    },
  };
}

export const reader = dailyReader();

async function read(soak: Soak, days: number, eachDay: ReadingOptions['eachDay']): Promise<void> {
  const seed = soak.random.below(1_000_000_000);
  const firstDay = dayAfter('2027-01-02', soak.random.below(daysCovered));
  const { problems, ...counts } = await readDaily(seed, days, {
    firstDay,
    eachDay: async (bank, day) => {
      await eachDay?.(bank, day);
      soak.step();
    },
  });
  for (const [what, times] of Object.entries(counts)) soak.tally(what, times);
  if (problems.length > 0) throw new Violation(`a reader from ${firstDay} on: ${problems.join('; ')}`);
}
