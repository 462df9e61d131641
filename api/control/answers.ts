import * as Type from 'typebox';
import { closed, meaning } from '../bodies/schema.ts';
import { currency, date } from '../bodies/values.ts';

/* What several answers of the control plane have. */

/** An amount, `{amount, currency}`. */
export const money = closed(
  {
    amount: Type.String({
      description: 'a decimal string with the fraction digits of its currency; a debit is negative',
      pattern: '^-?\\d+(\\.\\d+)?$',
      examples: ['-100.00'],
    }),
    currency,
  },
  { title: 'Money' },
);

export const moment = Type.String({
  title: 'Moment',
  description: 'an instant, ISO 8601 with its offset',
  format: 'bank-instant',
  examples: ['2027-03-30T05:30:00.000+02:00'],
});

export const day = meaning('a bank date, YYYY-MM-DD', date);

/** A settlement run by name. */
export const run = closed(
  {
    id: Type.String({ description: 'its bank date and number', examples: ['2027-03-30/1'] }),
    at: moment,
  },
  { title: 'Run' },
);

/** What a run did, as counts. */
export const runCounts = {
  settled: count('payments, items and occurrences that it settled'),
  retried: count('those that lacked funds and are tried again'),
  rejected: count('those that it rejected'),
  booked: count('those of earlier runs, and instant payments, that it booked'),
  registered: count('occurrences of standing orders that it scheduled'),
};

function count(description: string) {
  return Type.Integer({ description, minimum: 0 });
}

/** A customer or PSU. */
export const person = closed(
  {
    number: Type.String({ description: 'the customer number', examples: ['13039319955'] }),
    name: Type.String({ examples: ['Nora Berg'] }),
  },
  { title: 'Person' },
);

export const accountNumber = Type.String({
  title: 'AccountNumber',
  description: 'the BBAN or, of an account without one, the IBAN',
  examples: ['09232911044'],
});

export const paymentId = Type.String({ title: 'PaymentId', description: 'the id of a payment' });

/** The schema, or null for the reason that the description tells. */
export function orNull<Schema extends Type.TSchema>(description: string, schema: Schema) {
  return Type.Union([schema, Type.Null()], { description });
}
