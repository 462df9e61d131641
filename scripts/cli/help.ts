import { quirks } from '../../engine/bank/rules/quirk.ts';
import { settingsOf } from './arguments.ts';
import type { Command, Flag } from './command.ts';
import { commands } from '../commands/index.ts';
import { flagOf, settings, type Setting } from '../../api/start/settings.ts';

/** In characters. */
const screenWidth = 80;
/** A wider cell has its text on the next line. */
const widestCell = 26;

/** The text of `--help`: commands, settings and quirks. */
export function helpText(program: string): string {
  return [
    `usage: ${program} COMMAND [flags]; without a command: serve`,
    '',
    ...rows([...commands.values()].map(({ name, summary }) => [name, summary])),
    '',
    ...wrapped(`${program} COMMAND --help tells more about one; ${program} --version.`),
    ...wrapped(exitCodes),
    '',
    ...settingsHelp(settings),
    '',
    'Quirks, all off by default:',
    ...rows(Object.entries(quirks)),
  ].join('\n');
}

/** What `help --json` prints: the commands, as {@link helpOf} has them, and all settings and quirks. */
export function helpJson(): object {
  return { commands: [...commands.values()].map(helpOf), settings: settings.map(settingOf), quirks };
}

/** What `COMMAND --help --json` prints. */
export function helpOf(command: Command): object {
  const { name, usage, summary, flags, notes = [], examples = [] } = command;
  return { name, usage, summary, flags, settings: settingsOf(command).map(settingOf), notes, examples };
}

function settingOf(setting: Setting): object {
  const { name, what, default: value } = setting;
  return { name, flag: flagOf(setting), what, default: value };
}

/** The exit codes of every command. */
export const exitCodes = 'Exit code: 0 done, 1 refused or failed, 2 wrong command line or setting.';

/** The text of one command's `--help`; `called` is what was typed to start it, `program` what starts any. */
export function commandHelp(command: Command, called: string, program: string): string {
  const { name, usage, summary, flags, notes = [], examples = [] } = command;
  const own = `sandbank ${name} `;
  const shared = settingsOf(command);
  const isServe = shared.length === settings.length;
  return [
    ...wrapped(`usage: ${called} ${usage}`.trimEnd(), 4),
    '',
    ...wrapped(summary),
    ...section('', rows(flags.map((flag) => [formatFlag(flag), flag.what]))),
    ...section('', shared.length === 0 ? [] : settingsHelp(shared)),
    ...section(isServe ? 'Quirks, all off by default:' : '', isServe ? rows(Object.entries(quirks)) : []),
    ...section(
      '',
      notes.flatMap((note) => wrapped(note)),
    ),
    ...section(
      examples.length === 1 ? 'Example:' : 'Examples:',
      examples.map((line) =>
        line.startsWith(own)
          ? `  ${called} ${line.slice(own.length)}`
          : `  ${line.replace(/^sandbank\b/, () => program)}`,
      ),
    ),
  ].join('\n');
}

/** `--runs N`; `-d, --data TEXT`. */
export function formatFlag({ name, value, short, mayBeAlone }: Flag): string {
  const shown = value === undefined ? '' : mayBeAlone === true ? ` [${value}]` : ` ${value}`;
  return `${short === undefined ? '' : `-${short}, `}--${name}${shown}`;
}

/** A blank line, the title if there is one, and the lines; nothing without lines. */
function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return ['', ...(title === '' ? [] : [title]), ...lines];
}

function settingsHelp(shown: readonly Setting[]): string[] {
  const whose = shown.length === settings.length ? 'Settings' : 'Settings of the server';
  return [
    `${whose}, as a flag or an environment variable [default]:`,
    ...shown.flatMap((setting) => [
      `  --${flagOf(setting)}, ${setting.name}`,
      ...wrapped(`      ${formatSetting(setting)}`, 6),
    ]),
  ];
}

function formatSetting(setting: Setting): string {
  return setting.default === '' ? setting.what : `${setting.what} [${setting.default}]`;
}

/** Two columns: what it is about, and a text that is wrapped beside it. */
function rows(cells: readonly (readonly [name: string, text: string])[]): string[] {
  const widest = Math.max(0, ...cells.map(([name]) => name.length).filter((length) => length <= widestCell));
  const indent = widest + 4;
  return cells.flatMap(([name, text]) => {
    const [first = '', ...more] = wrapped(`${' '.repeat(indent)}${text}`, indent);
    if (name.length > widest) return [`  ${name}`, first, ...more];
    return [`  ${name.padEnd(widest)}  ${first.trimStart()}`, ...more];
  });
}

/** Lines of a text that fit a screen, the later ones indented. A word that is too long has a line of its own. */
function wrapped(text: string, indent = 0): string[] {
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? '';
  for (const word of text.trim().split(' ')) {
    const isFirst = line.trim() === '';
    if (!isFirst && line.length + 1 + word.length > screenWidth) {
      lines.push(line);
      line = ' '.repeat(indent) + word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line];
}
