import type { Arguments, Command } from './arguments.ts';
import { bankAddress, type BankAddress } from './bank-address.ts';
import { bankFlag, jsonFlag, serverNote, serverSettings } from './command.ts';
import { ControlPlaneClient } from './control-plane-client.ts';
import type { Terminal } from './terminal.ts';

/** What a command that calls a server has at hand. */
export interface ServerCall {
  readonly given: Arguments;
  readonly terminal: Terminal;
  /** Asks the bank that the command line names. */
  readonly client: ControlPlaneClient;
}

/** A command that calls a server, without the options that all of them share. */
type OfServer = Omit<Command, 'flags' | 'settings' | 'notes' | 'run'> &
  Partial<Pick<Command, 'flags' | 'settings' | 'notes'>> & {
    /** Its client asks the root of the server, whatever $BANK names; it has no `--bank`. */
    readonly atRoot?: true;
    /** Throws as that of a command. */
    run(call: ServerCall): Promise<void>;
  };

/**
 * A command that calls a server: adds `--bank` and `--json` where it has none of its own, the settings that name a
 * server, and their note.
 */
export function serverCommand({ flags = {}, notes = [], atRoot, run, ...own }: OfServer): Command {
  const rootOf = (given: Arguments): BankAddress => ({ ...bankAddress(given), path: '' });
  return {
    settings: serverSettings,
    ...own,
    flags: { ...flags, ...(atRoot !== true && bankFlag), ...jsonFlag, ...flags },
    notes: [...notes, serverNote],
    run: (given, terminal) => {
      const client = new ControlPlaneClient(given, atRoot === true ? rootOf : undefined);
      return run({ given, terminal, client });
    },
  };
}
