import { type Command, serverNote } from './command.ts';
import { flagOf } from '../../api/start/settings.ts';
import { commands } from '../commands/index.ts';
import { optionsOf, settingsOf } from './arguments.ts';
import { exitCodes, formatFlag } from './help.ts';

/** `docs/commands.md`: what `--help` says of each command, from the commands themselves. Made by `node scripts/commands-md.ts`. */
export function commandsPage(): string {
  const all = [...commands.values()];
  return `${[...start(all), ...all.flatMap(chapter)].join('\n\n')}\n`;
}

function start(all: readonly Command[]): string[] {
  return [
    '# Commands',
    '`sandbank COMMAND [flags]`: in a clone `npm run -s sandbank -- COMMAND`, where the package is installed `npx sandbank COMMAND`. Without a command it is `serve`. `sandbank help` lists the commands, `sandbank COMMAND --help` tells what this page tells, `sandbank --version` the version.',
    list(all.map(({ name, summary }) => [`[${name}](#${name})`, summary])),
    '## What holds for all of them',
    [
      '- **Which bank:** a command asks the server of `--port` or `--host`, else that of `$BANK` (`http://127.0.0.1:8080`, or with a bank `http://127.0.0.1:8080/banks/demo`), else that of `PORT` and `HOST`. `--bank NAME` names a bank in that server.',
      '- **Flags** stand anywhere; `--bank`, `--json` and settings before the command too: `sandbank --bank demo advance P1D`. A value follows after a blank or `=`; one that begins with two hyphens after `=`. The last value of a repeated flag wins; `--header`, `--role` and `--psu` add up. What follows `--` are words.',
      '- **Output:** what was asked for goes to standard output, the rest and errors to standard error, each error in a line or two.',
      '- **`--json`:** standard output is one JSON document, the answer of the bank as it came. Standard error is then JSON too: the problem document of the bank, else `{"detail": "..."}`. `serve` and `proxy` print one line of JSON when they listen; the log of `serve` is JSON lines with and without it.',
      '- **Colours** are for a terminal. `NO_COLOR=1` switches them off, `FORCE_COLOR=1` on everywhere.',
      `- **${exitCodes.replace(':', ':**')}`,
    ].join('\n'),
    'The examples work in the order of this page, at a bank that was just started.',
  ];
}

function chapter(command: Command): string[] {
  const { name, usage, summary, flags, notes, examples } = command;
  const shared = settingsOf(command);
  return [
    `## ${name}`,
    block([`sandbank ${name} ${usage}`.trimEnd()], 'text'),
    summary,
    list(optionsOf(flags).map((option) => [`\`${formatFlag(option)}\``, option.description])),
    ...(shared.length === 0 ? [] : [settingsLine(command)]),
    ...notes.filter((note) => note !== serverNote).map(escaped),
    ...(examples.length === 0 ? [] : [block(examples, 'sh')]),
  ];
}

function settingsLine(command: Command): string {
  if (command.settings === 'all')
    return 'Every setting is a flag of it too; `sandbank serve --help` lists them, with the quirks.';
  const names = settingsOf(command).map((setting) => `\`--${flagOf(setting)}\` (\`${setting.name}\`)`);
  return `Settings: ${names.join(', ')}.`;
}

function list(rows: readonly (readonly [name: string, text: string])[]): string {
  return rows.map(([name, text]) => `- ${name}: ${escaped(text)}`).join('\n');
}

/** Outside code, what Markdown would read as its own: `*`, `_` and `<`. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[*_<]/g, String.raw`\$&`)))
    .join('');
}

function block(lines: readonly string[], language: string): string {
  return ['```' + language, ...lines, '```'].join('\n');
}
