import type { Terminal } from './terminal.ts';

/** How often a program that npm started looks for its shell, in ms. */
const lookEvery = 200;

/** Read before the start takes its time: the shell may end meanwhile. */
const parent = process.ppid;

/**
 * Is aborted when the program is told to end: by SIGTERM or SIGINT, once or more often, or by the end of the shell that npm
 * runs it in, as a signal to npm ends that shell and goes no further.
 */
export function toldToEnd({ env }: Terminal): AbortSignal {
  const told = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => told.abort());
  if (endsWithItsShell(env)) {
    const look = setInterval(() => {
      if (process.ppid !== parent) told.abort();
    }, lookEvery);
    look.unref();
  }
  return told.signal;
}

/** Under this package's `npm start` and under `npx sandbank`. Any other script may mean to leave a bank behind. */
function endsWithItsShell(env: Terminal['env']): boolean {
  const event = env['npm_lifecycle_event'];
  if (event === 'start') return env['npm_package_name'] === 'sandbank';
  // npx quotes the name of the program.
  return event === 'npx' && env['npm_command'] === 'exec' && /^["']?sandbank\b/.test(env['npm_lifecycle_script'] ?? '');
}
