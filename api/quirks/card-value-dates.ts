import { isPaidAbroad, kindOf } from '../../engine/accounts/rules/bank-texts.ts';
import type { QuirkFile } from './quirk-file.ts';
import { listedIn } from './transactions.ts';

export const quirk: QuirkFile = {
  group: 'dates',
  does: 'The value date of a foreign card purchase is the banking day after its booking date',
  banks: ['Bien Sparebank'],
  lines: {
    H54: {
      what: 'The value date of a foreign card purchase is the banking day after its booking date.',
      seen: { register: [22], facts: ['valueDateRule'], profiles: ['bien-sparebank'] },
      mistake: 'The client sorts by value date, and shows transactions of tomorrow.',
    },
  },
  shape: 'values',
  met: (answer) =>
    listedIn(answer).some((item) => {
      const { bookingDate, valueDate } = item;
      return bookingDate !== null && valueDate > bookingDate && kindOf(item) === 'card purchase' && isPaidAbroad(item);
    }),
};
