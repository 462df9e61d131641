import * as Type from 'typebox';
import { instructedAmount } from '../../bodies/amount.ts';
import { closed } from '../../bodies/schema.ts';
import { date } from '../../bodies/values.ts';

/** `PATCH /sandbox/payments/{id}` (rules.md P14). */
export const paymentChangeBody = closed(
  { amount: Type.Optional(instructedAmount), requestedExecutionDate: Type.Optional(date) },
  {
    title: 'PaymentChange',
    description: "What the PSU changes of a payment in the bank's own channels.",
    expected: 'an object with amount, requestedExecutionDate or both',
    examples: [{ requestedExecutionDate: '2027-04-01' }],
    minProperties: 1,
  },
);
