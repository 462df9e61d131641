import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseSignatureHeader } from '../../api/signing/signature/signature-header.ts';
import { Refusal } from '../../engine/values/fault.ts';
import cases from '../data/http-signature/parse.json' with { type: 'json' };
import { faultOf } from './signed-call.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/sample.ts';

const plain = 'keyId="SN=1,CA=CN=Z",algorithm="rsa-sha256",headers="date digest",signature="QUJD"';

describe('published Signature headers', () => {
  test.each(cases)('G3: $header', ({ header, valid, params }) => {
    if (valid === true) expect(parseSignatureHeader(header)).toMatchObject(params ?? {});
    else expect(() => parseSignatureHeader(header)).toThrow(Refusal);
  });

  test('our one difference: a part given twice is refused, where the draft takes the last', () => {
    expect(cases.filter(({ valid }) => typeof valid === 'string').map(({ source }) => source)).toEqual([
      'w3c-ccg duplicate-parameters.httpMessage',
    ]);
  });
});

describe('how public clients write it', () => {
  test.each([
    ['blanks after commas', plain.replaceAll('",', '", ')],
    ['blanks before commas', plain.replaceAll('",', '" ,')],
    ['mixed-case header names', plain.replace('date digest', 'Date  DIGEST')],
    ['mixed-case algorithm', plain.replace('rsa-sha256', 'RSA-SHA256')],
    [
      'other order',
      plain
        .split(/,(?=[a-z])/)
        .reverse()
        .join(','),
    ],
    ['wrapped in UTF-8 base64', `=?utf-8?B?${Buffer.from(plain).toString('base64')}?=`],
    ['wrapped in ISO-8859-1 Q', `=?ISO-8859-1?q?${plain.replaceAll('=', '=3D').replaceAll(' ', '_')}?=`],
  ])('G3: %s', (_dialect, header) => {
    expect(parseSignatureHeader(header)).toMatchObject({
      keyId: 'SN=1,CA=CN=Z',
      algorithm: 'rsa-sha256',
      headers: ['date', 'digest'],
      written: expect.objectContaining({ headerNames: expect.any(Array) }),
      signature: 'QUJD',
    });
  });

  test.each([
    ['an escaped comma', String.raw`SN=1,CA=O=Test\, AS,C=NO`],
    ['an escaped quote', String.raw`SN=1,CA=O=A \"B\",C=NO`],
    ['bare quotes', 'SN=1,CA=CN=Z, O="Test, AS", C=NO'],
    ['bare quotes at the end', 'SN=1,CA=C=NO, O="Test, AS"'],
    ['two bare quoted names', 'SN=1,CA=O="a, b", OU="c, d", C=NO'],
    ['a bare quoted name like a part of a later draft', 'SN=1,CA=O="Test, tag=5",C=NO'],
  ])('G3: %s in the issuer is kept as written', (_dialect, keyId) => {
    expect(parseSignatureHeader(plain.replace('SN=1,CA=CN=Z', keyId)).keyId).toBe(keyId);
  });
});

describe('what cannot be read', () => {
  test.each([
    ['an unclosed quote', plain.slice(0, -1), 'no closing quote'],
    ['a comma at the end', `${plain},`, 'a comma and a further part, or the end'],
    ['no comma', plain.replace('",headers', '" headers'), 'a comma and a further part'],
    ['no comma after the keyId', plain.replace('",alg', '" alg'), 'algorithm is missing'],
    ['a part twice', `${plain},headers="date"`, 'headers is given twice'],
    ['a part twice in other case', `${plain},KEYID="x"`, 'KEYID is given twice'],
    ['an unknown part', `${plain},created="1"`, 'the part created of a later draft'],
    [
      'one without quotes behind the keyId',
      plain.replace('",alg', '",created=1,alg'),
      'the part created of a later draft',
    ],
    ['no keyId', plain.replace(/^[^,]*,[^,]*,/, ''), 'keyId is missing'],
    ['no algorithm', plain.replace('algorithm="rsa-sha256",', ''), 'algorithm is missing'],
    ['no headers', plain.replace('headers="date digest",', ''), 'headers is missing'],
    ['blank headers', plain.replace('date digest', ' '), 'names no header'],
    ['no signature', plain.replace(',signature="QUJD"', ''), 'signature is missing'],
    ['another algorithm', plain.replace('rsa-sha256', 'SHA256withRSA'), 'only rsa-sha256'],
    ['an unreadable encoded word', '=?iso-8859-2?B?YQ==?=', 'charset is iso-8859-2'],
  ])('G2: %s is named', async (_fault, header, text) => {
    const fault = await faultOf(() => parseSignatureHeader(header));
    expect(fault).toMatchObject({ code: 'SIGNATURE_INVALID', path: 'signature' });
    expect(fault.text).toMatch(new RegExp(text));
    expect(fault.text.length).toBeLessThanOrEqual(512);
  });

  test('G2: any text is read or refused, never anything else', () => {
    const fragments = fc.constantFrom(
      'keyId="',
      '"',
      ',',
      ' ',
      'headers="',
      '\\',
      '=?utf-8?B?',
      '?=',
      'O="',
      'signature="',
      'é',
    );
    const texts = fc.oneof(
      anyText(),
      fc.array(fragments).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          parseSignatureHeader(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

test('G3: a Signature header has 12,288 characters at most', () => {
  const longest = plain.replace('QUJD', 'A'.repeat(12_288 - plain.length + 4));
  expect(parseSignatureHeader(longest)).toMatchObject({ headers: ['date', 'digest'] });
  expect(() => parseSignatureHeader(` ${longest}`)).toThrow(/12289 characters long, at most 12288/);
});
