import { readClock } from '../../engine/bank/read-clock.ts';
import { startOfDay } from '../../engine/values/instant.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { dayIn, purchaseDay, withoutDay, kindOf } from '../../engine/accounts/rules/bank-texts.ts';
import type { QuirkFile } from './quirk-file.ts';
import { type JsonObject, withEach } from './json.ts';
import { eachCardTransaction, eachTransaction } from './transactions.ts';

export const quirk: QuirkFile = {
  group: 'texts',
  does: 'The text of a booked card transaction loses its date the given time after the booking',
  banks: ['SpareBank 1 Østlandet'],
  lines: {
    H11: {
      what: 'The text of a booked card purchase begins with the day of the purchase. Later it loses the day: `12.03 KIOSK` becomes `KIOSK`.',
      value: 'P1D',
      seen: { register: [2], facts: ['textRewritten'] },
      mistake:
        'If the id changes too (`reissued-ids`), neither id nor text matches, and the client has each transaction twice.',
    },
  },
  shape: 'values',
  show: async (answer, { bank, quirks }) => {
    if (answer.status !== 200) return answer;
    const { now } = await readClock(bank);
    const delay = quirks.get('rewritten-texts') ?? 0;
    /** `otherDate`: value or transaction date. */
    const rewrite = (item: JsonObject, member: string, bookingDate: LocalDate, otherDate: LocalDate): JsonObject => {
      const text = item[member];
      if (typeof text !== 'string') return item;
      const isOld = now >= startOfDay(bookingDate) + delay;
      const dated = dayIn(text) === null ? `${purchaseDay(bookingDate, otherDate)} ${text}` : text;
      return { ...item, [member]: isOld ? withoutDay(text) : dated };
    };
    const shown = eachTransaction(answer, (item, transaction) => {
      const { bookingDate, valueDate } = transaction;
      if (bookingDate === null || kindOf(transaction) !== 'card purchase') return item;
      const member = 'remittanceInformationUnstructured';
      const rewritten = rewrite(item, member, bookingDate, valueDate);
      return withEach(rewritten, `${member}Array`, (text, index) => (index === 0 ? rewritten[member] : text));
    });
    return eachCardTransaction(shown, (item, { bookingDate, transactionDate }) =>
      bookingDate === null ? item : rewrite(item, 'transactionDetails', bookingDate, transactionDate),
    );
  },
};
