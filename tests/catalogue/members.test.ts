import { expect, test } from '@jest/globals';
import { onlyMembers, pickMember, shortJson } from '../../api/catalogue/step-values.ts';

const answer = { a: [{ b: 1, c: 2 }, { b: 3 }], d: { e: null }, f: [] };

test.each([
  ['a.0.c', 2],
  ['a.1', { b: 3 }],
  ['d.e', null],
  ['a.2', undefined],
  ['d.e.f', undefined],
  ['constructor', undefined],
])('the member at %s', (path, member) => {
  expect(pickMember(answer, path)).toEqual(member);
});

test('the members at some paths, and no others', () => {
  expect(onlyMembers(answer, ['a.1.b', 'd'])).toEqual({ a: [{ b: 3 }], d: { e: null } });
  expect(onlyMembers(answer, ['nothing', 'a.0.b.c'])).toEqual({ a: [{ b: 1 }] });
  expect(onlyMembers('text', ['a'])).toBe('text');
});

test('JSON in one line where it fits, else a line for each member', () => {
  expect(shortJson(answer)).toBe('{ "a": [{ "b": 1, "c": 2 }, { "b": 3 }], "d": { "e": null }, "f": [] }');
  expect(shortJson(answer, 30)).toBe(
    [
      '{',
      '  "a": [',
      '    { "b": 1, "c": 2 },',
      '    { "b": 3 }',
      '  ],',
      '  "d": { "e": null },',
      '  "f": []',
      '}',
    ].join('\n'),
  );
  expect([shortJson({}), shortJson([]), shortJson('x'), shortJson(null)]).toEqual(['{}', '[]', '"x"', 'null']);
  expect(JSON.parse(shortJson(answer, 1))).toEqual(answer);
});
