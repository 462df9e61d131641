import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { quirks } from '../engine/bank/rules/quirk.ts';
import { flagOf, settings } from '../api/start/settings.ts';
import { helpText } from '../scripts/cli/help.ts';

const readme = readFileSync('README.md', 'utf8');

test.each(settings)('the README and --help have a row for $name', (setting) => {
  const shown = setting.default === '' ? '' : `\`${setting.default}\``;
  expect(readme).toContain(`| \`${setting.name}\` | \`--${flagOf(setting)}\` | ${shown} | ${setting.what} |`);
  expect(helpText()).toContain(setting.name);
});

test.each(Object.entries(quirks))('the README and --help have a row for the quirk %s', (name, effect) => {
  expect(readme).toContain(`| \`${name}\` | ${effect} |`);
  expect(helpText()).toContain(name);
});

test('every file and npm script that the README names exists', () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1] ?? '');
  for (const link of links) expect(() => readFileSync(link, { flag: 'r' })).not.toThrow(/ENOENT/);
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = [...readme.matchAll(/npm run (?:-s )?([a-z-]+)/g)].map((match) => match[1] ?? '');
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
});
