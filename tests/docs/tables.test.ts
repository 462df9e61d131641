import { platformIds } from '../../api/start/platform.ts';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { transactionStatuses } from '../../engine/values/transaction-status.ts';
import { allQuirks } from '../../api/quirks/index.ts';
import { settings } from '../../api/start/settings.ts';
import { callTable, readControlDocument } from '../../scripts/cli/call-table.ts';
import { helpText } from '../../scripts/cli/help.ts';
import { withMadePart } from '../../scripts/cli/made-part.ts';
import { allCommands } from '../../scripts/commands/index.ts';
import { markdownLines } from '../support/markdown.ts';

/** A page with one blank where its tables have more. */
const page = (path: string): string => readFileSync(path, 'utf8').replaceAll(/ {2,}/g, ' ');
const help = await helpText(await allCommands(), 'sandbank');
const settingsPage = page('docs/running/settings.md');

test.each(settings)('docs/running/settings.md and --help have a row for $name', (setting) => {
  const shown = setting.default === '' ? '' : `\`${setting.default}\` `;
  expect(settingsPage).toContain(`| \`${setting.name}\` | \`--${setting.flag}\` | ${shown}| ${setting.what} |`);
  expect(help).toContain(setting.name);
});

test.each(await allQuirks())(
  'docs/running/settings.md and --help have a row for the quirk $name',
  ({ name, effect, value }) => {
    const form =
      value === undefined ? '' : `\`${value.form.replaceAll('|', '\\|')}\`${value.bounds && `, ${value.bounds}`} `;
    expect(settingsPage).toContain(`| \`${name}\` | ${form}| ${effect} |`);
    expect(help).toContain(name);
  },
);

test('the calls of docs/spec/control-plane.md are those of the document that a server answers', async () => {
  const spec = readFileSync('docs/spec/control-plane.md', 'utf8');
  const table = callTable(await readControlDocument());
  expect(table.split('\n').length).toBeGreaterThan(60);
  expect(table).toContain('| `POST /sandbox/reset` | Go back to the known state and the clock of the start |');
  expect(spec).toBe(withMadePart(spec, table));
});

test('the glossary explains each status, and says which the bank gives by itself', () => {
  const rows = markdownLines(readFileSync('docs/glossary.md', 'utf8')).filter(({ columns }) => columns[0] === 'status');
  expect(rows.map(({ cells }) => cells[0]).toSorted()).toEqual(Object.keys(transactionStatuses).toSorted());
  // rules.md S9b: in the enum, and never given by the bank itself.
  const forced = rows.filter(({ cells }) => cells[2] === 'no').map(({ cells }) => cells[0]);
  expect(forced).toEqual(['ACTC', 'ACWC', 'ACWP', 'ACCC', 'ACFC']);
});

test('the guide has one word for one thing: those of the table, and none of the words beside them', () => {
  const rows = markdownLines(readFileSync('docs/glossary.md', 'utf8')).filter(
    ({ section, kind }) => section === 'One word for one thing' && kind === 'row',
  );
  const avoided = rows.flatMap(({ cells }) => (cells[2] ?? '').split(', '));
  expect(avoided.length).toBeGreaterThan(15);
  // Scenarios quote the names of the interface's own calls, decisions what was weighed.
  const pages = globSync('docs/**/*.md').filter((page) => !/docs\/(?:spec|decisions|scenarios)\/|glossary/.test(page));
  expect(pages.length).toBeGreaterThan(30);
  const found = ['README.md', ...pages].flatMap((page) => {
    const text = readFileSync(page, 'utf8').replaceAll(/```[^]*?```|`[^`]*`/g, '');
    const wrong = avoided.filter((word) => new RegExp(`\\b${word}s?\\b`, 'i').test(text));
    return wrong.map((word) => `${page}: ${word}`);
  });
  expect(found).toEqual([]);
});

test('docs/differences.md has a reason and a place for each thing that the bank does not do', () => {
  const rows = markdownLines(readFileSync('docs/differences.md', 'utf8')).filter(
    ({ section, kind }) => section === 'What it does not do' && kind === 'row',
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ cells }) => cells.length !== 4 || cells.some((cell) => cell === ''))).toEqual([]);
});

test('the README is short, and says how many banks there are', () => {
  const readme = readFileSync('README.md', 'utf8');
  expect(readme.split('\n').length).toBeLessThan(130);
  expect(readme).toContain(`the open banking API of ${platformIds().length} Norwegian banks`);
});

test('the skill has the front matter by which an agent finds it, and the name of its folder', () => {
  const [, name, description = ''] =
    /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(readFileSync('docs/skills/sandbank/SKILL.md', 'utf8')) ?? [];
  expect(name).toBe('sandbank');
  expect(description.length).toBeGreaterThan(50);
  expect(description.length).toBeLessThanOrEqual(1024);
});
