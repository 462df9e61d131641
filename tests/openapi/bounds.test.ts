import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { contractOf } from '../../api/openapi/contract.ts';
import { noQuirks } from '../../engine/bank/rules/quirk.ts';
import { describedBy } from '../../api/openapi/described-by.ts';
import type { Operation } from '../../api/openapi/document.ts';
import { isObject, type JsonObject } from '../../api/quirks/json.ts';
import { markdownLines } from '../support/markdown.ts';

/* rules.md E10: every bound of the tables of interface.md is in the document. The test reads the tables. */

const lines = [...markdownLines(readFileSync('docs/spec/interface.md', 'utf8'))];
const { operations } = describedBy(await contractOf(noQuirks, null));
const periodic = operations.find(({ path }) => path.startsWith('/periodic-payments/norwegian')) as Operation;
const request = schemaOf(periodic.body);
const answer = schemaOf(periodic.answers[201]?.content ?? null);
const links = Object.values(at(answer, '_links')['properties'] as Readonly<Record<string, JsonObject>>);

/** Where the fields of a table are. */
const tables: Readonly<Record<string, readonly JsonObject[]>> = {
  'Periodic payment initiation request body (NDCT)': [request],
  'Account reference': [at(request, 'creditorAccount'), at(request, 'debtorAccount')],
  'Address (creditorAddress)': [at(request, 'creditorAddress')],
  'Periodic payment initiation response (HTTP 201)': [answer],
  'TPP message': [at(answer, 'tppMessages.[]')],
  Link: links,
};

function schemaOf(content: Operation['body']): JsonObject {
  const [{ schema } = { schema: {} }] = [content ?? []].flat() as readonly { readonly schema: object }[];
  return schema as JsonObject;
}

/** The schema of a member: `instructedAmount.amount`, `tppMessages.[]`. */
function at(schema: JsonObject, path: string): JsonObject {
  return path.split('.').reduce<JsonObject>((found, name) => {
    const next = name === '[]' ? found['items'] : (found['properties'] as JsonObject)[name];
    if (!isObject(next)) throw new Error(`the document has no ${path}`);
    return next;
  }, schema);
}

/** Codes of a list of the document, written below its heading. */
function listed(section: string): readonly string[] {
  const points = lines.filter((line) => line.section.startsWith(section) && line.kind === 'point');
  return points.flatMap(({ text }) => text.replace(/^- /, '').split(' ')).toSorted();
}

/** Names whose list is extended: faults beyond the interface's list (rules.md E1). */
const extended: readonly string[] = ['code'];

