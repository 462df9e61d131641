import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeEncodedWords } from '../../api/signing/name/encoded-text.ts';
import cases from '../data/http-signature/rfc2047.json' with { type: 'json' };

const notSupported = /iso-8859-2/i;
const why = 'the interface speaks of ISO-8859-1 and UTF-8 only, so a text with another charset stays as it is';

describe('interface, TPP authentication 8: RFC 2047 encoded words', () => {
  test.each(cases)('G3: $encoded is read as other tools read it, or left alone', ({ encoded, decoded }) => {
    expect(decodeEncodedWords(encoded)).toBe(notSupported.test(encoded) ? encoded : decoded);
  });

  test(`our one difference to those tools: ${why}`, () => {
    expect(cases.filter(({ encoded }) => notSupported.test(encoded))).toHaveLength(3);
  });

  test.each([
    ['base64 without padding', '=?utf-8?B?YWI?='],
    ['bytes that are not UTF-8', '=?utf-8?B?/w==?='],
    ['a byte above 127 in us-ascii', '=?us-ascii?Q?=E5?='],
    ['a broken Q escape', '=?utf-8?Q?=C3=?='],
    ['an unknown encoding', '=?utf-8?X?YWI=?='],
  ])('G3: %s leaves the text unchanged', (_fault, text) => {
    expect(decodeEncodedWords(text)).toBe(text);
  });

  test('G3: any text wrapped in UTF-8 base64 comes back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const wrapped = `=?UTF-8?b?${Buffer.from(text).toString('base64')}?=`;
        expect(decodeEncodedWords(wrapped)).toBe(text);
      }),
    );
  });
});
