import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isProblem, noQuirks, quirks, switched } from '../../engine/bank/rules/quirk.ts';
import { bankSections } from '../../api/quirks/banks-page.ts';
import { allQuirks } from '../../api/quirks/index.ts';
import { defaultLines, quirkSections } from '../../api/quirks/habits-page.ts';
import { listedProfiles } from '../../api/start/profile.ts';
import { withMadePart } from '../../scripts/cli/made-part.ts';

const page = readFileSync(new URL('../../docs/habits.md', import.meta.url), 'utf8');
const whole = await allQuirks();
const withQuirk = whole.flatMap(({ name, lines = {} }) =>
  Object.entries(lines).map(([number, line]) => ({ name, number, ...line })),
);
const all = [...withQuirk, ...Object.entries(defaultLines).map(([number, line]) => ({ number, ...line }))];

test('Q9: docs/habits.md is what npm run generate writes', async () => {
  expect(page).toBe(withMadePart(page, await quirkSections(await listedProfiles())));
});

describe('docs/banks.md', () => {
  const banks = readFileSync(new URL('../../docs/banks.md', import.meta.url), 'utf8');

  test('is what npm run generate writes', async () => {
    expect(banks).toBe(withMadePart(banks, bankSections(await listedProfiles())));
  });

  test('names no repository; each fact has a source, a date and a quality', async () => {
    expect(banks).not.toMatch(/github|gitlab|ynabber/i);
    const origins = banks.split('\n').filter((line) => line.startsWith('- ') && line.endsWith(':'));
    expect(origins.length).toBeGreaterThan(100);
    for (const line of origins)
      expect(line).toMatch(
        /, (\d{4}(-\d\d){0,2}|undated, read 20\d\d-\d\d-\d\d), [a-z ]+:$|^- Assumed, because nobody/,
      );
    for (const { id } of await listedProfiles()) expect(banks.includes(`\n## ${id}\n`)).toBe(id !== 'every-quirk');
  });
});

test('Q9: each line has a number of its own, in the order of the page', () => {
  const numbers = [...page.matchAll(/^### (H\d+)$/gm)].map(([, number]) => number);
  expect(numbers).toEqual(all.map(({ number }) => number));
  expect(new Set(numbers).size).toBe(all.length);
});

describe('each quirk that a bank was seen to have', () => {
  const seen = whole.filter(({ banks, register }) => banks.length > 0 || register.length > 0);

  test.each(seen)(
    '$name has a heading, its lines of the register, and its banks',
    ({ name, banks, lines, register }) => {
      expect(page).toContain(`\n## ${name}\n`);
      const told = Object.values(lines ?? {}).flatMap((line) => line.seen.register);
      expect(told).toEqual(expect.arrayContaining([...register]));
      const section = page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
      for (const bank of banks) expect(section).toContain(bank);
      expect(section.includes('\nStory: ')).toBe(banks.length > 0);
    },
  );

  test('no other quirk is on the page', () => {
    expect(whole.filter(({ lines }) => lines !== undefined)).toEqual(seen);
  });

  test.each(withQuirk)('$number: its line switches $name on', ({ name, value }) => {
    expect(isProblem(switched(noQuirks, [[name, value ?? true]]))).toBe(false);
    expect(value === undefined).toBe(quirks[name].value === undefined);
  });
});

test.each(all)(
  '$number: it names who was seen, and the mistake',
  async ({ number, seen: { facts = [], others = [] } }) => {
    expect(page.split(`\n### ${number}\n`)[1]).toMatch(/- \*\*Seen:\*\* .+\.\n[^]*- \*\*The mistake:\*\* .+\./);
    // A key that no profile has would tell nothing.
    const known = (await listedProfiles()).flatMap((profile) => profile.facts.map(({ key }) => key));
    expect(facts.filter((key) => !known.includes(key))).toEqual([]);
    expect(facts.length + others.length).toBeGreaterThan(0);
  },
);

test('no repository and no account of a person is named', () => {
  expect(page).not.toMatch(/github|gitlab|ynabber|actual|@/i);
  const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
  expect(links.filter((target) => /^https?:/.test(target))).toEqual([]);
});
