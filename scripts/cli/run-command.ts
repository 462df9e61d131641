import { ConfigError } from '../../api/start/config.ts';
import { commandHelp } from './help.ts';
import type { Terminal } from './terminal.ts';
import { readArguments } from './arguments.ts';
import { CommandFailed, WrongUse, type Command } from './command.ts';
import { asks, printError } from './json-output.ts';

/**
 * Runs one command; `program` is what the user typed to start it. Returns the exit code: 0, 1 for a refusal or a failure, 2
 * for a wrong command line. Rethrows unexpected errors.
 */
export async function runCommand(
  command: Command,
  args: readonly string[],
  terminal: Terminal,
  program = `sandbank ${command.name}`,
): Promise<number> {
  if (asks(args, '--help', '-h')) {
    terminal.out(commandHelp(command, program));
    return 0;
  }
  try {
    return await command.run(readArguments(command, args, terminal.env), terminal);
  } catch (error) {
    const isMisuse = error instanceof WrongUse;
    if (!isMisuse && !(error instanceof ConfigError) && !(error instanceof CommandFailed)) throw error;
    const text = isMisuse ? `${error.message} (${program} --help shows how to use this)` : error.message;
    printError(args, terminal, text, error instanceof CommandFailed ? error.problem : null);
    return error instanceof CommandFailed ? 1 : 2;
  }
}
