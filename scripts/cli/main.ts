import packageJson from '../../package.json' with { type: 'json' };
import { clip, quote } from '../../engine/values/text.ts';
import { settings } from '../../api/start/settings.ts';
import { allCommands, commands } from '../commands/index.ts';
import { optionsOf, readArguments, splitCommand, type Command } from './arguments.ts';
import { CommandFailed, WrongUse } from './command.ts';
import { asks, nearestHint, printAnswer, printError } from './output.ts';
import { nearest } from '../../api/faults/nearest.ts';
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
  if (split === null) {
    const slip = slipOf(args, terminal.program);
    if (slip === null) return runCommand('serve', args, terminal);
    printError(asks(args, '--json'), terminal, slip);
    return 2;
  }
  return runCommand(split.name, split.others, terminal);
}

async function runCommand(name: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const command = await commands.get(name)?.();
  if (command === undefined) return unknown(name, args, terminal);
  const program = typedProgram(command, terminal);
  if (asks(args, '--help', '-h')) {
    // Loaded here only, so that the commands start faster.
    const { commandHelp } = await import('./help.ts');
    terminal.print(await commandHelp(command, program, terminal.program));
    return 0;
  }
  try {
    const kept = keptByNpm(terminal, command, args);
    if (kept !== null) throw new WrongUse(kept);
    await command.run(readArguments(command, args, terminal), terminal);
    return 0;
  } catch (error) {
    const isMisuse = error instanceof WrongUse;
    if (!(error instanceof Mistake) && !(error instanceof CommandFailed)) throw error;
    const text = isMisuse ? `${error.message} (${program} --help shows how to use this)` : error.message;
    if (text !== '')
      printError(asks(args, '--json'), terminal, text, error instanceof CommandFailed ? error.problem : null);
    return error instanceof CommandFailed ? error.code : 2;
  }
}

/** What the user typed to start the command: the npm script of its name, if that runs. */
function typedProgram({ name }: Command, { env, program }: Terminal): string {
  const isScript = env['npm_lifecycle_event'] === name && env['npm_package_name'] === 'sandbank';
  return isScript ? `npm run -s ${name} --` : `${program} ${name}`;
}

/** Advice for a slip, such as `--verison` or `--bank pay`. Returns null if the flags are those of serve. */
function slipOf([first = '', second = '']: readonly string[], program: string): string | null {
  const [flag = '', value = second] = first.split('=');
  if (flag === '--bank' && value !== '') {
    const name = quote(value, 40).slice(1, -1);
    const meant = commands.has(value) ? `, or ${program} --bank NAME ${value}` : '';
    return `no command follows --bank ${name}: write ${program} --bank ${name} COMMAND${meant}`;
  }
  const known = [...settings.map(({ flag }) => flag), 'json', 'version', 'help'];
  const meant = nearest(clip(flag.replace(/^-+/, ''), 40), known);
  if (!flag.startsWith('--') || (meant !== 'version' && meant !== 'help')) return null;
  return `${flag} is no flag here; the nearest is --${meant}`;
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
  const text = `There is no command ${quote(name, 40)}${nearestHint(name, names)}.\nThere are ${names.join(', ')}; ${terminal.program} --help tells more.`;
  printError(asks(args, '--json'), terminal, text);
  return 2;
}

/** Settings of npm itself that are flags of commands too: a file .npmrc may have them. */
const ofNpm = ['ca', 'cert', 'force', 'json', 'key', 'proxy'];

/**
 * What to write where npm kept a flag of ours for itself: `npm start --port 9000` starts the program without it. npm
 * puts the value into a variable, or `true` if it does not know the flag; then the value is left among the words.
 * Returns null if npm kept none.
 */
export function keptByNpm(
  { env }: Pick<Terminal, 'env'>,
  { name, flags }: Pick<Command, 'name' | 'flags'>,
  words: readonly string[],
): string | null {
  const script = env['npm_lifecycle_event'];
  // Of this package's scripts: a program of others may start us below an npm of its own.
  if (script === undefined || env['npm_package_name'] !== 'sandbank') return null;
  const own = optionsOf(flags).filter((option) => option.required);
  const names = new Set([...own.map((option) => option.name()), ...settings.map(({ flag }) => flag), 'bank', 'base']);
  const kept = [...names]
    .filter((flag) => !ofNpm.includes(flag))
    .map((flag) => [flag, env[`npm_config_${flag.replaceAll('-', '_')}`] ?? ''] as const)
    .filter(([, value]) => value !== '');
  if (kept.length === 0) return null;
  // With more than one, nobody knows whose value a word is.
  const [left = 'VALUE'] = kept.length === 1 && words.length === 1 ? words : [];
  const typed = kept.map(([flag, value]) => `--${flag} ${value === 'true' ? left : value}`).join(' ');
  const command =
    script === 'start' ? 'start --' : script === 'sandbank' ? `run sandbank -- ${name}` : `run ${script} --`;
  return `npm kept ${kept.map(([flag]) => `--${flag}`).join(' ')} for itself: write npm ${command} ${typed}`;
}
