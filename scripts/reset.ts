import { existsSync } from 'node:fs';
import { ConfigError, processEnvironment, readConfig, type Config } from '../api/config.ts';
import { loadKnownState } from '../api/known-state-file.ts';
import { openBank } from '../engine/bank.ts';
import { systemClock } from '../engine/clock.ts';
import { formatInstant } from '../engine/core/instant.ts';
import { randomIds } from '../engine/ids.ts';
import { norwegianCalendar } from '../engine/norwegian-calendar.ts';
import { readClock } from '../engine/operations/read-clock.ts';
import { resetBank } from '../engine/operations/reset-bank.ts';

/** How long a server may take to say that it is there, in ms. */
const patience = 2_000;

/**
 * `npm run reset`: back to the known state and the seeded clock (rules.md D1, D3b). A server that answers at HOST and
 * PORT does it itself; else the ledger file is opened here. Takes the settings of the server.
 */
async function main(): Promise<string> {
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
  }
}

try {
  console.log(await main());
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
