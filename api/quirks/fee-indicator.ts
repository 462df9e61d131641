import { also, at, inSchemas } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';
import { isObject } from './json.ts';

export const quirk: QuirkFile<'fee-indicator'> = {
  group: 'money',
  does: 'transactionFeeIndicator is true even if the fee is 0.00',
  banks: ['SpareBank 1 Sør-Norge'],
  lines: {
    H23: {
      what: '`transactionFeeIndicator` is true for a payment that costs 0.00.',
      seen: { register: [47], facts: ['feeIndicator'] },
      mistake: 'The client warns the PSU of a fee that is zero.',
    },
  },
  shape: (document) => inSchemas(document, ['InitiatedPayment'], at('transactionFeeIndicator', also({ const: true }))),
  show: (answer) => {
    const { body } = answer;
    if (!isObject(body) || !('transactionFeeIndicator' in body)) return answer;
    return { ...answer, body: { ...body, transactionFeeIndicator: true } };
  },
};
