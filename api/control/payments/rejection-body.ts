import * as Type from 'typebox';
import { closed } from '../../bodies/schema.ts';
import { date } from '../../bodies/values.ts';

/** `POST /sandbox/payments/{id}/reject` (rules.md P14b). */
export const rejectionBody = closed(
  {
    item: Type.Optional(
      Type.String({
        description: 'the path of an item of a bulk payment, from payments[0]',
        pattern: '^payments\\[(0|[1-9]\\d{0,6})\\]$',
        examples: ['payments[1]'],
      }),
    ),
    occurrence: Type.Optional(date),
    reason: Type.String({
      description: 'why, in words of your own for the TPP and the PSU, at most 140 characters',
      maxLength: 140,
      minLength: 1,
      format: 'clearing-text',
      examples: ['the creditor account is closed'],
    }),
  },
  {
    title: 'Rejection',
    description:
      'What is to be rejected, and why: the payment, an item of a bulk payment, or an occurrence of a periodic one.',
    expected: 'an object with reason, and item or occurrence',
    examples: [{ reason: 'the creditor account is closed' }, { item: 'payments[1]', reason: 'the account is closed' }],
  },
);
