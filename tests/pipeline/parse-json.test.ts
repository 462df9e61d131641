import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonParsing, parseJson } from '../../api/pipeline/read-body.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { atOnce } from '../../engine/values/steps.ts';
import { faultsOf } from './faults-of.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('a JSON body', () => {
  test.each([['["a"'], ['{"a": [1'], ['[   ']])(
    'H Shares: %s and 100,000 characters of the same list are read in steps of a few thousand',
    (begin) => {
      const more = begin.endsWith(' ') ? ' ' : ', "b"';
      const end = begin.startsWith('{') ? ']}' : ']';
      const text = begin + more.repeat(100_000 / more.length) + end;
      const steps = [...jsonParsing(bytes(text))];
      expect(steps.length).toBeGreaterThan(text.length / 5_000);
    },
  );

  test.each([
    ['{"a": 1}', { a: 1 }],
    [' [1, "{[\\"", {}] ', [1, '{["', {}]],
    ['"text"', 'text'],
    ['\ufeff{}', {}],
    ['[{"a": 1}, {"a": 2}]', [{ a: 1 }, { a: 2 }]],
    ['{"a": {"a": "a"}, "b": ["a", "a"]}', { a: { a: 'a' }, b: ['a', 'a'] }],
    ['{"a": "__proto__"}', { a: '__proto__' }],
  ])('%s is read', (text, value) => {
    expect(parseJson(bytes(text))).toEqual(value);
  });

  test.each([
    ['', 'empty'],
    ['{', 'not JSON'],
    ['{"a": 1,}', 'position 8'],
    ["{'a': 1}", 'not JSON'],
    ['"abc', 'not JSON'],
    ['{"a\\', 'not JSON'],
    ['NaN', 'not JSON'],
    ['{} {}', 'not JSON'],
    ['<a/>', 'not JSON'],
    ['{"a": 1, "a": 2}', '"a" is there twice'],
    ['{"a": 1, "\\u0061" : 2}', '"a" is there twice'],
    ['{"b": [{"a": 1, "c": [], "a": 2}]}', '"a" is there twice'],
    ['{"__proto__": {"admin": true}}', '__proto__'],
    ['{"a": {"\\u005f_proto__": null}}', '__proto__'],
  ])('%j is refused: %s', (text, reason) => {
    expect(faultsOf(() => parseJson(bytes(text)))).toEqual([
      { code: 'FORMAT_ERROR', text: expect.stringContaining(reason) },
    ]);
  });

  test.each([[[0xff, 0xfe]], [[0x22, 0xc3, 0x22]], [[0x22, 0xed, 0xa0, 0x80, 0x22]]])(
    'bytes %j are not UTF-8',
    (body) => {
      expect(faultsOf(() => parseJson(Uint8Array.from(body)))[0]?.text).toContain('not UTF-8');
    },
  );

  test('64 levels are read, 65 refused, and 100,000 too; brackets in strings are no levels', () => {
    expect(faultsOf(() => parseJson(bytes(nested(64))))).toEqual([]);
    for (const levels of [65, 100_000]) {
      expect(faultsOf(() => parseJson(bytes(nested(levels))))[0]?.text).toContain('64 levels');
    }
    expect(parseJson(bytes(JSON.stringify(nested(1000))))).toBe(nested(1000));
  });

  test('whatever JSON writes is read as JSON reads it', () => {
    const value = fc.jsonValue({ maxDepth: 5 }).filter((json) => !JSON.stringify(json).includes('__proto__'));
    fc.assert(
      fc.property(value, fc.nat(4), (json, indent) => {
        const text = JSON.stringify(json, null, indent);
        expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('H Shares: a text is read in pieces as it is read at once, whole or with a wrong character', () => {
    const outcome = (text: string, pieceLength: number): string => {
      try {
        return JSON.stringify(atOnce(jsonParsing(bytes(text), pieceLength)));
      } catch (error) {
        if (error instanceof Refusal) return 'refused';
        throw error;
      }
    };
    const value = fc.jsonValue({ maxDepth: 6, noUnicodeString: false });
    const wrong = fc.constantFrom(
      '',
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      ',,',
      ' ',
      '0',
      '-',
      '\\',
      'null',
      '[]',
      '{"1":2}',
    );
    fc.assert(
      fc.property(value, fc.nat(2), fc.nat(), wrong, fc.nat(2), (json, indent, place, other, length) => {
        const text = JSON.stringify(json, null, indent);
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + other + text.slice(at + length);
        for (const each of [text, changed])
          for (const pieceLength of [1, 4, 20])
            expect([pieceLength, each, outcome(each, pieceLength)]).toEqual([pieceLength, each, outcome(each, 1e9)]);
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['{"payments":[', '{}', ']}'],
    ['[', '1', ']'],
    ['{"a":{"b":[[', '{"a":1}', ']]}}'],
    ['', '[[[]]]', ''],
  ])('H Shares: no step parses more than a share of %s%s...%s', (begin, item, end) => {
    const text = begin + Array.from({ length: 100_000 }, () => item).join(',') + end;
    const lengths: number[] = [];
    const { parse } = JSON;
    JSON.parse = (piece: string) => {
      lengths.push(piece.length);
      return parse(piece) as unknown;
    };
    try {
      faultsOf(() => parseJson(bytes(text)));
    } finally {
      JSON.parse = parse;
    }
    expect(lengths.length).toBeGreaterThan(2);
    expect(Math.max(...lengths)).toBeLessThan(140_000);
  });

  test('H Shares: lists that end together are parsed in a step each', () => {
    const levels = 60;
    const text = '[1, 2, 3, 4, '.repeat(levels) + '5' + ']'.repeat(levels);
    expect([...jsonParsing(bytes(text), 10)].length).toBeGreaterThan(levels);
  });

  test.each([
    [`[1, 2, 3, 4, 5, 6, 7, 8,${' '.repeat(20)}]`, /between its characters 24 and 44: a value is missing/],
    ['[1, 2, 3, 4, 5, 6}', /between its characters 12 and 17: Unexpected token '}'/],
    ['{"a": 1, "b": [1, 2, 3, 4, x], "c": 3}', /between its characters 26 and 28: Unexpected token 'x'/],
    ['{"a": 1, "b": [1, 2, 3, 4], "c": 3', /: it ends within a list or an object/],
    ['[1, 2, 3, 4, 5], 6', /: it has more than one value/],
    [' '.repeat(20), /: it has no value/],
  ])('%s, read in pieces of 10 characters, is refused with the reason', (text, reason) => {
    expect(faultsOf(() => atOnce(jsonParsing(bytes(text), 10)))[0]?.text).toMatch(reason);
  });

  test('E4: no bytes make anything but a value or a refusal', () => {
    const jsonLike = fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' ') });
    fc.assert(
      fc.property(fc.oneof(jsonLike.map(bytes), fc.uint8Array()), (body) => void faultsOf(() => parseJson(body))),
    );
  });
});
