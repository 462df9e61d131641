import * as Type from 'typebox';

/** The text of a payment status; whether there is such a status is asked later. */
export function paymentStatus(example: string): Type.TString {
  return Type.String({
    description: 'a payment status of four capital letters',
    pattern: '^[A-Z]{4}$',
    examples: [example],
  });
}
