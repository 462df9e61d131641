import { placesOnDays } from '../../engine/accounts/places-on-days.ts';
import { all, having, inSchemas } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';
import { eachTransaction } from './transactions.ts';

const entryReference = {
  type: 'string',
  description:
    'the booking date and the place on that day, as shown now: it moves when another entry is booked on the day',
  examples: ['2027-03-23-1'],
  pattern: String.raw`^\d{4}-\d{2}-\d{2}-[1-9]\d*$`,
};

export const quirk: QuirkFile<'positional-references'> = {
  group: 'ids',
  does: 'Booked transactions of an account have an entryReference, which is their booking date and their place on that day',
  banks: ['a Norwegian bank in another API'],
  lines: {
    H73: {
      what: '`entryReference` is the booking date and the place on that day. An entry that is booked late moves those after it; `transactionId` stays.',
      seen: {
        register: [10],
        others: ['a Norwegian bank in another API, 2026-08-10: observed by a client'],
      },
      mistake: 'The client keeps transactions by `entryReference`, and overwrites one purchase with another.',
    },
  },
  shape: (document) => inSchemas(document, ['BookedTransaction', 'TransactionInFull'], all(having({ entryReference }))),
  show: async (answer, { bank, call }) => {
    const accountId = call?.params['accountId'];
    const booked = answer.transactions?.booked ?? [];
    if (accountId === undefined || booked.length === 0) return answer;
    const places = await placesOnDays(bank, accountId, booked);
    return eachTransaction(answer, (item, { transactionNumber, bookingDate }) => {
      const place = places.get(transactionNumber);
      return place === undefined ? item : { ...item, entryReference: `${bookingDate}-${place}` };
    });
  },
};
