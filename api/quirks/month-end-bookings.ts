import type { QuirkFile } from './quirk-file.ts';
import { isClosed, listedIn } from './transactions.ts';

export const quirk: QuirkFile = {
  group: 'dates',
  does: 'A fee is booked in the month in which it is charged, on the last day of the month at the latest',
  banks: ['Bien Sparebank'],
  lines: {
    H56: {
      what: 'Fees are booked on the last day of a month, even if it is a Saturday or a Sunday.',
      seen: { register: [25], facts: ['weekendRule'], profiles: ['bien-sparebank'] },
      mistake: 'The client expects every booking date to be a banking day.',
    },
  },
  shape: 'values',
  met: (answer, { bank }) =>
    listedIn(answer).some(({ isFee, bookingDate }) => isFee && bookingDate !== null && isClosed(bank, bookingDate)),
};
