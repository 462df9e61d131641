import { ConfigError } from '../../api/start/config.ts';
import { commandHelp, helpOf } from './help.ts';
import type { Terminal } from './terminal.ts';
import { readArguments } from './arguments.ts';
import { CommandFailed, WrongUse, type Command } from './command.ts';
import { keptByNpm } from './npm-slip.ts';
import { asks, jsonFlag, printError } from './json-output.ts';

/**
 * Runs one command. Returns the exit code: 0, 1 for a refusal or a failure, 2 for a wrong command line. Rethrows unexpected
 * errors.
 */
export async function runCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
  const program = typedProgram(command, terminal);
  if (asks(args, '--help', '-h')) {
    if (asks(args, `--${jsonFlag.name}`)) terminal.print(JSON.stringify(helpOf(command), null, 2));
    else terminal.print(commandHelp(command, program, terminal.program));
    return 0;
  }
  try {
    const kept = keptByNpm(terminal, args);
    if (kept !== null) throw new WrongUse(kept);
    return await command.run(readArguments(command, args, terminal), terminal);
  } catch (error) {
    const isMisuse = error instanceof WrongUse;
    if (!isMisuse && !(error instanceof ConfigError) && !(error instanceof CommandFailed)) throw error;
    const text = isMisuse ? `${error.message} (${program} --help shows how to use this)` : error.message;
    printError(args, terminal, text, error instanceof CommandFailed ? error.problem : null);
    return error instanceof CommandFailed ? 1 : 2;
  }
}

/** What the user typed to start the command: npm's script of its name, where the clone has one. */
function typedProgram({ name }: Command, { env, program }: Terminal): string {
  const isScript = env['npm_lifecycle_event'] === name && env['npm_package_name'] === 'sandbank';
  return isScript ? `npm run -s ${name} --` : `${program} ${name}`;
}
