import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** One line of the report: a measured value and what it is compared with. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  /** Such as `ms`. */
  readonly unit: string;
  readonly judgement: Judgement;
}

/** One target: for the ratio to the yardstick, or without a yardstick for the value itself. */
interface Judgement {
  /** What was measured beside it in the same run, in the same unit. */
  readonly of?: readonly [what: string, value: number];
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Declares a figure: its name, what was measured, the yardstick, the target. Without a target it is only shown. */
export function figure(what: string, value: number, unit: string, judgement: Judgement = {}): Figure {
  return { what, value, unit, judgement };
}

/** Whether a figure is within its target. */
export function isMet({ value, judgement: { of, atLeast = -Infinity, atMost = Infinity } }: Figure): boolean {
  const judged = of === undefined ? value : value / of[1];
  return judged >= atLeast && judged <= atMost;
}

/** The report as aligned text. */
export function table(figures: readonly Figure[]): string {
  const all = [['what', 'figure', 'yardstick', 'ratio', 'target', ''], ...figures.map(cellsOf)];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => line(row).trimEnd()).join('\n');
}

function cellsOf(shown: Figure): string[] {
  const { what, value, unit } = shown;
  const { of, atLeast, atMost } = shown.judgement;
  const compared = of === undefined ? ['', ''] : [`${of[0]}: ${text(of[1])}`, (value / of[1]).toFixed(2)];
  const bound = atLeast === undefined ? `<= ${atMost}` : `>= ${atLeast}`;
  const isJudged = atLeast !== undefined || atMost !== undefined;
  const judged = isJudged ? [of === undefined ? `${bound} ${unit}` : bound, isMet(shown) ? 'ok' : 'MISSED'] : [];
  return [what, `${text(value)} ${unit}`, ...compared, ...judged];
}

function text(value: number): string {
  return value.toLocaleString('en', value < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
}

const run = promisify(execFile);

/**
 * Measures all things in each turn, so that other load on the machine affects all. Returns the measurements of each, without
 * those of turn 0, which warms up. `first` 1: there is no such turn, because each measurement warms up by itself.
 */
export async function inTurns<Name extends string, Thing, Measured>(
  things: Readonly<Record<Name, Thing>>,
  measure: (thing: Thing, turn: number) => Promise<Measured>,
  turns = 5,
  first: 0 | 1 = 0,
): Promise<Record<Name, Measured[]>> {
  const measured = mapped(things, (): Measured[] => []);
  for (let turn = first; turn <= turns; turn += 1) {
    console.error(`  turn ${turn} of ${turns} of ${Object.keys(things).join(', ')}`);
    for (const name of Object.keys(things) as Name[]) {
      const one = await measure(things[name], turn);
      if (turn > 0) measured[name].push(one);
    }
  }
  return measured;
}

/** The same names, each with what is made of its value. */
export function mapped<Name extends string, From, To>(
  all: Readonly<Record<Name, From>>,
  make: (from: From) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(all).map(([name, from]) => [name, make(from)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}

/**
 * Calls a function that a module exports in a process of its own, so that memory and compiled code of others do not affect
 * it, and returns what it returns. `task` and the result pass as JSON.
 * @param module URL of the module.
 */
export async function inOwnProcess<Task, Result>(
  module: string,
  { name }: (task: Task) => Promise<Result>,
  task: Task,
  env: NodeJS.ProcessEnv = {},
): Promise<Result> {
  const program = `const { ${name} } = await import('${module}');
    console.log(JSON.stringify(await ${name}(JSON.parse(process.argv[1]))));`;
  const words = ['--expose-gc', '--input-type=module', '--eval', program, JSON.stringify(task)];
  const { stdout } = await run(process.execPath, words, { env: { ...process.env, ...env } });
  return JSON.parse(stdout) as Result;
}

/** The value below which this part of the values is: 0.5 is the median. */
export function quantile(values: readonly number[], part: number): number {
  const found = values.toSorted((one, other) => one - other)[Math.floor(values.length * part)];
  if (found === undefined) throw new Error('no values');
  return found;
}

/** How long the work takes, in ms. */
export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** What a task in a process of its own measures. */
export interface Measured {
  readonly seconds: number;
  /** Peak of resident memory above that at the start. */
  readonly megabytes: number;
}

const bytesPerMegabyte = 1024 * 1024;

/** Collects garbage, does the work, and measures it; returns with it what the work returned. */
export async function measured<Result>(work: () => Result | Promise<Result>): Promise<Measured & { result: Result }> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const begun = performance.now();
  const result = await work();
  const seconds = (performance.now() - begun) / 1000;
  return { result, seconds, megabytes: (process.resourceUsage().maxRSS * 1024 - before) / bytesPerMegabyte };
}
