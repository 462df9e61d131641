import { readClock } from '../../engine/bank/read-clock.ts';
import { startOfDay } from '../../engine/values/instant.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { dayIn, purchaseDay, withoutDay } from './card-text.ts';
import type { Habit } from './habit.ts';
import { type JsonObject, withEach } from './json.ts';
import { kindOf } from '../../engine/accounts/rules/transaction-kind.ts';
import { eachCardTransaction, eachTransaction } from './transactions.ts';

/** The quirk `rewritten-texts` (rules.md Q5; register 2): the text of a booked card purchase has its day first, and loses it later. */
export const rewrittenTexts: Habit = {
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
    const shown = eachTransaction(answer, (item, told) => {
      const { bookingDate, valueDate } = told;
      if (bookingDate === null || kindOf(told) !== 'card purchase') return item;
      const member = 'remittanceInformationUnstructured';
      const rewritten = rewrite(item, member, bookingDate, valueDate);
      return withEach(rewritten, `${member}Array`, (text, index) => (index === 0 ? rewritten[member] : text));
    });
    return eachCardTransaction(shown, (item, { bookingDate, transactionDate }) =>
      bookingDate === null ? item : rewrite(item, 'transactionDetails', bookingDate, transactionDate),
    );
  },
};
