import { memberOf, type Members, type RuleFault } from '../../engine/values/members.ts';

export { faultAt, formatValue, listed, memberOf, type Members, type RuleFault } from '../../engine/values/members.ts';

/**
 * Rule over several members of one object, listed in its schema's `rules`. It ignores members of the wrong type or form,
 * which their own schemas report.
 */
export type BodyRule = (members: Members, quirks: SwitchedOn) => readonly RuleFault[];

/** The quirks that are on. A rule asks for one by its name. */
export interface SwitchedOn {
  has(quirk: string): boolean;
}

/* Reads the body that a TPP sent, which the control plane answers as it is. */

/** The text at a path of members, or null if no text is there. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = path.reduce(memberOf, value);
  return typeof found === 'string' ? found : null;
}

/** The amount in a member, or null if amount or currency is missing. */
export function amountAt(value: unknown, name: string): { readonly amount: string; readonly currency: string } | null {
  const [amount, currency] = [textAt(value, name, 'amount'), textAt(value, name, 'currency')];
  return amount === null || currency === null ? null : { amount, currency };
}

/** The number of the account in a member: its BBAN, else its IBAN, else its `other` identification. */
export function accountAt(value: unknown, name: string): string | null {
  const forms = ['bban', 'iban'].map((form) => textAt(value, name, form));
  return forms.find((number) => number !== null) ?? textAt(value, name, 'other', 'identification');
}
