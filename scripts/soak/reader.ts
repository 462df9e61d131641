import { dayAfter } from '../lab/simulation/days.ts';
import { readDaily, type ReadingOptions } from '../lab/simulation/read-daily.ts';
import { type Campaign, demand } from './campaign.ts';

/** Length of one reader's life: consents lapse and are renewed, orders end, and the settlement times change at its beginning. */
const daysAtOnce = 200;
/** Number of days from 2027 on that the calendar covers. */
const daysCovered = 65 * 365;

/**
 * A reader keeps the books of three accounts from account information alone, while payments of every kind are made, the clock
 * is moved and the settlement times change. Its books must be right to the øre, and nothing may come behind it (rules.md S6).
 */
export function dailyReader(eachDay?: ReadingOptions['eachDay']): Campaign {
  return {
    unit: 'days',
    usualCount: 18_000,
    run: async ({ count, random, step, tally }) => {
      for (let left = count; left > 0; left -= daysAtOnce) {
        const seed = random.below(1_000_000_000);
        const firstDay = dayAfter('2027-01-02', random.below(daysCovered));
        const { problems, byId, ...counts } = await readDaily(seed, Math.min(daysAtOnce, left), {
          firstDay,
          eachDay: async (bank, day) => {
            await eachDay?.(bank, day);
            step();
          },
        });
        for (const [what, times] of Object.entries(counts)) tally(what, times);
        demand(problems.length === 0, `a reader from ${firstDay} on: ${problems.join('; ')}`);
        const byIdAlone = byId.twiceInWindows + byId.unknownAtTheEnd;
        demand(byIdAlone === 0, `a reader from ${firstDay} on, by ids: ${JSON.stringify(byId)}`);
      }
    },
  };
}

export const reader = dailyReader();
