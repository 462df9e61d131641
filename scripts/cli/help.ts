import { quirks } from '../../engine/bank/rules/quirk.ts';
import { settingsOf } from './arguments.ts';
import type { Command, Flag } from './command.ts';
import { commands } from '../commands/index.ts';
import { flagOf, settings, type Setting } from '../../api/start/settings.ts';

/** The text of `--help`: commands, settings and quirks. */
export function helpText(): string {
  const rows = [...commands.values()].map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`);
  return [
    'usage: sandbank COMMAND; serve, when there is none',
    '',
    ...rows,
    '',
    'sandbank COMMAND --help tells more of one. Exit code: 0, 1 for a refusal or a failure, 2 for a wrong command.',
    '',
    ...serverHelp(),
  ].join('\n');
}

/** The text of one command's `--help`. */
export function commandHelp(command: Command, program: string): string {
  const { usage, summary, flags, notes = [] } = command;
  const start = [`usage: ${program} ${usage}`.trimEnd(), '', summary];
  if (command.settings === 'all') return [...start, '', ...serverHelp()].join('\n');
  const shared = settingsOf(command);
  return [
    ...start,
    ...aligned(flags.map((flag) => [formatFlag(flag), flag.what])),
    ...(shared.length === 0 ? [] : ['', 'Settings, as a flag or an environment variable [default]:']),
    ...aligned(shared.map((setting) => [`--${flagOf(setting)}`, setting.name, formatSetting(setting)])),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ].join('\n');
}

/** `--runs N`; `-d, --data TEXT`. */
export function formatFlag({ name, value, short }: Flag): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

function serverHelp(): string[] {
  return [
    'Settings, as a flag or an environment variable [default]:',
    ...settings.map(settingRow),
    '',
    'Quirks, all off by default:',
    ...Object.entries(quirks).map(([name, effect]) => `  ${name.padEnd(24)} ${effect}`),
  ];
}

function settingRow(setting: Setting): string {
  return `  --${flagOf(setting).padEnd(18)} ${setting.name.padEnd(26)} ${formatSetting(setting)}`;
}

function formatSetting(setting: Setting): string {
  return setting.default === '' ? setting.what : `${setting.what} [${setting.default}]`;
}

/** Columns as wide as their widest cell. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
