import { memberOf } from './rule.ts';

/* Reads the body that a TPP sent, which the control plane answers as it is. */

/** A text at a path of members; null: there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = path.reduce(memberOf, value);
  return typeof found === 'string' ? found : null;
}

/** An amount; null: there is none. */
export function amountAt(value: unknown, name: string): { readonly amount: string; readonly currency: string } | null {
  const [amount, currency] = [textAt(value, name, 'amount'), textAt(value, name, 'currency')];
  return amount === null || currency === null ? null : { amount, currency };
}

/** The number of an account, in whichever form it was sent; null: there is none. */
export function accountAt(value: unknown, name: string): string | null {
  const forms = ['bban', 'iban'].map((form) => textAt(value, name, form));
  return forms.find((number) => number !== null) ?? textAt(value, name, 'other', 'identification');
}
