import { bankAddress, serverNote } from '../cli/bank-address.ts';
import { CommandFailed, type Command } from '../cli/command.ts';
import { bankFlag, ControlPlaneClient, serverSettings } from '../cli/control-plane-client.ts';
import { isServed } from '../cli/is-served.ts';

/**
 * Goes back to the known state and the seeded clock (rules.md D1, D3b). Asks the server if one answers; else resets the ledger
 * file, unless $BANK names a server. Takes the settings of the server.
 */
export const reset: Command = {
  name: 'reset',
  usage: '[flags]',
  summary: 'Takes the bank back to its known state and to the time at which its ledger was made.',
  flags: [bankFlag],
  settings: [...serverSettings, 'SANDBANK_LEDGER', 'SANDBANK_FIXTURES'],
  takesAllSettings: true,
  words: [0, 0],
  notes: [
    'A server that answers does it itself. Without one the ledger file is reset, to --fixtures, unless $BANK was asked.',
    serverNote,
    'The other flags and variables of npm start may stand there too.',
  ],
  run: async (given, terminal) => {
    const config = given.config();
    const at = bankAddress(given);
    const { server: address, path } = at;
    if (await isServed(address)) {
      await new ControlPlaneClient(given, at).ask<{ clock: object }>('POST', '/reset', 'clock');
      const name = path === '' ? '' : ` ${path.slice('/banks/'.length)}`;
      terminal.out(`The bank${name} at ${address} is back to its known state.`);
      return 0;
    }
    if (at.isFromBank) {
      throw new CommandFailed(`no Sandbank answers at ${address}: start it, or unset BANK to reset the ledger file`);
    }
    if (given.has('bank')) throw new CommandFailed(`nothing answers at ${address}: named banks live in a server`);
    const { resetFile } = await import('./reset-file.ts');
    terminal.out(await resetFile(config, address));
    return 0;
  },
};
