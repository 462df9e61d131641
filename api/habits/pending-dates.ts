import { readClock } from '../../engine/bank/read-clock.ts';
import type { Habit } from './habit.ts';
import { without } from './json.ts';
import { eachCardTransaction, eachTransaction } from './transactions.ts';

/** The quirk `pending-dates` (rules.md Q4; register 14, 15): pending transactions have no date, a bookingDate, or both dates. */
export const pendingDates: Habit = {
  show: async (answer, { bank, quirks }) => {
    if (answer.status !== 200) return answer;
    const wanted = quirks.get('pending-dates') ?? 'both';
    // Register 15: the day of the call.
    const { date } = await readClock(bank);
    const bookingDate = wanted === 'none' ? {} : { bookingDate: date };
    const shown = eachTransaction(answer, (item, { bookingDate: bookedOn, valueDate }) => {
      if (bookedOn !== null) return item;
      return { ...bookingDate, ...(wanted === 'both' && { valueDate }), ...item };
    });
    return eachCardTransaction(shown, (item, { bookingDate: bookedOn }) => {
      if (bookedOn !== null) return item;
      return { ...(wanted === 'both' ? item : without(item, 'transactionDate')), ...bookingDate };
    });
  },
};
