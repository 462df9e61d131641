import { LedgerHeld } from '../../engine/bank.ts';
import { Refusal } from '../../engine/core/fault.ts';
import { formatInstant } from '../../engine/core/instant.ts';
import { readClock } from '../../engine/operations/read-clock.ts';
import { ConfigError, processEnvironment, readConfig, type Config } from '../config.ts';
import { startServer, type RunningServer } from '../server.ts';

/** Starts the bank, says what a person needs to know, and runs until SIGTERM or SIGINT. */
export async function serve(flags: readonly string[]): Promise<number> {
  const config = readConfig(processEnvironment(), flags);
  const server = await start(config);
  for (const line of await greeting(server)) console.log(line);
  if (config.controlToken === null && !isLocal(config.host)) {
    console.warn(`Warning: ${config.host} can be reached from outside and SANDBANK_CONTROL_TOKEN is not set.`);
  }
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await server.stop();
  return 0;
}

/** What a person can put right is one line, not a stack. */
async function start(config: Config): Promise<RunningServer> {
  try {
    return await startServer(config);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof Refusal) throw new ConfigError(error.faults[0].text);
    if (error instanceof LedgerHeld) {
      throw new ConfigError(
        `the ledger ${config.ledger} is served by ${error.message} already: stop that one, or choose another with --ledger`,
      );
    }
    if (code === 'EADDRINUSE')
      throw new ConfigError(`${config.host}:${config.port} is taken: choose another with --port`);
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new ConfigError(`cannot listen on ${config.host}:${config.port} (${code})`);
    }
    if (code === 'SQLITE_CANTOPEN') throw new ConfigError(`the ledger ${config.ledger} cannot be opened or made`);
    if (code === 'SQLITE_NOTADB') throw new ConfigError(`${config.ledger} is no ledger: choose another with --ledger`);
    throw error;
  }
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
