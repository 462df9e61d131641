import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { codePointName, firstBadCharacter } from '../../engine/values/text.ts';
import { anyText } from '../support/any-text.ts';

describe('P8: what clearing carries', () => {
  test.each(['', 'Kari Nordmann', 'Ærlig Øst Ås', 'Müller & Söhne (1/2)', 'ÿ¡', '~!"#$%', 'Čech'.slice(1), '½ §'])(
    '%j',
    (text) => {
      expect(firstBadCharacter(text)).toBeNull();
    },
  );

  test.each([
    ['Hei 😀', 4, 'U+1F600'],
    ['😀😀', 0, 'U+1F600'],
    ['å😀\u0000', 1, 'U+1F600'],
    ['a\u030a', 1, 'U+030A'],
    ['Čech', 0, 'U+010C'],
    ['line\nbreak', 4, 'U+000A'],
    ['tab\t', 3, 'U+0009'],
    ['\u007f', 0, 'U+007F'],
    ['\u0085', 0, 'U+0085'],
    ['a\u00a0b', 1, 'U+00A0'],
    ['a\u00adb', 1, 'U+00AD'],
    ['\ud83d', 0, 'U+D83D'],
    ['ok \ude00', 3, 'U+DE00'],
    ['€', 0, 'U+20AC'],
    ['\u202e', 0, 'U+202E'],
  ])('but not %j, from character %i', (text, index, name) => {
    const bad = firstBadCharacter(text);
    expect(bad).toMatchObject({ index });
    expect(codePointName(bad?.character ?? '')).toBe(name);
  });

  test('exactly the printable half of ISO 8859-1: every other code point is bad', () => {
    const carried = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter(
      (codePoint) => firstBadCharacter(String.fromCodePoint(codePoint)) === null,
    );
    const bytes = Buffer.from(carried.map((codePoint) => String.fromCodePoint(codePoint)).join(''), 'latin1');
    expect(carried).toHaveLength(95 + 94);
    expect([...bytes]).toEqual(carried);
    expect(carried.filter((codePoint) => /[\p{C}\p{Zl}\p{Zp}]/u.test(String.fromCodePoint(codePoint)))).toEqual([]);
  });

  test('the index counts characters, not UTF-16 units', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const bad = firstBadCharacter(text);
        if (bad !== null) expect(Array.from(text)[bad.index]).toBe(bad.character);
      }),
    );
  });
});
