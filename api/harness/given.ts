import { clip } from '../../engine/values/text.ts';
import { nearest } from '../faults/nearest.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/**
 * Requires a text from a caller that may be JavaScript. Throws a Mistake otherwise; for a promise it says that an
 * `await` is missing. `call`: the function, `bank.payments`. `wanted`: what it takes, `a paymentId`.
 */
export function textGiven(call: string, wanted: string, given: unknown): string {
  if (typeof given === 'string') return given;
  throw wrongGiven(call, wanted, given);
}

/**
 * A text that is one part of a path. Throws as {@link textGiven} does, and for an empty text, `.` and `..`, which lead
 * to another path.
 */
export function partGiven(call: string, wanted: string, given: unknown): string {
  const part = textGiven(call, wanted, given);
  if (/^\.{0,2}$/.test(part)) throw wrongGiven(call, wanted, part);
  return part;
}

/** A text as it is, or a Date as an instant. Throws a Mistake for anything else. */
export function instantGiven(call: string, wanted: string, given: unknown): string {
  if (!isDate(given)) return textGiven(call, wanted, given);
  if (!Number.isNaN(given.getTime())) return given.toISOString();
  throw new Mistake(`${call} takes ${wanted}, and got an invalid Date.`);
}

/**
 * Requires an object with no other members, from a caller that may be JavaScript. Throws a Mistake that names an
 * unknown member and the nearest known one. `call`: the function that takes the object.
 */
export function membersGiven(call: string, names: readonly string[], given: unknown): asserts given is object {
  if (!isPlain(given)) throw wrongGiven(call, `{${names.join(', ')}}`, given);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new Mistake(`${call} has no option ${unknown}${nearestHint(unknown, names)}. It has ${names.join(', ')}.`);
}

/** Whether it is an object with members of its own: no list, Date or promise. */
export function isPlain(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !Array.isArray(given) && !isDate(given) && !isPromise(given);
}

/** `; the nearest is NAME`, to end the first sentence of a message; empty when none is near. */
export function nearestHint(wanted: string, names: readonly string[]): string {
  const found = nearest(wanted, names);
  return found === null ? '' : `; the nearest is ${found}`;
}

/** Whether it is a Date, also of another realm: jest gives each test file its own. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

/** Whether it is a URL, also one of jsdom. */
export function isUrl(value: unknown): value is URL {
  return Object.prototype.toString.call(value) === '[object URL]';
}

/** The value of a switch; false if it was left out. Throws a Mistake for anything but true and false. */
export function switchGiven(call: string, name: string, given: unknown): boolean {
  if (given === undefined || typeof given === 'boolean') return given ?? false;
  throw wrongGiven(call, `true or false in ${name}`, given);
}

export function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** The mistake of a wrong argument. */
export function wrongGiven(call: string, wanted: string, given: unknown): Mistake {
  const what = isPromise(given) ? 'a promise: an await is missing' : shown(given);
  return new Mistake(`${call} takes ${wanted}, and got ${what}.`);
}

function shown(given: unknown): string {
  if (typeof given === 'function') return 'a function';
  return clip((JSON.stringify(given) as string | undefined) ?? String(given));
}
