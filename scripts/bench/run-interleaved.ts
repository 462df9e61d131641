import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Measured } from './stopwatch.ts';
import type { Task } from './task.ts';

const taskFile = fileURLToPath(new URL('./task.ts', import.meta.url));
const run = promisify(execFile);

/** How often everything is measured. */
export const repeats = 5;

/** The median of the seconds, and the most megabytes. */
export interface Repeated extends Measured {
  /** The seconds of each turn. */
  readonly turns: readonly number[];
}

/** Measures each task {@link repeats} times, in turns, so that a noisy minute hits all of them. */
export async function runInterleaved<Name extends string>(tasks: Record<Name, Task>): Promise<Record<Name, Repeated>> {
  const names = Object.keys(tasks) as Name[];
  const all = new Map<Name, Measured[]>(names.map((name) => [name, []]));
  for (let turn = 0; turn < repeats; turn += 1) {
    for (const name of names) all.get(name)?.push(await runTask(tasks[name]));
  }
  return Object.fromEntries([...all].map(([name, each]) => [name, summary(each)])) as Record<Name, Repeated>;
}

async function runTask(task: Task): Promise<Measured> {
  const { stdout } = await run(process.execPath, ['--expose-gc', taskFile, JSON.stringify(task)]);
  return JSON.parse(stdout) as Measured;
}

/** How many times as long one took as the other: the median of the turns, each compared with what ran beside it. */
export function timesAsLong(one: Repeated, other: Repeated): number {
  return median(one.turns.map((seconds, turn) => seconds / (other.turns[turn] ?? NaN)));
}

function summary(all: readonly Measured[]): Repeated {
  const turns = all.map(({ seconds }) => seconds);
  return {
    turns,
    seconds: median(turns),
    megabytes: Math.max(...all.map((one) => one.megabytes)),
  };
}

/** The middle of an odd number of values. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('no values');
  return middle;
}
