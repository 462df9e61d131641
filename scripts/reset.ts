import { existsSync, realpathSync } from 'node:fs';
import { ConfigError, processEnvironment, readConfig, type Config } from '../api/config.ts';
import { loadKnownState } from '../api/known-state-file.ts';
import { LedgerHeld, lockLedger, openBank, type LedgerLock } from '../engine/bank.ts';
import { systemClock } from '../engine/clock.ts';
import { formatInstant } from '../engine/core/instant.ts';
import { randomIds } from '../engine/ids.ts';
import { norwegianCalendar } from '../engine/norwegian-calendar.ts';
import { readClock } from '../engine/operations/read-clock.ts';
import { resetBank } from '../engine/operations/reset-bank.ts';
import { runScript } from './run-script.ts';

const usage = `usage: npm run reset -- [flags]

Takes the bank back to its known state and to the time at which its ledger was made. A server that answers at --host
and --port does it itself; without one the ledger file is reset. The flags and variables are those of npm start:
  --port, --host      where the server listens (default 127.0.0.1:8080)
  --control-token     the token that it asks for
  --ledger            the file, when no server runs (default data/ledger.sqlite)
  --fixtures          the known state for that file`;

/** How long a server may take to say that it is there, in ms. */
const patience = 2_000;

/**
 * `npm run reset`: back to the known state and the seeded clock (rules.md D1, D3b). A server that answers at HOST and
 * PORT does it itself; else the ledger file is opened here. Takes the settings of the server.
 */
async function reset(): Promise<string> {
  const config = readConfig(processEnvironment(), process.argv.slice(2));
  const address = addressOf(config);
  return (await isServed(address)) ? resetServer(address, config) : resetFile(config, address);
}

function addressOf({ host, port }: Config): string {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const name = everywhere[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Whether it is a Sandbank that answers; one that is not ready yet counts. */
async function isServed(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/ready`, { signal: AbortSignal.timeout(patience) });
    const body: unknown = await answer.json();
    return typeof body === 'object' && body !== null && 'status' in body;
  } catch {
    return false;
  }
}

async function resetServer(address: string, { controlToken }: Config): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    ...(controlToken !== null && { authorization: `Bearer ${controlToken}` }),
  };
  const answer = await fetch(`${address}/sandbox/reset`, { method: 'POST', headers });
  if (!answer.ok) throw new ConfigError(`${address} refused the reset (${answer.status}): ${await answer.text()}`);
  return `The bank at ${address} is back to its known state.`;
}

async function resetFile(config: Config, address: string): Promise<string> {
  if (config.ledger === ':memory:') throw new ConfigError(`nothing answers at ${address}, and the ledger is in memory`);
  if (!existsSync(config.ledger))
    return `There is no ledger at ${config.ledger} yet: the first start lays the known state.`;
  const lock = hold(config.ledger, address);
  const bank = await openBank({
    ledger: config.ledger,
    wall: systemClock,
    ids: randomIds,
    calendar: norwegianCalendar(),
    knownState: await loadKnownState(config.fixtures),
    settlementTimes: config.settlementTimes,
    quirks: config.quirks,
  });
  try {
    await resetBank(bank);
    const { now, mode } = await readClock(bank);
    return `The ledger ${config.ledger} is back to its known state, at ${formatInstant(now)} (${mode}).`;
  } finally {
    await bank.close();
    lock.release();
  }
}

/** A server on another port may have the file open. */
function hold(ledger: string, address: string): LedgerLock {
  try {
    return lockLedger(realpathSync(ledger), { address: 'npm run reset', pid: process.pid });
  } catch (error) {
    if (!(error instanceof LedgerHeld)) throw error;
    throw new ConfigError(
      `nothing answers at ${address}, and the ledger ${ledger} is served by ${error.message}: give --port and --host of that one`,
    );
  }
}

await runScript(
  usage,
  async () => console.log(await reset()),
  (error) => error instanceof ConfigError,
);
