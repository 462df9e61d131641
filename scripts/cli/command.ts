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
  /** The words and necessary flags after the name; left out: none. `usageOf` adds the other flags. */
  readonly usage?: string;
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
  /** Throws a WrongUse or a ConfigError (exit code 2) or a CommandFailed (1) for what the user can correct. */
  run(given: Arguments, terminal: Terminal): Promise<void>;
}

/** Wrong command line: exit code 2 and a pointer to the help. */
export class WrongUse extends Error {}

/** The command was refused or failed: exit code 1. The message has one or two lines; none if the output of the command says it. */
export class CommandFailed extends Error {
  /** The bank's problem document, when it is the bank that refused. */
  readonly problem: object | null;

  constructor(message = '', problem: object | null = null) {
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
