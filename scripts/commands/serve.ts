import type { Logger } from 'pino';
import { formatInstant } from '../../engine/values/instant.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import type { RunningServer } from '../../api/hosting/server.ts';
import type { Command } from '../cli/command.ts';
import { aborted, endSignal } from '../cli/end-signal.ts';

/** Time limit of a start or a stop after the signal to end, in ms. */
const patience = 5_000;

/** Starts the server, prints its address and bank time, and runs until a signal ends it. */
export const serve: Command = {
  name: 'serve',
  usage: '[settings]',
  summary: 'Starts the bank.',
  flags: [],
  settings: 'all',
  words: [0, 0],
  run: async (given, terminal) => {
    const config = given.config();
    // Loaded here only, so that the other commands start faster.
    const { processLog } = await import('../../api/hosting/process-log.ts');
    const { startServer } = await import('../../api/hosting/server.ts');
    const log = processLog(config.logLevel);
    endWhenItFails(log);
    const ending = endSignal(terminal);
    ending.addEventListener('abort', () => endAfter(patience, log));
    const server = await startServer(config, undefined, { log, stop: ending });
    if (!ending.aborted) {
      for (const line of await greeting(server)) terminal.out(line);
      if (config.controlToken === null && !isLocal(config.host)) {
        terminal.error(`Warning: ${config.host} can be reached from outside and SANDBANK_CONTROL_TOKEN is not set.`);
      }
      await aborted(ending);
    }
    await server.stop();
    return 0;
  },
};

/** Ends the process at an unexpected error outside a request, such as an unhandled rejection. */
function endWhenItFails(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the server failed, and ends');
    process.exit(1);
  });
}

/** Ends the process after a time limit. Loses nothing: every answer is committed first. */
function endAfter(ms: number, log: Logger): void {
  const end = (): void => {
    log.fatal(`the server did not stop within ${ms / 1000} s, and ends`);
    process.exit(1);
  };
  setTimeout(end, ms).unref();
}

async function greeting({ bank, address }: RunningServer): Promise<string[]> {
  const clock = await readClock(bank);
  const psus = bank.knownState.customers.filter(({ type }) => type === 'private').slice(0, 4);
  return [
    `Sandbank    ${address}`,
    `Bank time   ${formatInstant(clock.now)} (${clock.mode})`,
    `Next run    ${formatInstant(clock.nextRun.at)}`,
    `PSUs        ${psus.map(({ customerNumber }) => customerNumber).join(' ')}; all: ${address}/sandbox/info`,
    'First steps sandbank demo (in a clone: npm run demo)',
  ];
}

function isLocal(host: string): boolean {
  return host === '127.0.0.1' || host === '::1' || host === 'localhost';
}
