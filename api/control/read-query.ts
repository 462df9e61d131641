import { withinCalendar } from '../../engine/time/rules/bank-clock.ts';
import { type Instant, parseInstant } from '../../engine/values/instant.ts';
import { type LocalDate, parseLocalDate } from '../../engine/values/local-date.ts';
import { clip, quote } from '../../engine/values/text.ts';
import { queryIn } from '../pipeline/target.ts';
import { Problem, refusedAt } from '../pipeline/problem.ts';

/** Reads the query of a request target. Problem 400 for an unknown or repeated parameter. */
export function readQuery(target: string, allowed: readonly string[]): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of queryIn(target)) {
    if (!allowed.includes(name)) {
      throw new Problem({ status: 400, detail: `There is no query parameter ${quote(name)} here.`, allowed });
    }
    if (query.has(name))
      throw new Problem({ status: 400, detail: `The query parameter ${clip(name)} is there twice.` });
    query.set(name, value);
  }
  return query;
}

/** One of these words; undefined when it was left out. Problem 400 for another. */
export function wordIn<Word extends string>(
  query: ReadonlyMap<string, string>,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = query.get(name);
  return text === undefined ? undefined : oneOf(words, text, name, `There is no ${name} ${quote(text)}.`);
}

/**
 * The one of these words that a text is. Problem 400, which lists them, for another text. `path`: where the text
 * stands.
 */
export function oneOf<Word extends string>(words: readonly Word[], text: string, path: string, detail: string): Word {
  const word = words.find((known) => known === text);
  if (word !== undefined) return word;
  throw refusedAt(path, detail, words);
}

/** The instant of a query parameter: a date or an instant with its offset, or null for another text. */
export function instantIn(text: string): Instant | null {
  // An unescaped plus sign arrives as a blank.
  return parseInstant(text.replace(' ', '+'));
}

/** A whole number within bounds, or `otherwise` when it was left out. Problem 400 for anything else. */
export function countIn(
  query: ReadonlyMap<string, string>,
  name: string,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number {
  const text = query.get(name) ?? String(otherwise);
  const count = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (count >= least && count <= most) return count;
  throw refusedAt(
    name,
    `${name} is ${quote(text)}: expected a whole number from ${least} to ${most}.`,
    `${least} to ${most}`,
  );
}

/**
 * The dates `from` and `to`, both inclusive; null leaves an end open. Problem 400 for another text, a date beyond the
 * years of the bank clock (rules.md T7), and an end before the start.
 */
export function periodIn(query: ReadonlyMap<string, string>): {
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
} {
  const [from, to] = [dateIn(query, 'from'), dateIn(query, 'to')];
  if (from !== null && to !== null && from > to) {
    throw refusedAt('to', `to ${to} is before from ${from}.`, `${from} or later`);
  }
  return { from, to };
}

function dateIn(query: ReadonlyMap<string, string>, name: string): LocalDate | null {
  const text = query.get(name);
  if (text === undefined) return null;
  const date = parseLocalDate(text);
  if (date !== null && date === withinCalendar(date)) return date;
  throw refusedAt(
    name,
    `${name} is ${quote(text, 40)}: expected a date of 1990 to 2099 that exists, YYYY-MM-DD, for example 2027-03-30.`,
    'YYYY-MM-DD',
  );
}
