import type * as Type from 'typebox';
import { quirkNames } from '../../../engine/bank/rules/quirk.ts';
import { faultCodes } from '../../../engine/values/fault.ts';
import { choice, optional, text, titled } from '../../bodies/schema.ts';
import { story } from '../../bodies/examples.ts';

/* Ids, numbers and names in answers of the control plane. */

/** A customer or PSU. */
export const person = titled('Person', 'A customer or a PSU.').closed({
  number: text('the customer number', story.psu),
  name: text('the name', 'Test Testperson 3'),
});

export const accountNumber = text('the BBAN, or the IBAN if the account has no BBAN', story.debtorBban);

export const paymentId = text('the id of a payment', { minLength: 1, examples: [story.paymentId] });

/** Schema of the same id as the wire has it, which is there if a quirk changes it (rules.md Q3). */
export const wireId = optional(text('the same id as a TPP reads it, if a quirk changes it'));

/** A payment by both of its ids. */
export const paymentIds = { paymentId, wirePaymentId: wireId };

/** A TPP by its id and name. */
export const tpp = titled('Tpp').closed({
  id: text('its id', 'PSDNO-FSA-987654321'),
  name: text('its name', 'Shop AS'),
});

/** Schema of the form of a payment status. The endpoint checks that the status exists. */
export function paymentStatus(example: string): Type.TString {
  return text('a payment status of four capital letters', { pattern: '^[A-Z]{4}$', examples: [example] });
}

export const faultCode = choice('a code of the interface', faultCodes);

export const quirkName = choice('a behaviour that you can switch on', quirkNames);

/** A quirk that is on, in a list: its name, and its value if it has one. */
export const quirkText = text('a quirk that is on, with its value', 'reissued-ids=P60D');
