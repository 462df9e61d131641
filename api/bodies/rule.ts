import { quote } from '../../engine/values/text.ts';

/** Members of an unvalidated JSON object: rules run beside the schema's other checks, not after them. */
export type Members = Readonly<Record<string, unknown>>;

export interface RuleFault {
  /** Dotted path, relative to the object of the rule; empty for the object itself. */
  readonly member: string;
  /** What was wrong, what was expected, what to do (rules.md E1). */
  readonly text: string;
}

/** One fault, as a rule returns it. */
export function faultAt(member: string, text: string): readonly RuleFault[] {
  return [{ member, text }];
}

/** Member of a value; undefined when the value is no object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Members)[name] : undefined;
}

/** Objects of a list; empty when the value is no list. */
export function listed(value: unknown): readonly Members[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item): item is Members => typeof item === 'object' && item !== null);
}

const maxShownChars = 40;

/** Formats a received value for a refusal's text: quoted, at most 40 characters, on one line. */
export function formatValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return quote(value, maxShownChars);
}

/**
 * Rule over several members of one object, listed in its schema's `rules`. It ignores members of the wrong type or
 * form, which their own schemas report.
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
