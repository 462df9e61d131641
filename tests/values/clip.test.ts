import { expect, test } from '@jest/globals';
import { clip, oneLine, quote } from '../../engine/values/text.ts';

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['', 3, ''],
  ['a😀b', 3, 'a…'],
  ['😀😀', 4, '😀😀'],
  ['a\ud83d', 9, 'a\ufffd'],
])('%j in %d units is %j', (text, limit, clipped) => {
  expect(clip(text, limit)).toBe(clipped);
});

test('without a limit it is 80 units', () => {
  expect(clip('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`);
});

test('a quoted text and a line hold nothing that ends a line or steers a terminal', () => {
  const evil = 'a"\\\n\r\t\u0085\u009b\u2028\u2029\u202e\u200b\u001b[31m\u007f';
  for (const shown of [quote(evil), oneLine(evil)]) expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(quote('a"b', 9)).toBe('"a\\"b"');
  expect(oneLine('\u0085x')).toBe('\\u{85}x');
});
