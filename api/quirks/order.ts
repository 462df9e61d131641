import type { QuirkFile } from './quirk-file.ts';
import { listedIn } from './transactions.ts';

export const quirk: QuirkFile = {
  group: 'dates',
  does: 'Transactions are in the order of their posting, not of their booking dates',
  banks: ['Bien Sparebank'],
  lines: {
    H22: {
      what: 'The list is in the order of posting: a transaction with an earlier booking date can stand above one with a later date.',
      value: 'posting',
      seen: { register: [34], facts: ['order'] },
      mistake: 'The client stops at the first date that it has already read, and misses the transactions below it.',
    },
  },
  shape: 'values',
  met: (answer) => {
    // The latest booking date comes first without the quirk.
    const dates = listedIn(answer).map(({ bookingDate }) => bookingDate ?? '');
    return dates.some((date, index) => index > 0 && date > (dates[index - 1] ?? ''));
  },
};
