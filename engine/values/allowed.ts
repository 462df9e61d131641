import { type Country, isCountry } from './country.ts';
import { countJsonValues } from './lists.ts';
import { type Currency, type FormattedAmount, isCurrency, parseAmount } from './money.ts';
import { type LocalDate, parseLocalDate } from './local-date.ts';

/* Which values a column of the ledger, or a member of JSON in a column, may have; the types of JSON follow from it. */

/** Tests a value. `Value`: the type of those that it allows. */
export interface Allowed<Value = unknown> extends Says<Value> {
  (value: unknown): boolean;
}

/** What says the type of its values. */
export interface Says<Value> {
  /** In types only. */
  readonly value?: Value;
}

/** The type of the values. */
export type ValueOf<Shape> = Shape extends Says<infer Value> ? Value : never;

/** Marks a member that an object may lack. */
export interface Optional {
  readonly isOptional: true;
}

/** The type of an object with these members. */
export type ObjectOf<Members> = {
  readonly [Name in Exclude<keyof Members, OptionalOf<Members>>]: ValueOf<Members[Name]>;
} & { readonly [Name in OptionalOf<Members>]?: ValueOf<Members[Name]> };
type OptionalOf<Members> = { [Name in keyof Members]: Members[Name] extends Optional ? Name : never }[keyof Members];

/** First and last day of bank activity: the calendar covers them. */
const days = { from: '1990-01-01', to: '2101-02-28' };

/** A whole number within bounds, both included. */
export function whole(from: number, to: number): Allowed<number> {
  return (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value <= to;
}

/** A text whose length is within these bounds. */
export function text(maxLength: number, minLength = 0): Allowed<string> {
  return (value) => typeof value === 'string' && value.length >= minLength && value.length <= maxLength;
}

/** A text that matches the form. */
export function formed(form: RegExp): Allowed<string> {
  return (value) => typeof value === 'string' && form.test(value);
}

export const currency: Allowed<Currency> = (value) => typeof value === 'string' && isCurrency(value);
/** A day that exists. */
export const date: Allowed<LocalDate> = (value) => typeof value === 'string' && parseLocalDate(value) !== null;
/** A day on which the bank may do something. */
export const bankDate: Allowed<LocalDate> = (value) =>
  date(value) && String(value) >= days.from && String(value) <= days.to;

export function oneOf<const Value extends string | boolean>(values: Iterable<Value>): Allowed<Value> {
  const known = new Set<unknown>(values);
  return (value) => known.has(value);
}

/** Allows null too. */
export function orNull<Value>(allowed: Allowed<Value>): Allowed<Value | null> {
  return (value) => value === null || allowed(value);
}

/* JSON, and its members: their values, not every rule that applied to the request. */

/** Maximum number of JSON values in a cell, in lists and objects: each takes memory, however short its text is. */
const maxValues = 1_000_000;

/** A text that is JSON of something, with at most {@link maxValues} values (control-plane.md B2). */
export function json(allowed: Allowed): Allowed<string> {
  return (value) => {
    if (typeof value !== 'string') return false;
    if (value.length > maxValues && countJsonValues(new TextEncoder().encode(value)) > maxValues) return false;
    try {
      return allowed(JSON.parse(value));
    } catch {
      return false;
    }
  };
}

/** As long as a body may be: some texts have no other limit. */
export const words = text(1_000_000);

export const country: Allowed<Country> = (value) => typeof value === 'string' && isCountry(value);

/** An amount that its currency can have. */
export function money(parse = parseAmount): Allowed<FormattedAmount> {
  const hasForm = object({ amount: text(40), currency });
  return (value) => {
    if (!hasForm(value)) return false;
    const { amount, currency: code } = value as FormattedAmount;
    return typeof parse(amount, code) !== 'string';
  };
}

export const truth: Allowed<boolean> = (value) => typeof value === 'boolean';

/** Allows a missing member too. */
export function optional<Value>(allowed: Allowed<Value>): Allowed<Value> & Optional {
  const isAllowed: Allowed<Value> = (value) => value === undefined || allowed(value);
  return Object.assign(isAllowed, { isOptional: true } as const);
}

/** A text, or none. */
export const some = optional(words);

/** Members with a text or none. */
export function texts<const Name extends string>(...names: readonly Name[]): Readonly<Record<Name, typeof some>> {
  return Object.fromEntries(names.map((name) => [name, some])) as Record<Name, typeof some>;
}

export function listOf<Value>(allowed: Allowed<Value>): Allowed<readonly Value[]> {
  return (value) => Array.isArray(value) && value.every(allowed);
}

/** An object with these members and no others. */
export function object<Members extends Readonly<Record<string, Allowed>>>(
  members: Members,
): Allowed<ObjectOf<Members>> {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const entries = new Map<string, unknown>(Object.entries(value));
    const isKnown = [...entries.keys()].every((member) => Object.hasOwn(members, member));
    return isKnown && Object.entries<Allowed>(members).every(([member, allowed]) => allowed(entries.get(member)));
  };
}
