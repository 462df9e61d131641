import { isCredit, kindOf } from '../../engine/accounts/rules/bank-texts.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { startOfDay } from '../../engine/values/instant.ts';
import type { QuirkFile } from './quirk-file.ts';
import { without } from './json.ts';
import { eachTransaction } from './transactions.ts';

export const quirk: QuirkFile = {
  group: 'texts',
  does: 'A booked transfer shows the account of the other party only the given time after its booking',
  lines: {
    H61: {
      what: 'A booked transfer has no account of the other party. The account appears later.',
      value: 'P1D',
      seen: {
        register: [20],
        others: ['the SpareBank 1 alliance in another API, 2025-12-11: observed by a client'],
      },
      mistake: 'The client books a transfer between own accounts as an expense.',
    },
  },
  shape: 'values',
  show: async (answer, { bank, quirks }) => {
    if (answer.status !== 200) return answer;
    const { now } = await readClock(bank);
    return eachTransaction(answer, (item, transaction) => {
      const { bookingDate } = transaction;
      if (bookingDate === null || kindOf(transaction) !== 'transfer') return item;
      if (now >= startOfDay(bookingDate) + (quirks.get('late-counterparty') ?? 0)) return item;
      return without(item, isCredit(transaction) ? 'debtorAccount' : 'creditorAccount');
    });
  },
};
