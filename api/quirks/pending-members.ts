import { inSchemas, limitedTo } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';
import { type JsonObject, only } from './json.ts';
import { eachCardTransaction, eachTransaction } from './transactions.ts';

const dates = ['bookingDate', 'valueDate', 'transactionDate'];
const texts = ['remittanceInformationUnstructured', 'remittanceInformationUnstructuredArray', 'transactionDetails'];

export const quirk: QuirkFile<'pending-members'> = {
  group: 'texts',
  does: 'Pending transactions have only dates, amount and text: no account, no code',
  banks: ['Bien Sparebank'],
  lines: {
    H10: {
      what: 'Pending transactions have dates, an amount and a text, and nothing else.',
      value: 'bare',
      seen: { register: [16], facts: ['pendingMembers'] },
      mistake: 'The client reads `debtorAccount` of each transaction and fails at the first pending one.',
    },
  },
  shape: (document) => {
    const bare = limitedTo(...dates, 'transactionAmount', ...texts);
    return inSchemas(document, ['PendingTransaction', 'PendingCardTransaction'], bare);
  },
  step: 'pending',
  show: (answer) => {
    const bare = (item: JsonObject) => only(item, ...dates, 'transactionAmount', ...texts);
    const shown = eachTransaction(answer, (item, { bookingDate }) => (bookingDate === null ? bare(item) : item));
    return eachCardTransaction(shown, (item, { bookingDate }) => (bookingDate === null ? bare(item) : item));
  },
};
