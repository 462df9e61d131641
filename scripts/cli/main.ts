import { clip, quote } from '../../engine/values/text.ts';
import { commands } from '../commands/index.ts';
import { runCommand } from './run-command.ts';
import { serve } from '../commands/serve.ts';
import { helpText } from './help.ts';
import { nearest } from '../../api/faults/nearest.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/**
 * The command line: `sandbank COMMAND`, default serve. Returns the exit code: 0, 1 for a refusal or a failure, 2 for a wrong
 * command.
 */
export async function main(args: readonly string[], terminal: Terminal = processTerminal): Promise<number> {
  const [first, ...rest] = args;
  if (first === '--help' || first === '-h' || first === 'help') return help(rest, terminal);
  if (first === undefined || first.startsWith('-')) return runCommand(serve, args, terminal);
  const command = commands.get(first);
  return command === undefined ? unknown(first, terminal) : runCommand(command, rest, terminal);
}

/** Help for all commands, or for the command that follows. */
async function help([name]: readonly string[], terminal: Terminal): Promise<number> {
  const command = name === undefined ? undefined : commands.get(name);
  if (command !== undefined) return runCommand(command, ['--help'], terminal);
  if (name !== undefined && !name.startsWith('-')) return unknown(name, terminal);
  terminal.out(helpText());
  return 0;
}

function unknown(name: string, terminal: Terminal): number {
  const names = [...commands.keys()];
  terminal.error(`There is no command ${quote(name, 40)}; the nearest is ${nearest(clip(name, 40), names)}.`);
  terminal.error(`There are ${names.join(', ')}; --help tells more.`);
  return 2;
}
