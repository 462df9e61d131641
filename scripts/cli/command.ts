import { quote } from '../../engine/values/text.ts';
import { nearest } from '../../api/faults/nearest.ts';
import type { Terminal } from './terminal.ts';
import type { Arguments } from './arguments.ts';

/**
 * The flags of a command and what each is for, as commander writes them: `--json` is a switch, `--runs <N>` takes a value, `--wait [TIME]`
 * may stand alone, which is an empty value. Flags that are settings stand in the table of settings instead.
 */
export type Flags = Readonly<Record<string, string>>;

/** A command, as the command line, `--help` and docs/commands.md have it. */
export interface Command {
  readonly name: string;
  /** The words and main flags after the name. */
  readonly usage: string;
  /** What it does, as one sentence. */
  readonly summary: string;
  readonly flags: Flags;
  /** Flags whose value may be empty. */
  readonly mayBeEmpty?: readonly string[];
  /** Environment names of the settings that are also flags of the command, or `all`. */
  readonly settings: readonly string[] | 'all';
  /** Accepts the other settings too, without showing them, so that the flags of `serve` can be repeated. */
  readonly takesAllSettings?: boolean;
  /** Least and greatest number of words; left out: none. */
  readonly words?: readonly [least: number, most: number];
  /** Further paragraphs at the end of its help. */
  readonly notes: readonly string[];
  /** Command lines that a test runs unchanged, in this order, on a newly started bank. */
  readonly examples: readonly string[];
  /** Returns the exit code. Throws a WrongUse, a ConfigError or a CommandFailed for what the user can correct. */
  run(given: Arguments, terminal: Terminal): Promise<number>;
}

/** Wrong command line: exit code 2 and a pointer to the help. */
export class WrongUse extends Error {}

/** The command was refused or failed: exit code 1. The message has one or two lines. */
export class CommandFailed extends Error {
  /** The bank's problem document, when it is the bank that refused. */
  readonly problem: object | null;

  constructor(message: string, problem: object | null = null) {
    super(message);
    this.problem = problem;
  }
}

/** Settings of every command that calls a server. */
export const serverSettings = ['PORT', 'HOST', 'SANDBANK_CONTROL_TOKEN'];

/** A flag of every command: standard output is one JSON document; after a failure standard error is one too. */
export const jsonFlag: Flags = { '--json': 'Prints the answer of the bank as JSON, unchanged.' };

export const bankFlag: Flags = {
  '--bank <NAME>': 'Uses the bank at /banks/NAME. Default: the bank of $BANK, or the bank at the root.',
};

/** Help text of every command that calls a server. */
export const serverNote =
  '--port or --host names the server. Without them $BANK names the server or a bank in it (http://127.0.0.1:8080/banks/demo). Without $BANK, PORT and HOST name the server.';

type OfServer = Omit<Command, 'flags' | 'settings' | 'notes'> & Partial<Pick<Command, 'flags' | 'settings' | 'notes'>>;

/** A command that calls a server: adds `--bank` and `--json` where it has none of its own, the settings that name a server, and their note. */
export function serverCommand({ flags = {}, notes = [], ...own }: OfServer): Command {
  const all = { ...flags, ...bankFlag, ...jsonFlag, ...flags };
  return { settings: serverSettings, ...own, flags: all, notes: [...notes, serverNote] };
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
  run(given: Arguments, terminal: Terminal, name: string): Promise<void>;
}

/** Words and run of a command whose first word is the name of an action. A wrong word is a WrongUse that names the nearest action. */
export function byVerb(command: string, actions: Readonly<Record<string, Action>>): Pick<Command, 'words' | 'run'> {
  const verbs = Object.keys(actions);
  const oneOf = `expected one of ${verbs.join(', ')}`;
  return {
    // Counted below, after the verb is known.
    words: [0, Number.POSITIVE_INFINITY],
    run: async (given, terminal) => {
      const [verb, name, tooMuch] = given.words;
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
      await action.run(given, terminal, name ?? '');
      return 0;
    },
  };
}
