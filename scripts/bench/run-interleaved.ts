import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Measured } from './stopwatch.ts';
import type { Task } from './task.ts';

const taskFile = fileURLToPath(new URL('./task.ts', import.meta.url));
const run = promisify(execFile);

/** Number of measurements of a task, a start, or a rate of requests. */
export const repeats = 7;

/**
 * Measures each task {@link repeats} times, in turns, so that other load on the machine affects all of them. Returns the
 * fastest time, as other load only adds, and the highest memory use.
 */
export async function runInterleaved<Name extends string>(tasks: Record<Name, Task>): Promise<Record<Name, Measured>> {
  const names = Object.keys(tasks) as Name[];
  const all = new Map<Name, Measured[]>(names.map((name) => [name, []]));
  for (let turn = 0; turn < repeats; turn += 1) {
    for (const name of names) all.get(name)?.push(await runTask(tasks[name]));
  }
  return Object.fromEntries([...all].map(([name, each]) => [name, summary(each)])) as Record<Name, Measured>;
}

async function runTask(task: Task): Promise<Measured> {
  const { stdout } = await run(process.execPath, ['--expose-gc', taskFile, JSON.stringify(task)]);
  return JSON.parse(stdout) as Measured;
}

function summary(all: readonly Measured[]): Measured {
  return {
    seconds: Math.min(...all.map(({ seconds }) => seconds)),
    megabytes: Math.max(...all.map(({ megabytes }) => megabytes)),
  };
}
