import { constants, createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { differenceOf } from '../../api/signing/doctor/mismatch.ts';
import { diagnose, type Question } from '../../api/signing/doctor/diagnose.ts';
import { readSignatureBlock } from '../../api/signing/doctor/signature-block.ts';
import { createSignatureCheck } from '../../api/signing/signature-check.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';
import { signedAt, testCertificate } from '../lab/certificates.ts';
import { isWhole } from '../support/sample.ts';
import { call, headerOf, signedHeaders, withHeader } from './signed-call.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const text = Buffer.from('date: Tue, 30 Mar 2027 08:00:00 GMT');

describe('what the signature value alone tells', () => {
  const read = (value: Uint8Array) => readSignatureBlock(value, publicKey);

  test.each(['sha256', 'sha1', 'sha512', 'sha384', 'sha224', 'md5'])('G12: the hash %s, and its value', (hash) => {
    const digest = createHash(hash).update(text).digest();
    expect(read(sign(hash, text, privateKey))).toEqual({ kind: 'hash', hash, digest });
  });

  const { RSA_PSS_SALTLEN_MAX_SIGN: most, RSA_PKCS1_PSS_PADDING: padding } = constants;
  const kindsOf = (count: number, value: (index: number) => Buffer): readonly string[] =>
    Array.from({ length: count }, (_, index) => read(value(index)).kind);

  // Salts are random, and 300 of them find what one in a hundred shows.
  test.each([
    ['sha256', 32],
    ['sha256', 20],
    ['sha256', most],
    ['sha384', 48],
    ['sha512', 64],
    ['sha512', most],
    ['sha1', 20],
  ])('G12: RSA-PSS with %s and a salt of %d bytes', (hash, saltLength) => {
    const told = kindsOf(isWhole ? 300 : 30, () => sign(hash, text, { key: privateKey, padding, saltLength }));
    expect(new Set(told)).toEqual(new Set(['pss']));
  });

  test('G12: signatures by another key are told as that; one in some thousands looks like PSS by chance', () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const told = kindsOf(300, (index) => sign('sha256', Buffer.from(`date: ${index}`), other));
    expect(told.filter((one) => one === 'another key').length).toBeGreaterThanOrEqual(297);
  });

  test('G12: any bytes are told as something', () => {
    for (const length of [0, 1, 32, 64, 71, 255, 256, 257, 512]) {
      expect(read(Buffer.alloc(length, 0xff)).kind).toMatch(/length|another key/);
      expect(read(Buffer.alloc(length)).kind).toMatch(/length|another key|no hash/);
    }
  });
});

const good = signedHeaders();
const request = call(good);
const names = ['date', 'digest', 'x-request-id', 'psu-id', 'tpp-redirect-uri'];
const line = (name: string): string => `${name}: ${headerOf(good, name)}`;
const right = names.map(line).join('\n');
const asked = (signed: string, changes: object = {}): Question => {
  const digest = createHash('sha256').update(signed).digest();
  return { kind: 'signature', hash: 'sha256', digest, request: { ...request, ...changes }, names };
};

/** What a client with a large body sends. */
const large = Buffer.from(
  JSON.stringify({ payments: Array.from({ length: 3_000 }, (_, id) => ({ id, text: 'Blåbær' })) }),
);