/** Holds what a row says of a field against its schema. Returns how many bounds it has. */
function expectBounds(name: string, schema: JsonObject, type: string, constraints: string): number {
  const found: [keyword: string, wanted: unknown, is: unknown][] = [];
  const inner = isObject(schema['items']) ? schema['items'] : schema;
  const [kind] = /^(string|boolean|integer|object)/.exec(type) ?? [];
  if (kind !== undefined) found.push(['type', kind, inner['type']]);
  if (/\[\]|^array/.test(type)) found.push(['type', 'array', schema['type']]);
  if (type === 'date') found.push(['format', 'date', schema['format']]);
  const [, length] = /max (\d+) characters/.exec(constraints) ?? [];
  // A code of two letters has a list.
  if (length !== undefined && name === 'iban') return expectIban(schema, Number(length));
  if (length !== undefined && name !== 'country') found.push(['maxLength', Number(length), schema['maxLength']]);
  if (constraints.includes('non-empty')) found.push(['minLength', 1, schema['minLength']]);
  const [, least, most] = />= (\d+) and <= (\d+)/.exec(constraints) ?? [];
  if (most !== undefined) found.push(['bounds', [Number(least), Number(most)], [inner['minimum'], inner['maximum']]]);
  const [, pattern] = /pattern `([^`]+)`/.exec(constraints) ?? [];
  if (pattern !== undefined) found.push(['pattern', pattern, schema['pattern']]);
  const words = wordsIn(constraints);
  if (words.length > 0) {
    const own = (inner['enum'] as readonly string[]).toSorted();
    found.push(['enum', words, extended.includes(name) ? own.filter((word) => words.includes(word)) : own]);
  }
  if (/ISO 4217 (?:alphabetic )?code/.test(constraints) && !constraints.includes('ISO 4217, required'))
    found.push(['enum', listed('Currency codes'), [...(schema['enum'] as readonly string[])].toSorted()]);
  if (name === 'country') found.push(['enum', listed('Country codes'), (schema['enum'] as string[]).toSorted()]);
  for (const [keyword, wanted, is] of found) expect({ name, keyword, is }).toEqual({ name, keyword, is: wanted });
  return found.length;
}

/** P5d: the bound of an IBAN is that without its blanks, of which there may be one after each four characters. */
function expectIban({ maxLength, pattern }: JsonObject, length: number): number {
  const takes = (text: string): boolean =>
    Array.from(text).length <= Number(maxLength) && new RegExp(String(pattern), 'u').test(text);
  const ofLength = (count: number): string => `NO93${'7'.repeat(count - 4)}`;
  const grouped = ofLength(length).replaceAll(/(.{4})(?=.)/g, '$1 ');
  expect([ofLength(length), grouped, 'n o 9 3 8601 1117 947'].map(takes)).toEqual([true, true, true]);
  expect([ofLength(length + 1), `${grouped} `, grouped.replace(' ', '  '), ofLength(14)].map(takes)).toEqual([
    ...[false, false, false, false],
  ]);
  return 1;
}

/** The words that a field may have. */
function wordsIn(constraints: string): readonly string[] {
  const [, list = ''] = /(?:one of|items from) ([A-Za-z_, ]+?)(?: \(|$)/.exec(constraints) ?? [];
  const [, one, other] = /^`?(\w+)`? or `?(\w+)`?/.exec(constraints) ?? [];
  return (other === undefined ? list.split(', ').filter(Boolean) : [String(one), other]).toSorted();
}

test('E10: each bound of a field of a body is in the document', () => {
  let bounds = 0;
  for (const [section, places] of Object.entries(tables)) {
    const rows = lines.filter((line) => line.kind === 'row' && line.section === section);
    expect({ section, rows: rows.length }).toEqual({ section, rows: expect.any(Number) });
    expect(rows.length).toBeGreaterThan(1);
    for (const { cells } of rows)
      for (const place of places) {
        const [name = '', type = '', required = '', constraints = ''] = cells;
        const [last = '', ...above] = name.split('.').toReversed();
        const parent = above.length === 0 ? place : at(place, above.toReversed().join('.'));
        const isRequired = ((parent['required'] as readonly string[] | undefined) ?? []).includes(last);
        if (required.startsWith('yes')) expect({ name, isRequired }).toEqual({ name, isRequired: true });
        bounds += expectBounds(last, at(place, name), type, constraints);
      }
  }
  expect(bounds).toBeGreaterThan(60);
});

test('E10: each required header of the periodic initiation is demanded, but for the PSU, who may be named otherwise', () => {
  const rows = lines.filter((line) => line.kind === 'row' && line.section.startsWith('Request headers'));
  const demanded = rows.filter(({ cells }) => cells[1]?.startsWith('yes')).map(({ cells }) => cells[0]);
  const headers = periodic.parameters.filter((parameter) => parameter.in === 'header');
  const optional = headers.filter(({ required }) => !required).map(({ name }) => name);
  expect(demanded).toHaveLength(9);
  // PSU-ID or X-PSU-IDENTITY: rules.md A6, in x-rules.
  expect(demanded.filter((name) => optional.includes(name ?? ''))).toEqual(['PSU-ID']);
  expect(periodic.rules).toContain('A6');
  for (const { cells } of rows.filter((row) => /one of|or/.test(row.cells[2] ?? '')))
    for (const name of (cells[0] ?? '').split(', ')) {
      const words = wordsIn((cells[2] ?? '').replace(/;.*/, ''));
      const { schema } = headers.find((header) => header.name === name) ?? { schema: {} };
      if (words.length > 0)
        expect({ name, words: [...((schema as JsonObject)['enum'] as string[])].toSorted() }).toEqual({ name, words });
    }
});
