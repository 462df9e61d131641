import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { format } from 'oxfmt';
import options from '../.oxfmtrc.json' with { type: 'json' };
import { catalogue } from '../api/catalogue/catalogue.ts';
import { errorsPage } from '../api/faults/errors-page.ts';
import { bankSections } from '../api/quirks/banks-page.ts';
import { certificateFaults } from '../api/signing/certificate-kit.ts';
import { leniencies } from '../api/signing/leniencies.ts';
import { allQuirks } from '../api/quirks/index.ts';
import { quirkSections } from '../api/quirks/habits-page.ts';
import { knownStateSchema, personaSchema, profileSchema } from '../api/openapi/known-state-schema.ts';
import { listedProfiles } from '../api/start/profile.ts';
import { settings } from '../api/start/settings.ts';
import { holidaysOfPackage } from '../engine/time/norwegian-calendar.ts';
import { callTable, readControlDocument } from './cli/call-table.ts';
import { commandSections } from './cli/commands-page.ts';
import { makeCallForms } from './cli/make-call-forms.ts';
import { allCommands } from './commands/index.ts';
import { withMadePart } from './cli/made-part.ts';
import { trialSections } from './gauntlet/page.ts';
import { scenarioList, scenarioPage } from './play/scenario-page.ts';
import { runScript } from './run-script.ts';

const layout = options as Parameters<typeof format>[2];

const usage = `npm run generate

Writes the files that follow from other files. In docs: the pages of banks, commands, errors, trials, quirks and scenarios, the tables of running/settings.md, and the
calls of spec/control-plane.md. In fixtures: the schemas for editors. In engine/time/rules: the table of holidays, from the package date-holidays. A test fails if a file differs.`;

/** The programs of `examples/signing` by their headings on the page, with how to run each. */
const programs = [
  ['curl and OpenSSL', 'pay.sh', 'Run `sh pay.sh`.'],
  ['Node', 'pay.mjs', 'Run `node pay.mjs` with Node 20 or later.'],
  ['Python', 'pay.py', 'Run `python3 pay.py` with the package `cryptography` (Debian: `python3-cryptography`).'],
  ['PHP', 'pay.php', 'Run `php pay.php` with PHP 8.1 or later and its extension `openssl` (Debian: `php-cli`).'],
  [
    'Java',
    'Pay.java',
    'Run `java Pay.java` with Java 17 or later. The program writes the date by a pattern: `DateTimeFormatter.RFC_1123_DATE_TIME` writes the first nine days of a month with one digit, which the bank refuses. Kotlin calls `digest` and `prove` of `Pay.java`.',
  ],
  ['Go', 'pay.go', 'Run `go run pay.go` with Go 1.19 or later.'],
  ['Verify in Node', 'verify.mjs', 'Run `node verify.mjs`.'],
  ['Verify in Python', 'verify.py', 'Run `python3 verify.py` with the package `cryptography`.'],
  ['Verify in Java', 'Verify.java', 'Run `java Verify.java` with Java 17 or later.'],
  ['Verify in Go', 'verify.go', 'Run `go run verify.go` with Go 1.19 or later.'],
] as const;

await runScript(usage, {}, async () => {
  const profiles = await listedProfiles();
  const schema = async (of: object): Promise<string> => (await format('schema.json', JSON.stringify(of), layout)).code;
  const forms = await schema(makeCallForms());
  // First: the commands read it.
  writeFileSync(new URL('../scripts/cli/call-forms.json', import.meta.url), forms);
  const files = {
    'docs/banks.md': withMadePart(page('banks'), bankSections(profiles)),
    'docs/spec/control-plane.md': withMadePart(page('spec/control-plane'), callTable(await readControlDocument())),
    'docs/commands.md': withMadePart(page('commands'), commandSections(await allCommands())),
    'docs/errors.md': errorsPage(),
    'docs/gauntlet.md': withMadePart(page('gauntlet'), await trialSections()),
    'docs/habits.md': withMadePart(page('habits'), await quirkSections(profiles)),
    'docs/running/settings.md': (await format('settings.md', await settingsPage(), layout)).code,
    'docs/signing/faulty-certificates.md': (await format('faulty-certificates.md', faultsPage(), layout)).code,
    'docs/signing/programs.md': (
      await format('programs.md', withMadePart(page('signing/programs'), programSections()), layout)
    ).code,
    'docs/signing/spellings.md': (await format('spellings.md', spellingsPage(), layout)).code,
    'docs/scenarios.md': withMadePart(page('scenarios'), scenarioList()),
    ...Object.fromEntries(catalogue().map((one) => [`docs/scenarios/${one.name}.md`, scenarioPage(one)])),
    'fixtures/known-state.schema.json': await schema(knownStateSchema()),
    'fixtures/profiles/profile.schema.json': await schema(profileSchema()),
    'fixtures/personas/persona.schema.json': await schema(personaSchema()),
    'engine/time/rules/holiday-table.ts': holidaysTable(2015, 2045),
  };
  const root = new URL('../', import.meta.url);
  // Without the pages of scenarios that are gone.
  rmSync(new URL('docs/scenarios', root), { recursive: true, force: true });
  mkdirSync(new URL('docs/scenarios', root));
  for (const [path, text] of Object.entries(files)) writeFileSync(new URL(path, root), text);
});

