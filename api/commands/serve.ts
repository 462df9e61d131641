import { formatInstant } from '../../engine/core/instant.ts';
import { readClock } from '../../engine/operations/read-clock.ts';
import type { RunningServer } from '../server.ts';
import type { Command } from './command.ts';
import { untilTold } from './until-told.ts';

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
    const { startServer } = await import('../server.ts');
    const server = await startServer(config);
    for (const line of await greeting(server)) terminal.out(line);
    if (config.controlToken === null && !isLocal(config.host)) {
      terminal.error(`Warning: ${config.host} can be reached from outside and SANDBANK_CONTROL_TOKEN is not set.`);
    }
    await untilTold(terminal);
    await server.stop();
    return 0;
  },
};

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
