import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { errorsPage, faultGuide } from '../../api/faults/errors-page.ts';
import { faultCodes } from '../../engine/values/fault.ts';

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');

test('docs/errors.md is what npm run generate writes', () => {
  expect(page).toBe(errorsPage());
});

test('E1: it has a heading for every code, in the order of the alphabet, and no other', () => {
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(['Provoke a refusal', 'Break or delay an answer', ...faultCodes]);
  expect(Object.keys(faultGuide).sort()).toEqual([...faultCodes].sort());
});

test.each(faultCodes)('%s: every row of the interface and of rules.md E2 has its HTTP status there', (code) => {
  const spec = readFileSync(new URL('../../docs/spec/interface.md', import.meta.url), 'utf8');
  const row = new RegExp(`^\\| ${code} \\| ([^|]*) \\|`, 'm').exec(spec)?.[1] ?? '';
  const section = page.slice(page.indexOf(`## ${code}\n`)).split('\n## ')[0] ?? '';
  const statuses = row.match(/\d{3}/g) ?? [];
  const shown = /^HTTP (.*)\.$/m.exec(section)?.[1] ?? '';
  expect(shown).toMatch(/^\d{3}/);
  for (const status of statuses) expect(shown).toContain(status);
});
