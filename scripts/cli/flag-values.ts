import { quote } from '../../engine/values/text.ts';
import { WrongUse } from './command.ts';

/** The refusal of a flag's value: `--count is "x": expected a whole number from 1 to 10`. */
export function wrongValue(flag: string, text: string, expected: string): WrongUse {
  return new WrongUse(`--${flag} is ${quote(text, 40)}: expected ${expected}`);
}

/** The numbers of `2,5`. Anything but a whole number stays a text, for the refusal of the bank. */
export function numbersIn(text: string): readonly (number | string)[] {
  return text.split(',').map(numberIn);
}

/** A whole number; another text as it is, for the refusal of the bank. */
export function numberIn(text: string): number | string {
  return /^ *-?\d{1,9} *$/.test(text) ? Number(text) : text;
}
