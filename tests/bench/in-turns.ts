import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

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
