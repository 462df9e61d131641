import { serverNote } from './command.ts';
import { optionsOf, settingsOf, type Command } from './arguments.ts';
import { exitCodes, formatFlag, usageOf } from './help.ts';

/** The text of `docs/commands.md`: the `--help` of each command. `npm run generate` writes the page. */
export function commandsPage(all: readonly Command[]): string {
  return `${[...start(all), ...all.flatMap(chapter)].join('\n\n')}\n`;
}

function start(all: readonly Command[]): string[] {
  return [
    '# Which commands are there?',
    'The list names each command and what it does. Find a command in it, and follow its link to its flags and examples. [All commands](#all-commands) have some flags in common. [running/settings.md](running/settings.md) has the settings of the server. `npm run generate` makes this page from the help of the commands.',
    'In a clone, run `npm run -s sandbank -- COMMAND [flags]`. If you installed the package, run `npx --no sandbank COMMAND [flags]`. The default command is `serve`. `sandbank help` lists the commands, `sandbank COMMAND --help` explains one as this page does, and `sandbank --version` prints the version.',
    list(all.map(({ name, summary }) => [`[${name}](#${name})`, summary])),
    '## All commands',
    [
      '- **Which bank:** `--port` or `--host` names the server. Without them `$BANK` names the server (`http://127.0.0.1:7263`) or a bank in it (`http://127.0.0.1:7263/banks/demo`). Without `$BANK`, `PORT` and `HOST` name the server. `--bank NAME` names a bank in the server.',
      '- **Flags** may stand anywhere after the command; `--bank`, `--json` and settings may also stand before it: `sandbank --bank demo advance P1D`. A blank or `=` separates a flag from its value; a value that begins with two hyphens needs `=`. The last value of a repeated flag wins; `--header`, `--role` and `--psu` collect all their values. After `--` every argument is a word, not a flag. A `--` right after the command has no effect. `npx --no sandbank` reads flags before the command as flags of npx: put the command first, or write `npx --no -- sandbank`.',
      '- **Output:** the result goes to standard output. Errors and everything else go to standard error; an error takes one or two lines.',
      '- **`--json`:** standard output is one JSON document, the unchanged answer of the bank. Standard error is also JSON: the problem document of the bank, or `{"detail": "..."}`. `serve` and `proxy` print one line of JSON when they listen. The log of `serve` is always JSON lines.',
      `- **${exitCodes.replace(':', ':**')}`,
    ].join('\n'),
    'Run the examples in the order of this page, on a newly started bank.',
  ];
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
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[*_<]/g, String.raw`\$&`)))
    .join('');
}

function block(lines: readonly string[], language: string): string {
  return ['```' + language, ...lines, '```'].join('\n');
}
