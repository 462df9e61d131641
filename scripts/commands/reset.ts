import { systemClock } from '../../engine/time/clock.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import { bankAddress, type BankAddress, serverNote } from '../cli/bank-address.ts';
import type { Arguments } from '../cli/arguments.ts';
import type { FileReset } from './reset-file.ts';
import { CommandFailed, type Command } from '../cli/command.ts';
import { jsonFlag, printAnswer } from '../cli/json-output.ts';
import { bankFlag, ControlPlaneClient, serverSettings } from '../cli/control-plane-client.ts';
import { isServed } from '../cli/is-served.ts';

/**
 * Goes back to the known state and the seeded clock (rules.md D1, D3b). Asks the server if one answers; else resets the ledger
 * file, unless $BANK names a server. Takes the settings of the server.
 */
export const reset: Command = {
  name: 'reset',
  usage: '[flags]',
  summary: 'Resets the bank to its known state, and its clock to where the ledger began.',
  flags: [{ name: 'now', what: 'Then sets the bank clock to the time of this machine.' }, bankFlag, jsonFlag],
  settings: [...serverSettings, 'SANDBANK_LEDGER', 'SANDBANK_FIXTURES'],
  takesAllSettings: true,
  words: [0, 0],
  notes: [
    'A server that answers resets itself. When none does, the ledger file is reset, to --fixtures; but not when $BANK names the server.',
    serverNote,
    'The other flags of `sandbank serve` are accepted too.',
  ],
  examples: ['sandbank reset', 'sandbank reset --now'],
  run: async (given, terminal) => {
    const config = given.config();
    const at = bankAddress(given);
    const { server: address, path } = at;
    if (await isServed(address)) {
      const name = path === '' ? '' : ` ${path.slice('/banks/'.length)}`;
      printAnswer(given, terminal, await resetServer(given, at), ({ clock }) => [
        `The bank${name} at ${address} is back to its known state${given.has('now') ? `, at ${clock.now}` : ''}.`,
      ]);
      return 0;
    }
    if (at.isFromBank) {
      throw new CommandFailed(`no Sandbank answers at ${address}: start it, or unset BANK to reset the ledger file`);
    }
    if (given.has('bank')) throw new CommandFailed(`nothing answers at ${address}: named banks live in a server`);
    const { resetFile } = await import('./reset-file.ts');
    printAnswer(given, terminal, await resetFile(config, address, given.has('now')), fileLines);
    return 0;
  },
};

interface ClockAnswer {
  readonly now: string;
}

/** The answer to the reset; with --now its clock is the one that was set afterwards. */
async function resetServer(given: Arguments, at: BankAddress): Promise<{ readonly clock: ClockAnswer }> {
  const client = new ControlPlaneClient(given, at);
  const answer = await client.ask<{ clock: ClockAnswer }>('POST', '/reset', 'clock');
  if (!given.has('now')) return answer;
  // No payment is left, so that the clock may go back as well as forward.
  const clock = await client.ask<ClockAnswer>('PUT', '/clock', 'now', { now: formatInstant(systemClock.now()) });
  return { ...answer, clock };
}

function fileLines({ ledger, clock }: FileReset): string[] {
  if (clock === null) return [`There is no ledger at ${ledger} yet: the first start creates it with the known state.`];
  return [`The ledger ${ledger} is back to its known state, at ${clock.now} (${clock.mode}).`];
}
