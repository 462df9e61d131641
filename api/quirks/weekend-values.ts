import type { QuirkFile } from './quirk-file.ts';
import { isClosed, listedIn } from './transactions.ts';

export const quirk: QuirkFile = {
  group: 'dates',
  does: 'A transfer that is due on a closed day keeps that day as its value date, and is booked later',
  banks: ['Bien Sparebank'],
  lines: {
    H55: {
      what: 'A transfer that is due on a Saturday or a Sunday has that day as its value date, and is booked on Monday.',
      seen: { register: [23], facts: ['valueDateRule'], profiles: ['bien-sparebank'] },
      mistake: 'The client uses the value date to find duplicates or to compute a balance.',
    },
  },
  shape: 'values',
  met: (answer, { bank }) =>
    listedIn(answer).some(
      ({ bookingDate, valueDate }) => bookingDate !== null && valueDate < bookingDate && isClosed(bank, valueDate),
    ),
};
