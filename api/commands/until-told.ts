import type { Terminal } from '../terminal.ts';

/** How often a program that `npm start` started looks for its shell, in ms. */
const lookEvery = 200;

/** Read before the start takes its time: the shell may end meanwhile. */
const parent = process.ppid;

/**
 * Resolves when the program is told to end: by SIGTERM or SIGINT, or, where it is this package's `npm start`, by the end of the
 * shell that npm runs it in. A signal to npm ends that shell and goes no further. Other scripts may leave a bank behind.
 */
export function untilTold({ env }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    if (env['npm_package_name'] !== 'sandbank' || env['npm_lifecycle_event'] !== 'start') return;
    const look = (): void => {
      if (process.ppid !== parent) resolve();
    };
    setInterval(look, lookEvery).unref();
  });
}
