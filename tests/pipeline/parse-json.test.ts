import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../api/pipeline/read-body.ts';
import { faultsOf } from './faults-of.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('a JSON body', () => {
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

  test('E4: no bytes make anything but a value or a refusal', () => {
    const jsonLike = fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' ') });
    fc.assert(
      fc.property(fc.oneof(jsonLike.map(bytes), fc.uint8Array()), (body) => void faultsOf(() => parseJson(body))),
    );
  });
});
