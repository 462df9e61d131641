import { frequencies, type Frequency } from '../../engine/time/rules/frequency.ts';
import { parseLocalDate, type LocalDate } from '../../engine/values/local-date.ts';
import { WrongUse } from './command.ts';

/** The date of a flag, YYYY-MM-DD. Throws a WrongUse. */
export function date(name: string, text: string | undefined): LocalDate {
  if (text === undefined) throw new WrongUse(`--${name} is missing`);
  const found = parseLocalDate(text);
  if (found === null) throw new WrongUse(`--${name} ${text} is not a date YYYY-MM-DD`);
  return found;
}

/** A frequency by its name in the interface, in any case. */
export function frequencyNamed(text: string): Frequency | undefined {
  return frequencies.find((one) => one.toLowerCase() === text.toLowerCase());
}

/** {@link frequencyNamed}. Throws a WrongUse that lists all. */
export function frequency(name: string, text: string | undefined): Frequency {
  const found = text === undefined ? undefined : frequencyNamed(text);
  if (found !== undefined) return found;
  const problem = text === undefined ? `--${name} is missing` : `no frequency ${text}`;
  throw new WrongUse(`${problem}: expected one of ${frequencies.join(', ')}`);
}

/** A whole number from 1 to `most`. Throws a WrongUse. */
export function whole(name: string, text: string, most: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw new WrongUse(`--${name} ${text} is not a whole number from 1 to ${most}`);
  return value;
}
