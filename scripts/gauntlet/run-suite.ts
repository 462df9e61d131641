import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { jsonOr } from '../../engine/values/json-text.ts';
import { quote } from '../../engine/values/text.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** How much of an output is kept, from its end, in characters. */
const maxOutput = 400_000;

/** How much of the standard output is kept, from its beginning, in characters: no runner's report is longer. */
const maxPrinted = 64 * 1024 * 1024;

/** How long a group has to end by itself after SIGTERM, in ms. */
const graceMs = 1_000;

export interface Ended {
  /** It is null if it did not end by itself. */
  readonly code: number | null;
  /** Standard output and standard error, as they came. */
  readonly output: string;
  /** Standard output alone: a report may be on it. */
  readonly printed: string;
  /** To a tenth. */
  readonly seconds: number;
  readonly isTimeout: boolean;
}

/**
 * How long a suite may take under a trial, in ms: three of its slowest baseline, in seconds, and 30 s
 * (docs/spec/control-plane.md GA3).
 */
export function limitMs(baselines: readonly number[]): number {
  return Math.round(Math.max(...baselines) * 3_000) + 30_000;
}

/**
 * Runs a command in a process group of its own. Whatever it leaves behind in the group is ended. Throws a Mistake for a
 * command that cannot be started.
 */
export async function runSuite(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
  stop: AbortSignal,
): Promise<Ended> {
  const begun = performance.now();
  const limit = AbortSignal.timeout(timeoutMs);
  await using group = startGroup(command, env, AbortSignal.any([stop, limit]));
  let output = '';
  let printed = '';
  const hear = (text: string): void => void (output = (output + text).slice(-maxOutput));
  group.child.stdout?.on('data', hear).on('data', (text: string) => {
    if (printed.length < maxPrinted) printed += text;
  });
  group.child.stderr?.on('data', hear);
  const closed = once(group.child, 'close').catch(() => []);
  const exit = once(group.child, 'exit') as Promise<[number | null]>;
  const [code] = await exit.catch((error: NodeJS.ErrnoException) => {
    // EACCES: also where a folder of PATH may not be read.
    const isLacking = error.code === 'ENOENT' || error.code === 'EACCES';
    const why = isLacking ? 'there is no such command that this process may run' : error.message;
    throw new Mistake(`${quote(command[0] ?? '')} cannot be run: ${why}`);
  });
  const isTimeout = limit.aborted;
  // Its output has been read then, or a moment later: a process that it left behind may hold it open.
  await Promise.race([closed, wait(200)]);
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  return { code: isTimeout ? null : code, output, printed, seconds, isTimeout };
}

interface Group extends AsyncDisposable {
  readonly child: ChildProcess;
}

/** Starts a command in a process group, which ends at a stop or when it is disposed of. */
function startGroup([program = '', ...words]: readonly string[], env: NodeJS.ProcessEnv, stop: AbortSignal): Group {
  const child = spawn(program, words, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env });
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  const end = (): void => void endGroup(child);
  if (stop.aborted) end();
  stop.addEventListener('abort', end);
  return {
    child,
    [Symbol.asyncDispose]: async () => {
      stop.removeEventListener('abort', end);
      await endGroup(child);
      // A process that left the group holds them open, and so this one alive.
      for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    },
  };
}

/** Ends what is left of the group of a process that we started. */
async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined || !signalGroup(pid, 'SIGTERM')) return;
  for (let waited = 0; waited < graceMs; waited += 50) {
    await wait(50);
    if (!signalGroup(pid, 0)) return;
  }
  signalGroup(pid, 'SIGKILL');
}

/** Returns false if the group has ended. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/**
 * Starts `sandbank serve` in memory on a free port, for suites in other languages. A stop ends it. `address`: null if
 * it did not start; `said`: what it said on standard error until then.
 */
export async function startBank(env: NodeJS.ProcessEnv, stop: AbortSignal) {
  const program = fileURLToPath(new URL('../sandbank.js', import.meta.url));
  const flags = ['--port', '0', '--ledger', ':memory:', '--json', '--log-level', 'silent'];
  const group = startGroup([process.execPath, program, 'serve', ...flags], env, stop);
  let said = '';
  group.child.stderr?.on('data', (part: string) => void (said += part));
  // The greeting is one line, which may come in pieces. What follows it is read, and ignored.
  const lines = createInterface({ input: group.child.stdout ?? process.stdin });
  const closed = once(group.child, 'close').then(() => []);
  const [line = ''] = (await Promise.race([once(lines, 'line'), closed])) as string[];
  const greeting = jsonOr(line, null) as { readonly address: string } | null;
  return { ...group, address: greeting?.address ?? null, said };
}
