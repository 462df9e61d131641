import { formatInstant } from '../../../engine/values/instant.ts';
import { inspectPayment } from '../../../engine/inspection/inspect-payment.ts';
import { paymentAnswer } from './payment-answer.ts';
import type { ControlEndpoint } from '../control-endpoint.ts';
import { amountJson, runJson, withFormattedInstant } from '../format.ts';

/** `GET /sandbox/payments/{id}`: all data of a payment of any TPP. */
export const getPayment: ControlEndpoint = {
  method: 'GET',
  path: '/payments/:paymentId',
  summary: 'Everything about a payment of any TPP',
  answer: paymentAnswer,
  handle: async ({ bank, params }) => {
    const { nextAttempt, history, signatures, attempts, entries, ...payment } = await inspectPayment(
      bank,
      params['paymentId'] ?? '',
    );
    return {
      ...payment,
      nextAttempt: nextAttempt === null ? null : runJson(nextAttempt),
      history: history.map((change) => ({
        ...withFormattedInstant(change),
        wall: change.wall === null ? null : formatInstant(change.wall),
      })),
      signatures: signatures.map(withFormattedInstant),
      attempts: attempts.map((attempt) => ({
        ...withFormattedInstant(attempt),
        available: amountJson(attempt.available),
        needed: amountJson(attempt.needed),
      })),
      entries: entries.map((entry) => ({ ...entry, amount: amountJson(entry.amount) })),
    };
  },
};
