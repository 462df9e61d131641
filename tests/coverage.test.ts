import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { purposeCode } from '../api/bodies/values.ts';
import { faultCodes } from '../engine/values/fault.ts';
import {
  citedBy,
  coverage,
  formFaults,
  interfaceLabels,
  isAbout,
  namesIn,
  namesOfTests,
  rulesCitedIn,
  rulesIn,
} from './support/coverage.ts';
import { interfaceItems } from './support/interface-document.ts';

const document = readFileSync('docs/spec/interface.md', 'utf8');
const items = interfaceItems(document);
const names = namesOfTests();
const rules = ['rules', 'control-plane'].flatMap((file) => rulesIn(readFileSync(`docs/spec/${file}.md`, 'utf8')));

describe('npm run coverage', () => {
  test('tells the tests of a rule below its first sentence', () => {
    const { lines } = coverage([{ file: 'tests/a.test.ts', name: 'S4: fifth  attempt' }]);
    const [rule, told] = lines.slice(lines.findIndex((line) => line.startsWith('S4 ')));
    expect(rule).toMatch(/^S4 \w/);
    expect(told).toBe('  tests/a.test.ts: S4: fifth attempt');
  });

  test('every rule, and every point and section of the interface document, has a test that names it', () => {
    expect(rules.length).toBeGreaterThan(270);
    expect(items.length).toBeGreaterThan(270);
    expect(coverage(names).missing).toEqual([]);
  });

  test('a test names only rules that there are, and lines of docs/habits.md', () => {
    const lines = [...readFileSync('docs/habits.md', 'utf8').matchAll(/^### (H\d+)$/gm)].map(([, line = '']) => line);
    const known = new Set([...rules.map(({ number: rule }) => rule), ...lines]);
    const cited = names.flatMap(({ name }) => rulesCitedIn(name));
    expect(cited.length).toBeGreaterThan(1_000);
    expect([...new Set(cited)].filter((rule) => !known.has(rule))).toEqual([]);
    expect(rulesCitedIn('register 26, S4, T4b to T4f: a card, A4 (C1)')).toEqual(['S4', 'T4b', 'T4f']);
  });

  test('a rule is missed when the tests that name it are gone, and a point and a section of the interface too', () => {
    const without = (gone: RegExp): readonly string[] => coverage(names.filter(({ name }) => !gone.test(name))).missing;
    expect(without(/\bS4b\b/)).toEqual(['S4b']);
    expect(without(/^interface, .*Events 4\b/)).toContain('Events 4.');
    expect(without(/^interface, .*Currency codes/)).toEqual([
      'Currency codes (allowed values of every currency field)',
    ]);
  });

  test('a name says only what the interface document has', () => {
    const sections = items.map(({ section }) => section);
    const labels = [...new Set(names.flatMap(({ name }) => interfaceLabels(name)))];
    expect(labels.length).toBeGreaterThan(60);
    expect(labels.filter((label) => !items.some((item) => isAbout(label, item, sections)))).toEqual([]);
  });

  test('every member, header and code of the interface document is in a test', () => {
    const words = globSync('tests/**/*.{ts,json}')
      .filter((file) => !file.endsWith('coverage.test.ts'))
      .map((file) => readFileSync(file, 'utf8').toLowerCase())
      .join('\n');
    // Each code is provoked in tests/control/faults.test.ts, which has their list from the engine.
    const others = items.filter(({ key }) => /^[\w-]+$/.test(key) && !faultCodes.some((code) => code === key));
    const plain = others.map(({ key }) => key.toLowerCase());
    expect(plain.length).toBeGreaterThan(100);
    expect(plain.filter((key) => !words.includes(key))).toEqual([]);
  });
});

test('every code of the interface is one of ours', () => {
  const section = 'Error codes and HTTP statuses';
  const codes = items.filter((item) => item.section === section && item.key !== 'code').map(({ key }) => key);
  expect(codes.toSorted()).toEqual([...faultCodes].toSorted());
});

test('the purpose codes are those of the interface', () => {
  const listed = /^\| purposeCode .* one of ([A-Z, ]+) \(/m.exec(document)?.[1]?.split(', ');
  expect(purposeCode.enum).toEqual(listed);
});

test('names of tests and groups are read, with the gaps that tables fill', () => {
  const source = `
    describe('S4: a rule', () => {
      test("S5: holds at night", () => {});
      test.each([['by day', 1]])('S6, S7: holds %s, at %i', () => {});
      testWith(hasIt, 'S8: holds in a browser', () => {});
    });`;
  expect(namesIn(source)).toEqual([
    'S4: a rule',
    'S5: holds at night',
    'S6, S7: holds %s, at %i',
    'S8: holds in a browser',
  ]);
});

test.each([
  ['S4: a fifth attempt', 'S4', true],
  ['S4b: a fifth attempt', 'S4', false],
  ['P10b, S4: a fifth attempt', 'S4', true],
  ['R2-R7: schedules', 'R5', true],
  ['R2-R7: schedules', 'R8', false],
  ['T4b to T4f: cut-offs', 'T4g', false],
  ['T4b to T4f: cut-offs', 'T4d', true],
  ['SHA-256, RFC-S4: hashes', 'S4', false],
])('%j cites %s: %p', (name, rule, expected) => {
  expect(citedBy(name)(rule)).toBe(expected);
});

test.each(['rules', 'control-plane'])(
  'each rule of docs/spec/%s.md names whom it serves, in at most five lines',
  (file) => {
    expect(formFaults(readFileSync(`docs/spec/${file}.md`, 'utf8'))).toEqual([]);
  },
);

test('the form of a rule is missed', () => {
  const good = '- **S4 [container, tests] Funds.** A run debits\n  what is available.';
  const faulty = [
    '- **S4 Funds.** A run.',
    '- **S5 [bank]** A run.',
    '- A run.',
    `- **S6 [tests]** A${'\n  run'.repeat(5)}`,
  ];
  expect(formFaults([good, ...faulty, good, `- **S7 [reset]** ${'A'.repeat(110)}`].join('\n'))).toEqual([
    expect.stringContaining('a line is too long: - **S7'),
    '- **S4 Funds.** A run. names no user',
    'S5 names no user',
    '- A run. names no user',
    'S6 has more than 5 lines',
    'S4 is there twice, or names a user twice',
  ]);
  expect(formFaults(good)).toEqual([]);
});

test('a rule has its number, its heading and its first sentence', () => {
  expect(
    rulesIn(
      '## S. Status\n\n- **S4 [tests] Funds.** A run debits what is available. More follows.\n- **C2b [container]** Bodies.',
    ),
  ).toEqual([
    { number: 'S4', section: 'S. Status', sentence: 'Funds. A run debits what is available.' },
    { number: 'C2b', section: 'S. Status', sentence: 'Bodies.' },
  ]);
});
