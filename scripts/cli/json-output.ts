import type { Arguments } from './arguments.ts';
import type { Flag } from './command.ts';
import type { Terminal } from './terminal.ts';

/** Every command has it: standard output is one JSON document, and so is what standard error says of a failure. */
export const jsonFlag: Flag = { name: 'json', what: 'Prints JSON: the answer of the bank as it came.' };

/** Prints an answer: as it is with --json, else as these lines. */
export function printAnswer<Answer>(
  given: Arguments,
  terminal: Terminal,
  answer: Answer,
  lines: (answer: Answer) => readonly string[],
): void {
  if (given.has(jsonFlag.name)) terminal.print(JSON.stringify(answer, null, 2));
  else for (const line of lines(answer)) terminal.out(line);
}

/** An error on standard error: text, or with --json the bank's problem document, else `{detail}`. */
export function printError(
  args: readonly string[],
  terminal: Terminal,
  text: string,
  problem: object | null = null,
): void {
  terminal.error(asks(args, '--json') ? JSON.stringify(problem ?? { detail: text }) : text);
}

/** Whether a switch stands before `--`. */
export function asks(args: readonly string[], ...names: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((word) => names.includes(word));
}
