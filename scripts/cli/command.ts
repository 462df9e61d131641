import type { Terminal } from './terminal.ts';
import type { Arguments } from './arguments.ts';

/** One flag of one command. A flag with the name of a setting is that setting, and has its row in the settings. */
export interface Flag {
  /** `runs` is `--runs`. */
  readonly name: string;
  /** What stands for its value; left out: it is a switch. */
  readonly value?: string;
  /** The letter of its short form. */
  readonly short?: string;
  readonly what: string;
}

/** One row of the table behind the command line, `--help` and the README. */
export interface Command {
  readonly name: string;
  /** The words and main flags after the name. */
  readonly usage: string;
  /** What it does, as one sentence. */
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Environment names of the settings that are its flags too; `all` shows every one. */
  readonly settings: readonly string[] | 'all';
  /** Takes the other settings as well without a word, so that the flags of `serve` can be repeated. */
  readonly takesAllSettings?: boolean;
  /** How many words it takes: at least, at most. */
  readonly words: readonly [least: number, most: number];
  /** More to know, at the end of its help. */
  readonly notes?: readonly string[];
  /** Returns the exit code. Throws a WrongUse, a ConfigError or a CommandFailed for what a person can put right. */
  run(given: Arguments, terminal: Terminal): Promise<number>;
}

/** A command line that cannot be: exit code 2, with where help is. */
export class WrongUse extends Error {}

/** What was asked for was refused, or could not be done: exit code 1. One or two lines. */
export class CommandFailed extends Error {}
