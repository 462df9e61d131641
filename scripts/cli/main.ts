import packageJson from '../../package.json' with { type: 'json' };
import { clip, quote } from '../../engine/values/text.ts';
import { flagOf, settings } from '../../api/start/settings.ts';
import { commands } from '../commands/index.ts';
import { bankFlag } from './control-plane-client.ts';
import { runCommand } from './run-command.ts';
import { serve } from '../commands/serve.ts';
import { helpJson, helpText } from './help.ts';
import { asks, jsonFlag, printError } from './json-output.ts';
import { nearest } from '../../api/faults/nearest.ts';
import { guarded, processTerminal, type Terminal } from './terminal.ts';

/**
 * The command line: `sandbank COMMAND`, default serve. Returns the exit code: 0, 1 for a refusal or a failure, 2 for a wrong
 * command.
 */
export async function main(args: readonly string[], of: Terminal = processTerminal): Promise<number> {
  const terminal = guarded(of);
  const [first, ...rest] = args;
  if (first === '--help' || first === '-h' || first === 'help') return help(rest, terminal);
  if (first === 'version' || first === '--version' || first === '-V' || first === '-v') return version(rest, terminal);
  const at = commandAt(args);
  if (at === -1) {
    const slip = slipOf(args, terminal.program);
    if (slip === null) return runCommand(serve, args, terminal);
    printError(args, terminal, slip);
    return 2;
  }
  const name = args[at] ?? '';
  const others = args.toSpliced(at, 1);
  const command = commands.get(name);
  return command === undefined ? unknown(name, others, terminal) : runCommand(command, others, terminal);
}

/** Flags that may stand before the command: --bank, --json and the settings. */
const withValue = new Set([bankFlag.name, ...settings.map(flagOf)].map((name) => `--${name}`));

/** Where the command stands, after flags of {@link withValue}; -1: there is none, and the flags are those of serve. */
function commandAt(args: readonly string[]): number {
  for (let at = 0; at < args.length; at += 1) {
    const [flag = '', value] = (args[at] ?? '').split('=', 2);
    if (!flag.startsWith('-')) return at;
    if (withValue.has(flag)) at += value === undefined ? 1 : 0;
    else if (flag !== `--${jsonFlag.name}`) return -1;
  }
  return -1;
}

/** What was meant instead of serve: `--verison`, or `--bank pay`. Null: the flags are those of serve. */
function slipOf([first = '', second = '']: readonly string[], program: string): string | null {
  const [flag = '', value = second] = first.split('=');
  if (flag === `--${bankFlag.name}` && value !== '') {
    const name = quote(value, 40).slice(1, -1);
    const meant = commands.has(value) ? `, or ${program} --bank NAME ${value}` : '';
    return `no command follows --bank ${name}: write ${program} --bank ${name} COMMAND${meant}`;
  }
  const meant = nearest(clip(flag.replace(/^-+/, ''), 40), [...serveFlags, 'version', 'help']);
  if (!flag.startsWith('--') || (meant !== 'version' && meant !== 'help')) return null;
  return `${flag} is no flag here; the nearest is --${meant}`;
}

const serveFlags = [...settings.map(flagOf), jsonFlag.name];

function version(args: readonly string[], terminal: Terminal): number {
  const { name, version: number } = packageJson;
  if (asks(args, `--${jsonFlag.name}`))
    terminal.print(JSON.stringify({ name, version: number, node: process.version }, null, 2));
  else terminal.out(`${name} ${number} (node ${process.version})`);
  return 0;
}

/** Help for all commands, or for the command that follows. */
async function help(args: readonly string[], terminal: Terminal): Promise<number> {
  const isJson = asks(args, `--${jsonFlag.name}`);
  const name = args.find((word) => word !== `--${jsonFlag.name}`);
  const command = name === undefined ? undefined : commands.get(name);
  if (command !== undefined) return runCommand(command, isJson ? ['--help', '--json'] : ['--help'], terminal);
  if (name !== undefined && !name.startsWith('-')) return unknown(name, [], terminal);
  terminal.print(isJson ? JSON.stringify(helpJson(), null, 2) : helpText(terminal.program));
  return 0;
}

function unknown(name: string, args: readonly string[], terminal: Terminal): number {
  const names = [...commands.keys()];
  const hint = nearest(clip(name, 40), names);
  const advice = hint === null ? '' : `; the nearest is ${hint}`;
  const text = `There is no command ${quote(name, 40)}${advice}.\nThere are ${names.join(', ')}; ${terminal.program} --help tells more.`;
  printError(args, terminal, text);
  return 2;
}
