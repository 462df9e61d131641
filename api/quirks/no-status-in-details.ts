import { inSchemas, lacking, payments } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';
import { isObject, without } from './json.ts';

const details = /^GET \/v1\/((bulk-|periodic-)?payments\/\{product\}|payment)\/\{paymentId\}$/;

export const quirk: QuirkFile<'no-status-in-details'> = {
  group: 'requests',
  does: 'The details of a payment have no transactionStatus',
  banks: ['SpareBank 1 Sør-Norge'],
  lines: {
    H24: {
      what: 'The details of a payment have no `transactionStatus`.',
      seen: { register: [51], facts: ['statusInDetails'] },
      mistake: 'The client looks for the status in the details, and finds none.',
    },
  },
  shape: (document) => inSchemas(document, payments, lacking('transactionStatus')),
  show: (answer) => {
    const { operation, status, body } = answer;
    if (status !== 200 || operation === null || !details.test(operation) || !isObject(body)) return answer;
    return { ...answer, body: without(body, 'transactionStatus') };
  },
};
