import { all, dateSchema as bookingDate, having, inSchemas, lacking } from './contract.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { addDays } from '../../engine/values/local-date.ts';
import type { QuirkFile } from './quirk-file.ts';
import { without } from './json.ts';
import { eachCardTransaction, eachTransaction } from './transactions.ts';

export const quirk: QuirkFile<'pending-dates'> = {
  group: 'dates',
  does: 'Pending transactions have no date, only a bookingDate, or both dates',
  banks: ['SpareBank 1 Sør-Norge', 'Bien Sparebank'],
  lines: {
    H8: {
      what: 'Pending transactions have a `bookingDate` and no `valueDate`.',
      value: 'booking',
      seen: { register: [14], facts: ['pendingDates'], profiles: ['sparebank1-sor-norge-sr'] },
      mistake: 'The client takes them for booked transactions, or counts them twice.',
    },
    H9: {
      what: 'Pending transactions have both dates.',
      value: 'both',
      seen: { register: [15], facts: ['pendingDates'], profiles: ['bien-sparebank'] },
      mistake: 'The client takes every transaction with a `bookingDate` for booked.',
    },
  },
  shape: (document, value) => {
    const booking = value === 'none' ? {} : { bookingDate };
    const both = value === 'both' ? { ...booking, valueDate: bookingDate } : booking;
    const shaped = inSchemas(document, ['PendingTransaction'], having(both));
    const card = value === 'both' ? having(booking) : all(lacking('transactionDate'), having(booking));
    return inSchemas(shaped, ['PendingCardTransaction'], card);
  },
  step: 'pending',
  show: async (answer, { bank, quirks }) => {
    if (answer.status !== 200) return answer;
    const wanted = quirks.get('pending-dates') ?? 'both';
    // Register 15: the day of the call.
    const { date } = await readClock(bank);
    const bookingDate = wanted === 'none' ? {} : { bookingDate: date };
    const shown = eachTransaction(answer, (item, { bookingDate: bookedOn, valueDate }) => {
      if (bookedOn !== null) return item;
      // Register 15: the same day, or the day before.
      const value = [addDays(date, -1), valueDate, date].toSorted()[1];
      return { ...bookingDate, ...(wanted === 'both' && { valueDate: value }), ...item };
    });
    return eachCardTransaction(shown, (item, { bookingDate: bookedOn }) => {
      if (bookedOn !== null) return item;
      return { ...(wanted === 'both' ? item : without(item, 'transactionDate')), ...bookingDate };
    });
  },
};
