import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { quirkNames } from '../../engine/bank/rules/quirk.ts';
import { defaultLines } from '../../api/quirks/habits-page.ts';
import { allQuirks } from '../../api/quirks/index.ts';

/* Each quirk has a test that names it: by its line of the register, else by its number in docs/habits.md. */

const files = globSync('tests/**/*.test.ts').map((file) => readFileSync(file, 'utf8'));
/** What test titles, and their rows under a title `register %s`, name: `register 17`, `H25`. */
const cited = new Set(files.flatMap(citedIn));

function citedIn(file: string): string[] {
  const texts = [...file.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].map(([, text = '']) => text);
  const isTable = texts.some((text) => text.startsWith('register %s'));
  const lists = texts.flatMap((text) => {
    const [, list = ''] = /\bregister (\d+(?:, \d+)*)/.exec(text) ?? [];
    const [, row = ''] = (isTable ? /^(\d+(?:, \d+)*): / : /^$/).exec(text) ?? [];
    return [list, row];
  });
  const lines = lists.flatMap((list) => list.split(', ')).filter((line) => line !== '');
  return [...lines.map((line) => `register ${line}`), ...texts.flatMap((text) => text.match(/\bH\d+\b/g) ?? [])];
}

const whole = await allQuirks();

test('a quirk is an entry in the engine and a file here, both of its name', () => {
  const others = [
    'banks-page',
    'contract',
    'encrypted-ids',
    'habits-page',
    'hearing',
    'index',
    'json',
    'quirk-file',
    'transactions',
  ];
  const files = globSync('api/quirks/*.ts').map((file) => basename(file, '.ts'));
  expect(files.filter((name) => !others.includes(name)).toSorted()).toEqual(quirkNames.toSorted());
});

describe.each(whole.filter(({ register }) => register.length > 0))('$name', ({ register, lines = {} }) => {
  test.each(register)('a test names line %d of the register, and so does docs/habits.md', (line) => {
    expect([...cited]).toContain(`register ${line}`);
    expect(Object.values(lines).flatMap(({ seen }) => seen.register)).toContain(line);
  });
});

test.each([...whole.map(({ lines = {} }) => lines), defaultLines].flatMap((lines) => Object.entries(lines)))(
  'a test names %s',
  (number, { seen }) => {
    const names = [number, ...seen.register.map((line) => `register ${line}`)];
    expect(names.filter((name) => cited.has(name))).not.toEqual([]);
  },
);

test('words that are no title are not taken for one', () => {
  expect(citedIn("/* register 99 */ test('register 4, 5: x'); test.each([['6: y']])('z')")).toEqual([
    'register 4',
    'register 5',
  ]);
  expect(citedIn("test.each([['6, 7: y', 1]])('register %s', 0)")).toEqual(['register 6', 'register 7']);
});
