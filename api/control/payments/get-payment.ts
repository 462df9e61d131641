import { formatInstant } from '../../../engine/values/instant.ts';
import { inspectPayment } from '../../../engine/payments/inspect-payment.ts';
import type { ControlEndpoint } from '../control-endpoint.ts';
import { shownAmount, withShownInstant } from '../shown.ts';

/** `GET /sandbox/payments/{id}`: everything that the bank knows of a payment, whoever initiated it. */
export const getPayment: ControlEndpoint = {
  method: 'GET',
  path: '/payments/:paymentId',
  handle: async ({ bank, params }) => {
    const { history, signatures, attempts, entries, ...payment } = await inspectPayment(
      bank,
      params['paymentId'] ?? '',
    );
    return {
      ...payment,
      history: history.map((change) => ({ ...withShownInstant(change), wall: formatInstant(change.wall) })),
      signatures: signatures.map(withShownInstant),
      attempts: attempts.map((attempt) => ({
        ...withShownInstant(attempt),
        available: shownAmount(attempt.available),
        needed: shownAmount(attempt.needed),
      })),
      entries: entries.map((entry) => ({ ...entry, amount: shownAmount(entry.amount) })),
    };
  },
};
