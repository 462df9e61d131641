import { existsSync } from 'node:fs';
import { systemClock } from '../../engine/time/clock.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { setClock } from '../../engine/set-clock.ts';
import { resetBank } from '../../engine/reset-bank.ts';
import { ConfigError, type Config } from '../../api/start/config.ts';
import { openConfiguredBank } from '../../api/hosting/open-configured-bank.ts';

export interface FileReset {
  readonly ledger: string;
  /** Null: there is no ledger yet. */
  readonly clock: { readonly now: string; readonly mode: string } | null;
}

/** Resets the ledger file of these settings, which no server has open; `now`: where its clock stands afterwards; null: where the ledger began. */
export async function resetFile(config: Config, address: string, now: Instant | null): Promise<FileReset> {
  if (config.ledger === ':memory:') throw new ConfigError(`nothing answers at ${address}, and the ledger is in memory`);
  if (!existsSync(config.ledger)) {
    await requireFixtures(config);
    return { ledger: config.ledger, clock: null };
  }
  // Another server may have the file open.
  const whenHeld = `nothing answers at ${address}: give --port and --host of the server`;
  const { bank, close } = await openConfiguredBank(config, { wall: systemClock, address: 'npm run reset', whenHeld });
  try {
    await resetBank(bank);
    if (now !== null) await setClock(bank, { now, mode: null, rate: null });
    const clock = await readClock(bank);
    return { ledger: config.ledger, clock: { now: formatInstant(clock.now), mode: clock.mode } };
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
