import type { AnswerTo, CallName } from '../../api/openapi/calls.ts';
import { printAnswer } from './output.ts';
import { nearest } from '../../api/faults/nearest.ts';
import { quote } from '../../engine/values/text.ts';
import type { Arguments, Command } from './arguments.ts';
import { bankAddress, type BankAddress } from './bank-address.ts';
import { bankFlag, jsonFlag, serverNote, serverSettings, WrongUse } from './command.ts';
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

/** A command that calls a server: adds `--bank` and `--json` where it has none of its own, the settings that name a server, and their note. */
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

/** The actions that words of other programs stand for. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  create: ['add', 'make', 'new'],
  list: ['ls', 'show'],
  remove: ['delete', 'drop', 'rm'],
  restore: ['load'],
};

/** An action of a command, named by its first word. */
interface Action {
  /** Whether a name must follow. */
  readonly names: boolean;
  run(call: ServerCall, name: string): Promise<void>;
}

/**
 * An action that makes one call, and prints these lines of its answer. A call without a name in its path or its body takes no name. `member`:
 * of the answer, which tells it from that of another server.
 */
export function passed<Name extends CallName>(
  call: Name,
  member: keyof AnswerTo<Name> & string,
  lines: (answer: AnswerTo<Name>) => readonly string[],
): Action {
  const names = !call.startsWith('GET ');
  const isInPath = call.includes('/:name');
  return {
    names,
    run: async (of, name) => {
      const sent = !names ? {} : isInPath ? { params: { name } } : { body: { name } };
      printAnswer(of, await of.client.ask(call, member, sent), lines);
    },
  };
}

/** Words and run of a command whose first word is the name of an action. A wrong word is a WrongUse that names the nearest action. */
export function byVerb(command: string, actions: Readonly<Record<string, Action>>): Pick<OfServer, 'words' | 'run'> {
  const verbs = Object.keys(actions);
  const oneOf = `expected one of ${verbs.join(', ')}`;
  return {
    // Counted below, after the verb is known.
    words: [0, Number.POSITIVE_INFINITY],
    run: async (call) => {
      const [verb, name, tooMuch] = call.given.words;
      if (verb === undefined) throw new WrongUse(`${command} has no verb: ${oneOf}`);
      const action = Object.hasOwn(actions, verb) ? actions[verb] : undefined;
      if (action === undefined) {
        const hint = verbs.find((each) => synonyms[each]?.includes(verb)) ?? nearest(verb, verbs);
        throw new WrongUse(
          `${quote(verb)} is no verb of ${command}; ${hint === null ? oneOf : `the nearest is ${hint}`}`,
        );
      }
      if (action.names !== (name !== undefined)) {
        throw new WrongUse(`${command} ${verb} takes ${action.names ? 'a NAME' : 'no name'}`);
      }
      if (tooMuch !== undefined) throw new WrongUse(`${quote(tooMuch)} is one word too many`);
      await action.run(call, name ?? '');
    },
  };
}
