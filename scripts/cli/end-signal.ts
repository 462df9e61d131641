import type { Terminal } from './terminal.ts';

const signals = ['SIGTERM', 'SIGINT'] as const;

/** How often a program that npm started checks for its shell, in ms. */
const shellCheckMs = 200;

/** Read when the program loads: the shell may end during the start. */
const parent = process.ppid;

interface EndSignal {
  /** Aborted when the program is to end. */
  readonly signal: AbortSignal;
  /** Listens no more: the next signal ends the process. */
  release(): void;
}

/**
 * Listens to SIGTERM and SIGINT, to the end of the shell in which npm runs the program, as a signal to npm ends only that shell, and, with
 * `closed`, to the end of who reads the output: not for a server, which others use. npm passes signals on a second time.
 */
export function endSignal({ env, closed }: Pick<Terminal, 'env'> & Partial<Pick<Terminal, 'closed'>>): EndSignal {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of signals) process.on(signal, end);
  if (closed?.aborted === true) end();
  else closed?.addEventListener('abort', end);
  if (endsWithItsShell(env)) {
    const look = setInterval(() => {
      if (process.ppid !== parent) ending.abort();
    }, shellCheckMs);
    look.unref();
  }
  return {
    signal: ending.signal,
    release: () => {
      for (const signal of signals) process.off(signal, end);
      closed?.removeEventListener('abort', end);
    },
  };
}

/** True under this package's `npm start` and under `npx sandbank`. Other scripts may leave a bank running on purpose. */
function endsWithItsShell(env: Terminal['env']): boolean {
  const event = env['npm_lifecycle_event'];
  if (event === 'start') return env['npm_package_name'] === 'sandbank';
  // npx quotes the name of the program.
  return event === 'npx' && env['npm_command'] === 'exec' && /^["']?sandbank\b/.test(env['npm_lifecycle_script'] ?? '');
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
