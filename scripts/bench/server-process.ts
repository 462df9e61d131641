import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../sandbank.js', import.meta.url));

export interface ServerProcess {
  /** What it printed so far. */
  printed(): string;
  /** Fails at once when the server died, with what it printed. */
  assertAlive(): void;
  /** What it holds in memory now. */
  megabytes(): number;
  stop(): Promise<void>;
}

/** Starts `sandbank serve` in a process of its own, as a user would. */
export function startProcess(flags: readonly string[]): ServerProcess {
  const child = spawn(process.execPath, [command, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  return {
    printed: () => text,
    assertAlive: () => {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${text}`);
    },
    megabytes: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
