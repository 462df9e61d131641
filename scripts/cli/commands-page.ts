import { serverNote } from './command.ts';
import { optionsOf, settingsOf, type Command } from './arguments.ts';
import { formatFlag, usageOf } from './help.ts';

/** The commands of `docs/commands.md`: a list, and the `--help` of each. */
export function commandSections(all: readonly Command[]): string {
  const links = all.map(({ name, summary }) => [`[${name}](#${name})`, summary] as const);
  return [list(links), ...all.flatMap(chapter)].join('\n\n');
}

function chapter(command: Command): string[] {
  const { name, summary, flags, notes, examples } = command;
  const shared = settingsOf(command);
  return [
    `## ${name}`,
    block([`sandbank ${name} ${usageOf(command)}`], 'text'),
    summary,
    list(optionsOf(flags).map((option) => [`\`${formatFlag(option)}\``, option.description])),
    ...(shared.length === 0 ? [] : [settingsLine(command)]),
    ...notes.filter((note) => note !== serverNote).map(escaped),
    ...(examples.length === 0 ? [] : [block(examples, 'sh')]),
  ];
}

function settingsLine(command: Command): string {
  if (command.settings === 'all')
    return 'Every setting is also a flag of `serve`. `sandbank serve --help` lists the settings and the quirks.';
  const names = settingsOf(command).map((setting) => `\`--${setting.flag}\` (\`${setting.name}\`)`);
  return `Settings: ${names.join(', ')}.`;
}

function list(rows: readonly (readonly [name: string, text: string])[]): string {
  return rows.map(([name, text]) => `- ${name}: ${escaped(text)}`).join('\n');
}

/** Outside code, what Markdown would read as its own: `*`, `_` and `<`. */
function escaped(text: string): string {
  return text.replaceAll(/`[^`]*`|[*_<]/g, (part) => (part.startsWith('`') ? part : `\\${part}`));
}

function block(lines: readonly string[], language: string): string {
  return ['```' + language, ...lines, '```'].join('\n');
}
