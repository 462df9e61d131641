import type { Terminal } from './terminal.ts';

/** How often a program that npm started checks for its shell, in ms. */
const lookEvery = 200;

/** Read when the program loads: the shell may end during the start. */
const parent = process.ppid;

/**
 * Aborted by SIGTERM or SIGINT, or by the end of the shell in which npm runs the program: a signal to npm ends only that
 * shell.
 */
export function endSignal({ env }: Terminal): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ending.abort());
  if (endsWithItsShell(env)) {
    const look = setInterval(() => {
      if (process.ppid !== parent) ending.abort();
    }, lookEvery);
    look.unref();
  }
  return ending.signal;
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
