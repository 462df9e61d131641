import { nearest } from '../../api/faults/nearest.ts';
import { clip } from '../../engine/values/text.ts';
import type { Terminal } from './terminal.ts';

/** Prints an answer: as it is with --json, else as these lines. */
export function printAnswer<Answer>(
  { given, terminal }: { readonly given: { has(flag: string): boolean }; readonly terminal: Terminal },
  answer: Answer,
  lines: (answer: Answer) => readonly string[],
): void {
  if (given.has('json')) terminal.print(JSON.stringify(answer, null, 2));
  else for (const line of lines(answer)) terminal.out(line);
}

/** An error on standard error: text, or with --json the bank's problem document, else `{detail}`. */
export function printError(isJson: boolean, terminal: Terminal, text: string, problem: object | null = null): void {
  terminal.error(isJson ? JSON.stringify(problem ?? { detail: text }) : text);
}

/** Whether a switch stands before `--`. */
export function asks(args: readonly string[], ...names: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((word) => names.includes(word));
}

/** `; the nearest is X` of some names, or empty if none is near. */
export function nearestHint(typed: string, names: readonly string[], prefix = ''): string {
  const hint = nearest(clip(typed, 40), names);
  return hint === null ? '' : `; the nearest is ${prefix}${hint}`;
}

/** `1 run`, `2 runs`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** An instant of an answer in bank time, to the minute: `2027-03-30 05:30`. */
export function formatTime(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}

/** Rows as lines, each column but the last as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)), []);
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Rows as {@link columns}, below a title. */
export function indented(rows: readonly (readonly string[])[]): string[] {
  return below(columns(rows));
}

/** Lines below a title. */
export function below(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
