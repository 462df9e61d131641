import { once } from 'node:events';
import type { Terminal } from './terminal.ts';

const signals = ['SIGTERM', 'SIGINT'] as const;

/** How often a program that npm started checks for its shell, in ms. */
const shellCheckMs = 200;

/** Read when the program loads: the shell may end during the start. */
const parent = process.ppid;

/**
 * Listens to SIGTERM and SIGINT, to the end of the shell in which npm runs the program, as a signal to npm ends only
 * that shell, and, with `closed`, to the end of who reads the output: not for a server, which others use. npm passes
 * signals on a second time.
 */
export function endSignal({ env, closed }: Pick<Terminal, 'env'> & Partial<Pick<Terminal, 'closed'>>) {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of signals) process.on(signal, end);
  if (closed?.aborted === true) end();
  else closed?.addEventListener('abort', end);
  if (endsWithItsShell(env)) {
    setInterval(() => {
      if (process.ppid !== parent) ending.abort();
    }, shellCheckMs).unref();
  }
  return {
    /** Aborted when the program is to end. */
    signal: ending.signal,
    /** Listens no more: the next signal ends the process. */
    release: (): void => {
      for (const signal of signals) process.off(signal, end);
      closed?.removeEventListener('abort', end);
    },
  };
}

/**
 * Whether npm runs the program in a shell that only waits for it: under `npx sandbank`, and under a script that is one
 * command line of it. Another script may leave a bank running on purpose.
 */
function endsWithItsShell(env: Terminal['env']): boolean {
  const { npm_lifecycle_event: event, npm_command: command, npm_lifecycle_script: script = '' } = env;
  // npx quotes the name of the program, and what follows.
  if (event === 'npx') return command === 'exec' && /^["']?sandbank\b/.test(script);
  return event !== undefined && /^(?:sandbank|node scripts\/sandbank\.js)\b[^&|;\n]*$/.test(script);
}

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
