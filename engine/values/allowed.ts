import { isCurrency } from './money.ts';
import { parseLocalDate } from './local-date.ts';

/* Which values a column of the ledger, or a member of JSON in a column, may have. */

export type Allowed = (value: unknown) => boolean;

/** First and last day of bank activity: the calendar covers them. */
const days = { from: '1990-01-01', to: '2101-02-28' };

/** A whole number within bounds, both included. */
export function whole(from: number, to: number): Allowed {
  return (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value <= to;
}

/** A text whose length is within these bounds. */
export function text(maxLength: number, minLength = 0): Allowed {
  return (value) => typeof value === 'string' && value.length >= minLength && value.length <= maxLength;
}

/** A text that matches the form. */
export function formed(form: RegExp): Allowed {
  return (value) => typeof value === 'string' && form.test(value);
}

export const currency: Allowed = (value) => typeof value === 'string' && isCurrency(value);
/** A day that exists. */
export const date: Allowed = (value) => typeof value === 'string' && parseLocalDate(value) !== null;
/** A day on which the bank may do something. */
export const bankDate: Allowed = (value) => date(value) && String(value) >= days.from && String(value) <= days.to;

export function oneOf(values: Iterable<string | boolean>): Allowed {
  const known = new Set<unknown>(values);
  return (value) => known.has(value);
}

/** Allows null too. */
export function orNull(allowed: Allowed): Allowed {
  return (value) => value === null || allowed(value);
}

/* Members of JSON. */

export const truth: Allowed = (value) => typeof value === 'boolean';

/** Allows a missing member too. */
export function optional(allowed: Allowed): Allowed {
  return (value) => value === undefined || allowed(value);
}

export function listOf(allowed: Allowed): Allowed {
  return (value) => Array.isArray(value) && value.every(allowed);
}

/** An object with these members and no others. */
export function object(members: Readonly<Record<string, Allowed>>): Allowed {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const entries = new Map<string, unknown>(Object.entries(value));
    const isKnown = [...entries.keys()].every((member) => Object.hasOwn(members, member));
    return isKnown && Object.entries(members).every(([member, allowed]) => allowed(entries.get(member)));
  };
}
