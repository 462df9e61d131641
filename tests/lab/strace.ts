import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A failure of a system call while strace is attached. */
export interface Injection {
  /** `fdatasync,fsync`. */
  readonly calls: string;
  /** `EIO`. */
  readonly error: string;
  /** Which call of a thread fails, 1 for the first; `1+`: every one. */
  readonly nth: number | '1+';
}

/** Fails system calls of a running process; null if strace is missing or not permitted. `detach` returns how many calls failed. */
export async function attachStrace(pid: number, { calls, error, nth }: Injection) {
  const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}:when=${nth}`];
  // Files are written by threads other than the main one.
  const trace = await attach(pid, ['-f', ...inject], allThreads);
  return trace === null ? null : { detach: async () => (await trace.stop()).split('(INJECTED)').length - 1 };
}

interface Trace {
  /** Detaches and returns the calls, one a line, in their order. */
  stop(): Promise<string>;
}

/**
 * Follows what the main thread of a process writes and syncs, which is where SQLite and the sockets are: files by their paths, and the
 * bytes. Null if strace is missing or not permitted.
 */
export function traceWrites(pid: number): Promise<Trace | null> {
  const calls = 'trace=pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg';
  return attach(pid, ['-y', '-s', '20000', '-e', calls], mainThread);
}

/** Follows what all threads of a process sync, rename and answer: files by their paths. Null if strace is missing or not permitted. */
export async function traceFiles(pid: number): Promise<Trace | null> {
  const calls = 'trace=fdatasync,fsync,rename,renameat,renameat2,write,writev,sendto,sendmsg';
  const trace = await attach(pid, ['-f', '-y', '-s', '400', '-e', calls], allThreads);
  return trace === null ? null : { stop: async () => wholeCalls(await trace.stop()) };
}

/**
 * The lines of a trace of several threads. A call that strace tells in two lines, because one of another thread came between, is whole where it
 * ended; a write stays where it began, because its bytes may leave at once.
 */
export function wholeCalls(trace: string): string {
  const begun = new Map<string, string>();
  const lines = trace.split('\n').map((line) => {
    const [, thread = ''] = /^\[pid +(\d+)\]/.exec(line) ?? [];
    const [, beginning] = /^(.*) <unfinished \.\.\.>$/.exec(line) ?? [];
    if (beginning !== undefined) begun.set(thread, beginning);
    const [, name = '', end = ''] = /<\.\.\. (\w+) resumed>(.*)$/.exec(line) ?? [];
    return name === '' || /^(?:write|send)/.test(name) ? line : (begun.get(thread) ?? '') + end;
  });
  return lines.join('\n');
}

/** Whether strace is there and may attach to a process beside it. */
export async function canTrace(): Promise<boolean> {
  const other = spawn('sleep', ['60'], { stdio: 'ignore' });
  const trace = await attach(other.pid ?? 0, [], mainThread);
  await trace?.stop();
  other.kill();
  return trace !== null;
}

type Threads = (pid: number) => readonly string[];
const mainThread: Threads = (pid) => [String(pid)];
const allThreads: Threads = (pid) => readdirSync(`/proc/${pid}/task`);

/** Attaches strace to these threads of a process. Null if it is missing or not permitted. */
async function attach(pid: number, options: readonly string[], threads: Threads): Promise<Trace | null> {
  const strace = spawn('strace', ['-q', '-p', String(pid), ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  strace.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const ended = once(strace, 'close').catch(() => undefined);
  let isOver = false;
  void ended.then(() => (isOver = true));
  const isTraced = (thread: string): boolean =>
    !/^TracerPid:\s*0$/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'));
  const areTraced = (): boolean => {
    try {
      return threads(pid).every(isTraced);
    } catch {
      // The process or a thread has ended.
      return false;
    }
  };
  while (!isOver && !areTraced()) await delay(5);
  if (isOver) return null;
  const stop = async (): Promise<string> => {
    strace.kill('SIGINT');
    await ended;
    return said;
  };
  return { stop };
}
