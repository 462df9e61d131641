import type { Logger } from 'pino';
import { formatInstant } from '../../engine/values/instant.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import type { RunningServer } from '../../api/hosting/server.ts';
import type { Command } from '../cli/command.ts';
import type { Terminal } from '../cli/terminal.ts';

/** How long a start or a stop may go on once the program is told to end, in ms. */
const patience = 5_000;

/** Starts the bank, says what a person needs to know, and runs until it is told to end. */
export const serve: Command = {
  name: 'serve',
  usage: '[settings]',
  summary: 'Starts the bank.',
  flags: [],
  settings: 'all',
  words: [0, 0],
  run: async (given, terminal) => {
    const config = given.config();
    // The bank and its packages load here only: the other commands answer sooner without.
    const { processLog } = await import('../../api/hosting/process-log.ts');
    const { startServer } = await import('../../api/hosting/server.ts');
    const log = processLog(config.logLevel);
    endWhenItFails(log);
    const told = toldToEnd(terminal);
    told.addEventListener('abort', () => endAfter(patience, log));
    const server = await startServer(config, undefined, { log, stop: told });
    if (!told.aborted) {
      for (const line of await greeting(server)) terminal.out(line);
      if (config.controlToken === null && !isLocal(config.host)) {
        terminal.error(`Warning: ${config.host} can be reached from outside and SANDBANK_CONTROL_TOKEN is not set.`);
      }
      await aborted(told);
    }
    await server.stop();
    return 0;
  },
};

/** What nobody expected outside every request, an unhandled rejection too: a half-dead server helps nobody. */
function endWhenItFails(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the server failed, and ends');
    process.exit(1);
  });
}

/** Nothing that was answered is lost by this: what is not committed was not answered. */
function endAfter(ms: number, log: Logger): void {
  const end = (): void => {
    log.fatal(`the server did not stop within ${ms / 1000} s, and ends`);
    process.exit(1);
  };
  setTimeout(end, ms).unref();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function greeting({ bank, address }: RunningServer): Promise<string[]> {
  const clock = await readClock(bank);
  const psus = bank.knownState.customers.filter(({ type }) => type === 'private').slice(0, 4);
  return [
    `Sandbank    ${address}`,
    `Bank time   ${formatInstant(clock.now)} (${clock.mode})`,
    `Next run    ${formatInstant(clock.nextRun.at)}`,
    `PSUs        ${psus.map(({ customerNumber }) => customerNumber).join(' ')}; all: ${address}/sandbox/info`,
    'First steps README.md, "First payment"',
  ];
}

function isLocal(host: string): boolean {
  return host === '127.0.0.1' || host === '::1' || host === 'localhost';
}

/** How often a program that npm started looks for its shell, in ms. */
const lookEvery = 200;

/** Read before the start takes its time: the shell may end meanwhile. */
const parent = process.ppid;

/**
 * Is aborted when the program is told to end: by SIGTERM or SIGINT, once or more often, or by the end of the shell that npm
 * runs it in, as a signal to npm ends that shell and goes no further.
 */
function toldToEnd({ env }: Terminal): AbortSignal {
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
