import { inSchemas, lacking } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';
import { without } from './json.ts';
import { eachTransaction } from './transactions.ts';

export const quirk: QuirkFile<'no-transaction-ids'> = {
  group: 'ids',
  does: 'Booked transactions of an account have no transactionId in lists',
  lines: {
    H60: {
      what: 'Booked transactions have no `transactionId`.',
      seen: { register: [7], facts: ['transactionIdPresent'] },
      mistake: 'The client keeps transactions by their id, and all of them become one.',
    },
  },
  shape: (document) => inSchemas(document, ['BookedTransaction'], lacking('transactionId')),
  step: 'ids',
  show: (answer) => {
    if (answer.operation !== 'GET /v1/accounts/{accountId}/transactions') return answer;
    return eachTransaction(answer, (item) => without(item, 'transactionId'));
  },
};
