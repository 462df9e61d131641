import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { purposeCode } from '../api/bodies/schema.ts';
import { faultCodes } from '../engine/values/fault.ts';
import { interfaceItems } from './support/interface-document.ts';
import { markdownLines } from './support/markdown.ts';

const document = readFileSync('docs/spec/interface.md', 'utf8');
const rules = readFileSync('docs/spec/rules.md', 'utf8');
const page = readFileSync('docs/coverage.md', 'utf8');
const items = interfaceItems(document);

const title = /(?:\b(?:describe|test|holds)\(|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const gap = /%[sdijp#]|\$\{[^}]*\}|\$[\w.]+/;

interface Row {
  readonly section: string;
  readonly what: string;
  readonly where: string;
  readonly tests: readonly string[];
}

const rows: readonly Row[] = markdownLines(page)
  .filter(({ kind }) => kind === 'row')
  .map(({ section, cells: [what = '', where = '', tests = ''] }) => {
    const named = [...tests.matchAll(/`(tests\/[^`]*)`/g)].map(([, one = '']) => one);
    return { section, what: what.replaceAll('`', ''), where, tests: named };
  });

/** A row is about an item when it begins with its key, whole. */
function isAbout({ section, what }: Row, item: { readonly section: string; readonly key: string }): boolean {
  if (section !== item.section || !what.startsWith(item.key)) return false;
  return item.key.endsWith('.') || !/^[\w./-]/.test(what.slice(item.key.length));
}

describe('docs/coverage.md', () => {
  test('the interface document is read: every kind of thing it has is found', () => {
    expect(items.length).toBeGreaterThan(270);
    for (const [section, key] of [
      ['Other operations named in the interface', 'DELETE /v1/sandbox/card-accounts/{id}/transactions'],
      ['Request headers of the periodic initiation operation', 'PSU-Accept-Charset'],
      ['Redirect query parameters', 'psu-corporate-id (optional)'],
      ['Periodic payment initiation request body (NDCT)', 'dayOfExecution'],
      ['Payment status codes', 'PATC'],
      ['Transitions', 'RCVD -> PATC: start authorisation, first PSU signs'],
      ['Error codes and HTTP statuses', 'NO_PIIS_ACTIVATION'],
      ['Error codes and HTTP statuses', 'QUERY_PARAMETER_REQUIRED'],
      ['Limits', 'SCA session: TPP-Session-ID'],
      ['Versioning', 'cash-account-type-iso'],
      ['PSU identification and SCA', '13.'],
      ['Other resources', 'batchNumberOfTransactions'],
      ['Transport', 'Transport'],
    ]) {
      expect(items).toContainEqual({ section, key });
    }
  });

  test('has a row for everything in the interface document', () => {
    expect(items.filter((item) => !rows.some((row) => isAbout(row, item)))).toEqual([]);
  });

  test('each row is missed when it is deleted', () => {
    const without = (deleted: Row): readonly Row[] => rows.filter((row) => row !== deleted);
    const unmissed = rows.filter((row) => items.every((item) => without(row).some((other) => isAbout(other, item))));
    expect(unmissed).toEqual([]);
  });

  test('has no row for what is not there', () => {
    expect(rows.filter((row) => !items.some((item) => isAbout(row, item)))).toEqual([]);
  });

  test('names a test in every row', () => {
    expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  test('every test that it names exists', () => {
    const missing = [...new Set(rows.flatMap(({ tests }) => tests))].filter((named) => !exists(named));
    expect(missing).toEqual([]);
  });

  test('every file and rule that it names exists, and every row names one', () => {
    expect(rows.filter(({ where }) => where === '')).toEqual([]);
    for (const { where } of rows) {
      for (const [, file = ''] of where.matchAll(/`([^`]+)`/g)) expect([file, existsSync(file)]).toEqual([file, true]);
      for (const [, rule = ''] of where.matchAll(/rules\.md (\w+)/g))
        expect(rules).toMatch(new RegExp(`\\*\\*${rule}\\b`));
    }
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

describe('a test that is named', () => {
  const source = `
    describe('a rule', () => {
      test('holds at night', () => {});
      test.each([['by day', 1]])('holds %s, at %i', () => {});
      test.each(table)('$what', () => {});
    });
    const table = [{ what: 'holds when it rains' }];`;

  test('its titles are read', () => {
    expect(testTitles(source)).toEqual(['a rule', 'holds at night', 'holds %s, at %i', '$what']);
  });

  test.each(['holds at night', 'at night', 'holds by day', 'holds when it rains'])('%j is there', (words) => {
    expect(namesATest(source, words)).toBe(true);
  });

  test.each(['holds at noon', 'holds when it snows', 'breaks by day'])('%j is not', (words) => {
    expect(namesATest(source, words)).toBe(false);
  });
});

function exists(named: string): boolean {
  const [file = '', ...words] = named.split(': ');
  return existsSync(file) && namesATest(readFileSync(file, 'utf8'), words.join(': '));
}

/** The names of the tests and describes in the text of a test file, with the gaps that their tables fill. */
function testTitles(source: string): readonly string[] {
  return [...source.matchAll(title)].map(([, , words = '']) => words.replace(/\\(['"`])/g, '$1'));
}

/**
 * Whether a test of the file has these words in its name. Words that are not in a title itself are looked for in one with
 * gaps: what is left without the title's own words has to be a text of the file, the case that fills the gap.
 */
function namesATest(source: string, words: string): boolean {
  return testTitles(source).some((one) => one.includes(words) || (gap.test(one) && fillsGaps(source, one, words)));
}

function fillsGaps(source: string, words: string, wanted: string): boolean {
  const own = words.split(gap).map(bare);
  const rest = own.reduce((left, part) => (part === '' ? left : left.replace(part, '\n')), wanted);
  const cases = rest.split('\n').map(bare);
  return cases.some((part) => part !== '') && cases.every((part) => part === '' || isText(source, part));
}

/** Without blanks and marks at its ends. */
function bare(text: string): string {
  return text.replace(/^[\s:;,.]+|[\s:;,.]+$/g, '');
}

/** A quoted text of the file that begins with the words. */
function isText(source: string, words: string): boolean {
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${words}`));
}
