import { closed } from '../../bodies/schema.ts';
import * as Type from 'typebox';

/** `POST /sandbox/payments/{id}/status` (rules.md S9b). */
export const forcedStatusBody = closed(
  { status: paymentStatus('ACWC') },
  {
    title: 'ForcedStatus',
    description: 'A status that the bank never gives by itself, for a payment.',
    examples: [{ status: 'ACWC' }],
  },
);

/** Schema of a payment status by its form; the endpoint checks that it exists. */
export function paymentStatus(example: string): Type.TString {
  return Type.String({
    description: 'a payment status of four capital letters',
    pattern: '^[A-Z]{4}$',
    examples: [example],
  });
}
