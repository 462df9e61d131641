import { paymentAnswer } from '../../control/payments/payment-answer.ts';
import { consoleAction } from '../console-view.ts';
import { statusWords } from '../parts/text.ts';

const path = '/payments/:paymentId';
const answer = paymentAnswer;

/** What the PSU does in the bank's own channel, and what the bank is told to do (rules.md P14, P14b, S9b). */
export const cancelPayment = consoleAction({
  path: `${path}/cancel`,
  method: 'POST',
  answer,
  done: ({ status }) => ({ text: `The payment is ${statusWords(status)}.` }),
});

export const changePayment = consoleAction({
  path: `${path}/change`,
  method: 'PATCH',
  call: path,
  answer,
  body: (fields) => {
    const [amount, currency] = [fields.get('amount'), fields.get('currency')];
    const requestedExecutionDate = fields.get('requestedExecutionDate');
    return {
      ...(amount !== undefined && { amount: { amount: amount.replace(',', '.'), currency } }),
      ...(requestedExecutionDate !== undefined && { requestedExecutionDate }),
    };
  },
  done: () => ({ text: 'The payment is changed.' }),
});

export const rejectPayment = consoleAction({
  path: `${path}/reject`,
  method: 'POST',
  answer,
  body: (fields) => {
    const of = fields.get('of') ?? '';
    return {
      reason: fields.get('reason') ?? '',
      ...(of.startsWith('payments') && { item: of }),
      ...(/^\d/.test(of) && { occurrence: of }),
    };
  },
  done: ({ status }) => ({
    text:
      status === 'RJCT'
        ? 'The payment is rejected.'
        : 'The bank will reject it when the next run tries it, for the reason that you gave.',
  }),
});

export const forceStatus = consoleAction({
  path: `${path}/status`,
  method: 'POST',
  answer,
  body: (fields) => ({ status: fields.get('status') }),
  done: ({ forcedStatus }) => ({ text: `Its TPP reads ${forcedStatus ?? 'its own status'} from now on.` }),
});

export const paymentActions = [cancelPayment, changePayment, rejectPayment, forceStatus];
