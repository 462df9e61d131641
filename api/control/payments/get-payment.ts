import { formatInstant } from '../../../engine/values/instant.ts';
import { inspectPayment, type InspectedPayment } from '../../../engine/inspection/inspect-payment.ts';
import { sentence } from '../../causes/sentence.ts';
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
    const { cause, nextAttempt, history, signatures, attempts, occurrences, entries, ...payment } =
      await inspectPayment(bank, params['paymentId'] ?? '');
    return {
      ...payment,
      why: cause === null ? (endedBy(payment.status, history) ?? null) : sentence(cause),
      nextAttempt: nextAttempt === null ? null : runJson(nextAttempt),
      history: history.map((change) => ({
        ...withFormattedInstant(change),
        wall: change.wall === null ? null : formatInstant(change.wall),
      })),
      signatures: signatures.map(withFormattedInstant),
      attempts: attempts.map(({ cause: outcome, ...attempt }) => ({
        ...withFormattedInstant(attempt),
        reason: sentence(outcome),
        available: amountJson(attempt.available),
        needed: amountJson(attempt.needed),
      })),
      occurrences: occurrences.map(({ moved, ...occurrence }) => ({
        ...occurrence,
        ...(moved !== undefined && { moved: sentence(moved) }),
      })),
      entries: entries.map((entry) => ({ ...entry, amount: amountJson(entry.amount) })),
    };
  },
};

/** What ended a payment that no attempt did. */
function endedBy(status: InspectedPayment['status'], history: InspectedPayment['history']): string | undefined {
  return status === 'RJCT' || status === 'CANC' ? history.at(-1)?.cause : undefined;
}
