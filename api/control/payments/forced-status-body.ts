import { closed } from '../../bodies/schema.ts';
import { paymentStatus } from './payment-status.ts';

/** `POST /sandbox/payments/{id}/status` (rules.md S9b). */
export const forcedStatusBody = closed(
  { status: paymentStatus('ACWC') },
  {
    title: 'ForcedStatus',
    description: 'A status that the bank never gives by itself, for a payment.',
    examples: [{ status: 'ACWC' }],
  },
);
