import { existsSync } from 'node:fs';
import { systemClock } from '../../engine/time/clock.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { resetBank } from '../../engine/reset-bank.ts';
import { ConfigError, type Config } from '../../api/start/config.ts';
import { openConfiguredBank } from '../../api/hosting/open-configured-bank.ts';

/** Resets the ledger file of these settings, which no server has open. Returns a line that says what it did. */
export async function resetFile(config: Config, address: string): Promise<string> {
  if (config.ledger === ':memory:') throw new ConfigError(`nothing answers at ${address}, and the ledger is in memory`);
  if (!existsSync(config.ledger)) {
    await requireFixtures(config);
    return `There is no ledger at ${config.ledger} yet: the first start creates it with the known state.`;
  }
  // Another server may have the file open.
  const whenHeld = `nothing answers at ${address}: give --port and --host of the server`;
  const { bank, close } = await openConfiguredBank(config, { wall: systemClock, address: 'npm run reset', whenHeld });
  try {
    await resetBank(bank);
    const { now, mode } = await readClock(bank);
    return `The ledger ${config.ledger} is back to its known state, at ${formatInstant(now)} (${mode}).`;
  } finally {
    await close();
  }
}

/** Throws a ConfigError for fixtures that the first start could not use. */
async function requireFixtures(config: Config): Promise<void> {
  const trial = await openConfiguredBank(
    { ...config, ledger: ':memory:' },
    { wall: systemClock, address: 'npm run reset' },
  );
  await trial.close();
}
