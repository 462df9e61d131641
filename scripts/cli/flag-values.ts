import { frequencies, type Frequency } from '../../engine/time/rules/occurrences.ts';
import { parseDuration } from '../../engine/values/duration.ts';
import { parseInstant } from '../../engine/values/instant.ts';
import { parseLocalDate, type LocalDate } from '../../engine/values/local-date.ts';
import { quote } from '../../engine/values/text.ts';
import { WrongUse } from './command.ts';

/** The refusal of a flag's value: `--count is "x": expected a whole number from 1 to 10`. */
export function wrongValue(flag: string, text: string, expected: string): WrongUse {
  return new WrongUse(`--${flag} is ${quote(text, 40)}: expected ${expected}`);
}

/** The date of a flag, YYYY-MM-DD. Throws a WrongUse. */
export function date(flag: string, text: string): LocalDate {
  const found = parseLocalDate(text);
  if (found === null) throw wrongValue(flag, text, 'a date YYYY-MM-DD');
  return found;
}

/** A frequency by its name in the interface, in any case. Throws a WrongUse that lists all. */
export function frequency(flag: string, text: string): Frequency {
  const found = frequencies.find((one) => one.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw wrongValue(flag, text, `one of ${frequencies.join(', ')}`);
  return found;
}

/** `--months` in every help. The bank alone decides which months it takes (rules.md R5). */
export const monthsFlag = {
  '--months <2,5>':
    'monthsOfExecution, for the frequency MonthlyVariable: 1 to 11; with the quirk december-month 1 to 12.',
};

/** `--day` in every help. */
export const dayFlag = { '--day <1..31>': 'dayOfExecution. Default: the day of the first date.' };

/** `--rule` in every help. */
export const ruleFlag = {
  '--rule <RULE>': 'executionRule: following, or preceeding (the interface spells it so) [following].',
};

/** The numbers of `2,5`. Anything but a whole number stays a text, for the refusal of the bank. */
export function numbersIn(text: string): readonly (number | string)[] {
  return text.split(',').map(numberIn);
}

/** A whole number; another text as it is, for the refusal of the bank. */
export function numberIn(text: string): number | string {
  return /^ *-?\d{1,9} *$/.test(text) ? Number(text) : text;
}

/** Whether a word is an instant or a duration. Throws a WrongUse for another one: the bank checks only how far it may go. */
export function whenOf(word: string, examples: string): 'instant' | 'duration' {
  if (parseInstant(word) !== null) return 'instant';
  if (parseDuration(word) !== null) return 'duration';
  throw new WrongUse(`${quote(word)} is no instant and no duration: expected one such as ${examples}`);
}
