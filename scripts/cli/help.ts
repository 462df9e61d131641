import { Help, type Option } from 'commander';
import { allQuirks } from '../../api/quirks/index.ts';
import { optionsOf, settingsOf, type Command } from './arguments.ts';
import { settings, type Setting } from '../../api/start/settings.ts';

/** Wraps texts and aligns columns. */
const layout = new Help();
/** In characters. */
const screenWidth = 80;

/** The text of `--help`: commands, settings and quirks. */
export async function helpText(commands: readonly Command[], program: string): Promise<string> {
  return [
    `usage: ${program} COMMAND [flags]; without a command: serve`,
    '',
    ...section(
      'Commands:',
      commands.map(({ name, summary }) => [name, summary]),
    ),
    wrapped(`${program} help COMMAND tells more about one; ${program} version.`),
    wrapped(exitCodes),
    '',
    ...settingsHelp(settings),
    ...(await quirksHelp()),
  ]
    .join('\n')
    .trimEnd();
}

/** The exit codes of every command. */
const exitCodes = 'Exit code: 0 done, 1 refused or failed, 2 wrong command line or setting.';

/** The text of one command's `--help`. `program`: what starts a command here. */
export async function commandHelp(command: Command, program: string): Promise<string> {
  const { name, summary, flags, notes, examples } = command;
  return [
    layout.boxWrap(`usage: ${program} ${name} ${usageOf(command)}`, screenWidth - 4).replaceAll('\n', '\n    '),
    '',
    wrapped(summary),
    '',
    ...section(
      'Flags:',
      optionsOf(flags).map((option) => [formatFlag(option), option.description]),
    ),
    ...settingsHelp(settingsOf(command)),
    ...(command.settings === 'all' ? await quirksHelp() : []),
    ...notes.map(wrapped),
    ...(notes.length === 0 ? [] : ['']),
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.map((line) => `  ${line.replace(/^sandbank\b/, () => program)}`),
  ].join('\n');
}

/**
 * The words of a command, and every flag of its own: `[NUMBER] [--from DATE] ...`. Settings have a section of their
 * own.
 */
export function usageOf({ usage = '', flags }: Command): string {
  const named = new Set(usage.match(/--[\w-]+/g));
  const unnamed = optionsOf(flags).filter((option) => !named.has(`--${option.name()}`));
  const others = unnamed.map((option) => `[${formatFlag(option).replace(/^-\w, /, '')}]`);
  // What follows `--` is the command of somebody else.
  return (usage.startsWith('-- ') ? [...others, usage] : [usage, ...others]).join(' ').trim();
}

/** `--runs N`; `-d, --data TEXT`; `--wait [TIME]`. */
export function formatFlag({ flags }: Option): string {
  return flags.replaceAll(/[<>]/g, '');
}

async function quirksHelp(): Promise<string[]> {
  return section(
    'Quirks, all off by default:',
    (await allQuirks()).map(({ name, effect, value }) => {
      const form = value === undefined ? '' : ` Value: ${value.form}${value.bounds && `, ${value.bounds}`}.`;
      return [name, `${effect}${form}`];
    }),
  );
}

function settingsHelp(shown: readonly Setting[]): string[] {
  const whose = shown.length === settings.length ? 'Settings' : 'Settings of the server';
  return section(
    `${whose}, as a flag or an environment variable [default]:`,
    shown.map((setting) => {
      const value = setting.default === '' ? '' : ` [${setting.default}]`;
      return [`--${setting.flag}`, `${setting.name}: ${setting.what}${value}`];
    }),
  );
}

/** The title, two columns and a blank line; nothing without rows. */
function section(title: string, rows: readonly (readonly [name: string, text: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return layout.formatItemList(
    title,
    rows.map(([name, text]) => layout.formatItem(name, width, text, layout)),
    layout,
  );
}

function wrapped(text: string): string {
  return layout.boxWrap(text, screenWidth);
}
