import packageJson from '../../package.json' with { type: 'json' };
import { quote } from '../../engine/values/text.ts';
import { settings } from '../../api/start/settings.ts';
import { allCommands, commands } from '../commands/index.ts';
import { type Command, optionsOf, readArguments, splitCommand } from './arguments.ts';
import { CommandFailed, WrongUse } from './command.ts';
import { asks, nearestHint, printAnswer, printError } from './output.ts';
import { guarded, processTerminal, type Terminal } from './terminal.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/**
 * The command line: `sandbank COMMAND`, default serve. A `--` right behind the command is skipped: a line for npm has
 * one there. `onReady` is called when a server has said where it is. Returns the exit code: 0, 1 for a refusal or a
 * failure, 2 for a wrong command. Rethrows unexpected errors.
 */
export async function main(
  typed: readonly string[],
  of: Terminal = processTerminal,
  onReady?: () => void,
): Promise<number> {
  const terminal = guarded({ ...of, onReady });
  const args = typed[0] === '--' ? typed.slice(1) : typed;
  const [first = '', ...rest] = args;
  if (['--help', '-h', 'help'].includes(first)) return help(rest, terminal);
  if (['version', '--version', '-V', '-v'].includes(first)) return version(rest, terminal);
  const split = splitCommand(args);
  return split === null ? runCommand('serve', args, terminal) : runCommand(split.name, split.others, terminal);
}

async function runCommand(name: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const command = await commands.get(name)?.();
  if (command === undefined) return unknown(name, args, terminal);
  if (asks(args, '--help', '-h')) {
    // Loaded here only, so that the commands start faster.
    const { commandHelp } = await import('./help.ts');
    terminal.print(await commandHelp(command, terminal.program));
    return 0;
  }
  try {
    const kept = keptByNpm(terminal, command);
    if (kept.length > 0) throw new WrongUse(`npm kept ${kept.join(' ')} for itself: write -- before the first flag`);
    await command.run(readArguments(command, args, terminal), terminal);
    return 0;
  } catch (error) {
    const isMisuse = error instanceof WrongUse;
    if (!(error instanceof Mistake) && !(error instanceof CommandFailed)) throw error;
    const text = isMisuse
      ? `${error.message} (${terminal.program} ${name} --help shows how to use this)`
      : error.message;
    if (text !== '')
      printError(asks(args, '--json'), terminal, text, error instanceof CommandFailed ? error.problem : null);
    return error instanceof CommandFailed ? error.code : 2;
  }
}

function version(args: readonly string[], terminal: Terminal): number {
  const told = { name: packageJson.name, version: packageJson.version, node: process.version };
  const given = { has: (flag: string) => asks(args, `--${flag}`) };
  printAnswer({ given, terminal }, told, ({ name, version, node }) => [`${name} ${version} (node ${node})`]);
  return 0;
}

/** Help for all commands, or for the command that follows. */
async function help([name]: readonly string[], terminal: Terminal): Promise<number> {
  if (name !== undefined && !name.startsWith('-')) return runCommand(name, ['--help'], terminal);
  const { helpText } = await import('./help.ts');
  terminal.print(await helpText(await allCommands(), terminal.program));
  return 0;
}

function unknown(name: string, args: readonly string[], terminal: Terminal): number {
  const names = [...commands.keys()];
  const text = `There is no command ${quote(name, 40)}${nearestHint(name, names)}.\nThere are ${names.join(', ')}; ${terminal.program} help tells more.`;
  printError(asks(args, '--json'), terminal, text);
  return 2;
}

/** Settings of npm itself that are flags of commands too: a file .npmrc may have them. */
const ofNpm = ['ca', 'cert', 'force', 'json', 'key', 'proxy'];

/**
 * Flags of ours that npm did not pass on: `npm run reset --port=9000` would reset the bank of another port. npm puts
 * them into variables.
 */
function keptByNpm({ env }: Terminal, { flags }: Command): readonly string[] {
  // Of this package's scripts: a program of others may start us below an npm of its own.
  if (env['npm_package_name'] !== 'sandbank') return [];
  const own = optionsOf(flags).filter(({ required }) => required);
  const names = new Set([...own.map((option) => option.name()), ...settings.map(({ flag }) => flag), 'bank']);
  return [...names]
    .filter((name) => !ofNpm.includes(name) && (env[`npm_config_${name.replaceAll('-', '_')}`] ?? '') !== '')
    .map((name) => `--${name}`);
}
