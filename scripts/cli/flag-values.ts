import { quote } from '../../engine/values/text.ts';
import type { TextForm } from '../../engine/values/text-form.ts';
import { WrongUse } from './command.ts';

/** The value of a flag. Throws a WrongUse: `--count is "x": expected a whole number from 1 to 10`. */
export function valueOf<Value>(flag: string, text: string, form: TextForm<Value>): Value {
  const read = form(text);
  if (!read.ok) throw new WrongUse(`--${flag} is ${quote(text, 40)}: ${read.problem}`);
  return read.value;
}

/** A whole number; another text as it is, for the refusal of the bank. */
export function numberIn(text: string): number | string {
  return /^ *-?\d{1,9} *$/.test(text) ? Number(text) : text;
}
