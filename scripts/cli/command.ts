import { Mistake } from '../../engine/values/mistake.ts';

/**
 * The flags of a command and what each is for, as commander writes them: `--json` is a switch, `--runs <N>` takes a
 * value, `--wait [TIME]` may stand alone, which is an empty value. Flags that are settings stand in the table of
 * settings instead.
 */
export type Flags = Readonly<Record<string, string>>;

/** Wrong command line: a mistake whose line ends with a pointer to the help. */
export class WrongUse extends Mistake {}

/**
 * The command was refused or failed: exit code 1, if it names no other. The message has one or two lines; none if the
 * output of the command says it.
 */
export class CommandFailed extends Error {
  /** The bank's problem document, when it is the bank that refused. */
  readonly problem: object | null;

  /** The exit code. */
  readonly code: number;

  constructor(message = '', problem: object | null = null, code = 1) {
    super(message);
    this.problem = problem;
    this.code = code;
  }
}

/** Settings of every command that calls a server. */
export const serverSettings = ['PORT', 'HOST', 'SANDBANK_TLS', 'SANDBANK_CONTROL_TOKEN'];

/** A flag of every command: standard output is one JSON document; after a failure standard error is one too. */
export const jsonFlag: Flags = { '--json': 'Prints the answer of the bank as JSON, unchanged.' };

export const bankFlag: Flags = {
  '--bank <NAME>': 'Uses the bank at /banks/NAME. Default: the bank of $BANK, or the bank at the root.',
};

/** Help text of every command that calls a server. */
export const serverNote =
  '--port or --host names the server. Without them $BANK names the server or a bank in it (http://127.0.0.1:7263/banks/demo). Without $BANK, PORT and HOST name the server.';
