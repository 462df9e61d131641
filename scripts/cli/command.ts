import type { Terminal } from './terminal.ts';
import type { Arguments } from './arguments.ts';

/** A flag of one command. Flags that are settings stand in the table of settings instead. */
export interface Flag {
  /** `runs` is `--runs`. */
  readonly name: string;
  /** Placeholder of the value in the help; without it the flag is a switch. */
  readonly value?: string;
  /** Whether the value may be empty. */
  readonly mayBeEmpty?: boolean;
  /** Whether the value may be left out, which is an empty one. */
  readonly mayBeAlone?: boolean;
  /** The letter of its short form. */
  readonly short?: string;
  readonly what: string;
}

/** A command, as the command line, `--help` and docs/commands.md have it. */
export interface Command {
  readonly name: string;
  /** The words and main flags after the name. */
  readonly usage: string;
  /** What it does, as one sentence. */
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Environment names of the settings that are flags of it too, or `all`. */
  readonly settings: readonly string[] | 'all';
  /** Accepts the other settings too, without showing them, so that the flags of `serve` can be repeated. */
  readonly takesAllSettings?: boolean;
  /** Least and greatest number of words. */
  readonly words: readonly [least: number, most: number];
  /** Further paragraphs at the end of its help. */
  readonly notes?: readonly string[];
  /** Command lines that work as they are, in this order, at a bank that was just started; a test runs them. */
  readonly examples?: readonly string[];
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
