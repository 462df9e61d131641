import { describe, expect, test } from '@jest/globals';
import { checkDigest } from '../../api/signing/signature/check-signature-and-digest.ts';
import { digestOf } from '../../api/signing/signature/signed-text.ts';
import { receivedHeaders } from '../../api/signing/signature/signing-string.ts';
import cases from '../data/http-signature/digest.json' with { type: 'json' };
import { faultOf } from './signed-call.ts';

const text = Buffer.from('hello');
const sha256 = digestOf(text, 'sha-256');
const sha512 = digestOf(text, 'sha-512');
const check = (body: Uint8Array, ...digests: string[]) => {
  checkDigest(receivedHeaders(digests.flatMap((digest) => ['Digest', digest])), body);
};

describe('interface, TPP authentication 9: published digests', () => {
  // G4 takes SHA-256 and SHA-512 only.
  const differs = (header: string) => header.startsWith('SHA-1=');

  test.each(cases)('G4: $header ($source)', async ({ body, header, valid }) => {
    const judged = () => check(Buffer.from(body), header);
    if (valid && !differs(header)) expect(judged).not.toThrow();
    else expect(await faultOf(judged)).toMatchObject({ code: 'FORMAT_ERROR', path: 'digest' });
  });

  test('our one difference: SHA-1 is refused', () => {
    expect(cases.filter(({ header }) => differs(header))).toHaveLength(1);
  });
});

describe('Digest', () => {
  test.each([
    ['none without a body', Buffer.alloc(0), []],
    ['algorithm in lower case', text, [sha256.replace('SHA', 'sha')]],
    ['two algorithms', text, [`${sha256}, ${sha512}`]],
    ['an unknown algorithm beside a known one', text, [`MD5=XUFAKrxLKna5cZ2REBfFkg==,${sha512}`]],
  ])('G4: accepted: %s', (_case, body, digests) => {
    expect(() => check(body, ...digests)).not.toThrow();
  });

  test.each([
    ['a body without one', text, [], 'HTTP_HEADER_REQUIRED', sha256],
    ['an empty one', text, [''], 'FORMAT_ERROR', 'not of the form'],
    ['one of another body', text, [digestOf(Buffer.from('hell'), 'sha-256')], 'FORMAT_ERROR', sha256],
    ['a wrong one on an empty body', Buffer.alloc(0), [sha256], 'FORMAT_ERROR', 'does not match the 0 bytes'],
    [
      'a wrong one beside a right one',
      text,
      [`${sha256},${digestOf(Buffer.from('x'), 'sha-512')}`],
      'FORMAT_ERROR',
      sha512,
    ],
    [
      'hexadecimal',
      text,
      [`SHA-256=${Buffer.from(sha256.slice(8), 'base64').toString('hex')}`],
      'FORMAT_ERROR',
      '32 bytes',
    ],
    ['no padding', text, [sha256.replace(/=$/, '')], 'FORMAT_ERROR', 'padded base64'],
    ['two headers', text, [sha256, sha256], 'FORMAT_ERROR', 'sent 2 times'],
    ['an unknown algorithm alone', text, ['MD5=XUFAKrxLKna5cZ2REBfFkg=='], 'FORMAT_ERROR', 'neither SHA-256 nor'],
  ])('G4: refused: %s', async (_case, body, digests, code, shown) => {
    const fault = await faultOf(() => check(body, ...digests));
    expect(fault).toMatchObject({ code, path: 'digest' });
    expect(fault.text).toContain(shown);
  });
});