describe('the doctor', () => {
  test('G12b: what is found has the hash that was signed, character for character', () => {
    const signed = `${right.replaceAll('\n', '\r\n')}\r\n`;
    expect(diagnose(asked(signed))?.received).toBe(signed);
  });

  test.each([
    ['in capitals', (name: string) => name.toUpperCase()],
    ['with capitals, as in X-Request-Id', (name: string) => name.replace(/\b[a-z]/g, (one) => one.toUpperCase())],
  ])('G12b: a line break after each line, and the names %s: the first pair', (what, spelled) => {
    const signed = `${names.map((name) => line(name).replace(name, spelled(name))).join('\n')}\n`;
    expect(diagnose(asked(signed))).toEqual({
      sentence: `Your signing string ends with a line break and has the names ${what}. Put none after the last line. Write the names in lower case.`,
      received: signed,
    });
  });

  test('G12b: CRLF after each line: the second pair', () => {
    expect(diagnose(asked(`${right.replaceAll('\n', '\r\n')}\r\n`))?.sentence).toBe(
      'Your signing string ends with a CRLF and has CRLF line breaks. Put none after the last line. Join the lines with \\n alone.',
    );
  });

  test('G12b: two other mistakes at once are told as another text', () => {
    expect(diagnose(asked(`${right.replaceAll(': ', ':')}\n`))).toBeNull();
    expect(diagnose(asked(`${right.toLowerCase()}\n`))).toBeNull();
  });

  test('G12b: the bank string itself is no mistake', () => {
    expect(diagnose(asked(right))).toEqual({ sentence: '', received: right });
  });

  test('G12b: any order of five headers', () => {
    const signed = ['psu-id', 'date', 'tpp-redirect-uri', 'digest', 'x-request-id'].map(line).join('\n');
    expect(diagnose(asked(signed))?.sentence).toContain(
      'has the order psu-id date tpp-redirect-uri digest x-request-id',
    );
  });

  test.each([
    ['hostile headers', { rawHeaders: Array.from({ length: 2_000 }, (_, at) => (at % 2 === 0 ? `x-${at}` : '%')) }],
    ['a body that is no JSON', { body: Buffer.from('{"a":') }],
    ['a body nested deep', { body: Buffer.from('['.repeat(100_000)) }],
    ['a body with a lone surrogate', { body: Buffer.from('{"a":"\\ud800"}') }],
    ['a target that does not decode', { target: '/v1/%' }],
    ['a target of 15,000 characters', { target: `/v1/${'a/'.repeat(7_500)}` }],
    ['a body of 8 MB', { body: Buffer.alloc(8 * 1024 * 1024, '[1]') }],
    ['a body of 100 KB', { body: large }],
  ])('G12b: %s: it finds nothing, throws nothing, and takes less than 50 ms of the processor', (_case, changes) => {
    expect(diagnose(asked('another text', changes))).toBeNull();
    expect(cpuTimeOf(() => diagnose(asked('another text', changes)))).toBeLessThan(50);
  });

  test('G12b: of more than 20 names it knows nothing', () => {
    const many = Array.from({ length: 21 }, (_, at) => `x-${at}`);
    const empty = many.map((name) => `${name}: `).join('\n');
    expect(diagnose({ ...asked(empty), names: many } as Question)).toBeNull();
    expect(
      diagnose({ ...asked(empty.split('\n').slice(1).join('\n')), names: many.slice(1) } as Question),
    ).not.toBeNull();
  });
});

test('the first difference of two signing strings', () => {
  expect(differenceOf('a: 1\nb: 2', 'a: 1\nb: 2')).toBeNull();
  expect(differenceOf('a: 1\nb: 2', 'a: 1\nb: 3')).toEqual({ line: 2, column: 4, expected: '2', received: '3' });
  expect(differenceOf('a: 1\nb: 2', 'a: 1\nb: 2\n')).toEqual({ line: 2, column: 5, expected: '', received: '\n' });
  expect(differenceOf('a: 1\nb: 2', 'a: 1\r\nb: 2')).toEqual({ line: 1, column: 5, expected: '\n', received: '\r\n' });
});

describe('the certain facts', () => {
  test('G12: another hash than SHA-256 is told, whatever was signed', async () => {
    const check = createSignatureCheck({ trust: 'any' });
    const value = sign('sha512', Buffer.from(right), createPrivateKey(testCertificate().keyPem)).toString('base64');
    const signature = headerOf(good, 'Signature').replace(/signature="[^"]*"/, `signature="${value}"`);
    const refused = check(call(withHeader(good, 'Signature', signature)), signedAt, null);
    await expect(refused).rejects.toThrow(
      'It is made with SHA-512, which only a Digest may have: algorithm="rsa-sha256" names the hash of the signature. Sign with SHA-256 (rsa-sha256).',
    );
    await expect(check(request, signedAt, null)).resolves.toBeDefined();
  });

  test('G12: the key of the certificate is the one that is asked', () => {
    const key = createPublicKey(testCertificate().keyPem);
    const value = Buffer.from(/signature="([^"]*)"/.exec(headerOf(good, 'Signature'))?.[1] ?? '', 'base64');
    const digest = createHash('sha256').update(right).digest();
    expect(readSignatureBlock(value, key)).toEqual({ kind: 'hash', hash: 'sha256', digest });
  });
});
