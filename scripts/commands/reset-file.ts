import { existsSync, realpathSync } from 'node:fs';
import { ledgerHeld } from '../../engine/open-bank.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { setClock, resetBank } from '../../engine/reset-and-restore.ts';
import type { Config } from '../../api/start/config.ts';
import { openConfiguredBank } from '../../api/hosting/open-configured-bank.ts';
import { CommandFailed } from '../cli/command.ts';

/** Settings of a new ledger's clock that were given; a reset applies them (C5). */
export interface GivenBeginning {
  readonly now?: Instant;
  readonly mode?: Config['clockMode'];
}

/** Address of the server that holds the ledger file, or null if no process has it open. Throws a CommandFailed if another process holds it. */
export function serverOfLedger({ ledger }: Config): string | null {
  const held = ledgerHeld(existsSync(ledger) ? realpathSync(ledger) : ledger);
  if (held === null) return null;
  const address = held.address ?? '';
  if (URL.canParse(address)) return address;
  throw new CommandFailed(`nothing was reset: the ledger ${ledger} is in use by ${held.message}; try again`);
}

/**
 * Resets the ledger file of these settings, which no server has open. Its clock then stands at `now`, or where the ledger began if that
 * is null. Throws a CommandFailed when there is no such file.
 */
export async function resetFile(config: Config, now: Instant | null, beginning: GivenBeginning) {
  if (config.ledger === ':memory:') throw nothingToReset('the ledger is in memory');
  if (!existsSync(config.ledger)) throw nothingToReset(`there is no ledger ${config.ledger}`);
  // A server may have started since the caller looked.
  const whenHeld = 'try again';
  const { bank, close } = await openConfiguredBank(config, { wall: systemClock, address: 'sandbank reset', whenHeld });
  try {
    await resetBank(bank, undefined, beginning);
    if (now !== null) await setClock(bank, { now, mode: null, rate: null });
    const clock = await readClock(bank);
    return { ledger: config.ledger, clock: { now: formatInstant(clock.now), mode: clock.mode } };
  } finally {
    await close();
  }
}

function nothingToReset(why: string): CommandFailed {
  return new CommandFailed(
    `nothing was reset: ${why}, and no server is named. Name it by --port, --base or BANK, or the ledger file by --ledger`,
  );
}