function page(name: string): string {
  return readFileSync(new URL(`../docs/${name}.md`, import.meta.url), 'utf8');
}

/** docs/running/settings.md with its tables of settings and quirks generated again. */
async function settingsPage(): Promise<string> {
  const ofSettings = settings.map(({ name, flag, default: usual, what }) => [
    code(name),
    code(`--${flag}`),
    code(usual),
    what,
  ]);
  const ofQuirks = (await allQuirks()).map(({ name, effect, value }) => {
    return [code(name), value === undefined ? '' : code(value.form) + (value.bounds && `, ${value.bounds}`), effect];
  });
  return withRows(withRows(page('running/settings'), 'variable', ofSettings), 'quirk', ofQuirks);
}

function programSections(): string {
  const languages: Readonly<Record<string, string>> = { mjs: 'js', py: 'python' };
  return programs
    .map(([heading, file, how]) => {
      const ending = file.split('.')[1] ?? '';
      const text = readFileSync(new URL(`../examples/signing/${file}`, import.meta.url), 'utf8').trimEnd();
      return `## ${heading}\n\n${how}\n\n\`\`\`${languages[ending] ?? ending}\n${text}\n\`\`\``;
    })
    .join('\n\n');
}

function faultsPage(): string {
  const rows = Object.entries(certificateFaults).map(([name, { what, any, ca }]) => {
    return [code(name), what, any ?? 'accepted', ca ?? 'accepted'];
  });
  return withRows(page('signing/faulty-certificates'), 'fault', rows);
}

function spellingsPage(): string {
  const rows = leniencies.map(({ name, header, note }) => [code(name), header, note]);
  return withRows(page('signing/spellings'), 'name', rows);
}

/** A page with these rows in its table whose first column is `first`. */
function withRows(text: string, first: string, rows: readonly (readonly string[])[]): string {
  const lines = text.split('\n');
  const head = lines.findIndex((line) => line.startsWith(`| ${first} `));
  const end = lines.findIndex((line, at) => at > head && !line.startsWith('|'));
  const made = rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`);
  return [...lines.slice(0, head + 2), ...made, ...lines.slice(end)].join('\n');
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

/** A module with a line for each of these years. */
function holidaysTable(from: number, to: number): string {
  const lines = Array.from({ length: to - from + 1 }, (_, index) => {
    const days = [...holidaysOfPackage(from + index)].toSorted(([one], [other]) => one.localeCompare(other));
    return `  ${from + index}: '${days.map(([date, name]) => `${date.slice(5)} ${name}`).join('; ')}',\n`;
  });
  return `// Made by npm run generate from the package date-holidays.
import { localDate, type LocalDate } from '../../values/local-date.ts';

/** Month, day and name of each holiday of a year. */
const holidaysOfYears: Readonly<Record<number, string>> = {
${lines.join('')}};

/** The holidays of a year with their Norwegian names; null when the table does not have the year. */
export function tabledHolidays(year: number): ReadonlyMap<LocalDate, string> | null {
  const days = holidaysOfYears[year]?.split('; ');
  if (days === undefined) return null;
  return new Map(days.map((day) => [localDate(\`\${year}-\${day.slice(0, 5)}\`), day.slice(6)] as const));
}
`;
}
