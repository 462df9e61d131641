import type { Habit } from './habit.ts';
import { type JsonObject, only } from './json.ts';
import { eachCardTransaction, eachTransaction } from './transactions.ts';

const dates = ['bookingDate', 'valueDate', 'transactionDate'];
const texts = ['remittanceInformationUnstructured', 'remittanceInformationUnstructuredArray', 'transactionDetails'];

/** The quirk `pending-members` (rules.md Q4; register 16): pending transactions have only dates, amount and text. */
export const pendingMembers: Habit = {
  show: (answer) => {
    const bare = (item: JsonObject) => only(item, ...dates, 'transactionAmount', ...texts);
    const shown = eachTransaction(answer, (item, { bookingDate }) => (bookingDate === null ? bare(item) : item));
    return eachCardTransaction(shown, (item, { bookingDate }) => (bookingDate === null ? bare(item) : item));
  },
};
