import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A failure of a system call, once, while strace is attached. */
export interface Injection {
  /** `fdatasync,fsync`. */
  readonly calls: string;
  /** `EIO`. */
  readonly error: string;
  /** Which call of a thread fails, 1 for the first. */
  readonly nth: number;
}

interface AttachedStrace {
  /** Detaches and returns how many calls failed. */
  detach(): Promise<number>;
}

/** Fails system calls of a running process; null if strace is missing or not permitted. */
export async function attachStrace(pid: number, { calls, error, nth }: Injection): Promise<AttachedStrace | null> {
  const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}:when=${nth}`];
  const strace = spawn('strace', ['-f', '-q', '-p', String(pid), ...inject], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  strace.stderr.on('data', (chunk) => (said += String(chunk)));
  const ended = once(strace, 'close').catch(() => undefined);
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver && !isTraced(pid)) await delay(5);
  if (isOver) return null;
  return {
    detach: async () => {
      strace.kill('SIGINT');
      await ended;
      return said.split('(INJECTED)').length - 1;
    },
  };
}

/** Whether all threads are traced: files are written by threads other than the main one. */
function isTraced(pid: number): boolean {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.every((task) => !/^TracerPid:\s*0$/m.test(readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8')));
  } catch {
    return false;
  }
}

interface Trace {
  /** Detaches and returns the calls, one a line, in their order. */
  stop(): Promise<string>;
}

/**
 * Follows what the main thread of a process writes and syncs, which is where SQLite and the sockets are: files by their paths, and the
 * bytes. Null if strace is missing or not permitted.
 */
export async function traceWrites(pid: number): Promise<Trace | null> {
  const calls = 'trace=pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg';
  const options = ['-q', '-y', '-s', '20000', '-e', calls, '-p', String(pid)];
  const strace = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  strace.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const ended = once(strace, 'close').catch(() => undefined);
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver && !isMainTraced(pid)) await delay(5);
  if (isOver) return null;
  return {
    stop: async () => {
      strace.kill('SIGINT');
      await ended;
      return said;
    },
  };
}

function isMainTraced(pid: number): boolean {
  return !/^TracerPid:\s*0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
