import { serverAddress } from '../server-address.ts';
import { CommandFailed, type Command } from './command.ts';
import { bankFlag, ControlPlaneClient, serverSettings } from './control-plane-client.ts';

/** How long a server may take to say that it is there, in ms. */
const patience = 2_000;

/**
 * Back to the known state and the seeded clock (rules.md D1, D3b). A server that answers at HOST and PORT does it itself;
 * else the ledger file is opened here. Takes the settings of the server.
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
    'A server that answers at --host and --port does it itself; without one the ledger file is reset, to --fixtures.',
    'The other flags and variables of npm start may stand there too.',
  ],
  run: async (given, terminal) => {
    const config = given.config();
    const address = serverAddress(config);
    const name = given.text('bank');
    if (await isServed(address)) {
      await new ControlPlaneClient(given).ask<{ clock: object }>('POST', '/reset', 'clock');
      const which = name === undefined ? `The bank at ${address}` : `The bank ${name} at ${address}`;
      terminal.out(`${which} is back to its known state.`);
      return 0;
    }
    if (name !== undefined) throw new CommandFailed(`nothing answers at ${address}: named banks live in a server`);
    const { resetFile } = await import('./reset-file.ts');
    terminal.out(await resetFile(config, address));
    return 0;
  },
};

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
