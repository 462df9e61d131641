import { execFileSync } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { signRequest } from '../../api/client/index.ts';
import { hasOpenssl } from '../support/openssl.ts';
import { testBank } from '../support/test-bank.ts';
import { someOf } from '../support/sample.ts';
import { describeWith } from '../support/test-with.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { keptVectors, signerOf, type Vector, vectors } from './write-vectors.ts';

/* examples/signing/vectors.json, against OpenSSL, the client of the package, and a bank. */

const kept = keptVectors();
const all: readonly Vector[] = [...kept.accepted, ...kept.refused];

test('the file is what its script writes', () => {
  expect(kept).toEqual(vectors(kept.signers));
  expect([kept.accepted.length, kept.refused.length]).toEqual([10, 5]);
});

test('the page has a row for each accepted request, and starts a bank at their time', () => {
  const page = readFileSync('docs/signing/vectors.md', 'utf8');
  const rows = [...page.matchAll(/^\| (.*?) +\| /gm)].map(([, name]) => name);
  expect(rows.filter((name) => !name?.startsWith('--'))).toEqual([
    'entry of `accepted`',
    ...kept.accepted.map(({ name }) => name),
  ]);
  expect(page).toContain(`--clock-mode frozen --clock-now ${kept.clock} --follow-clock\n`);
});

describeWith(hasOpenssl, 'openssl')('OpenSSL', () => {
  const folder = tempFolder();
  const openssl = (input: string | Buffer, ...words: readonly string[]): Buffer =>
    execFileSync('openssl', words, { input, cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  const base64 = (bytes: Buffer): string => bytes.toString('base64');

  test.each(someOf('signed by OpenSSL', all, 4))('signs the same bytes with the same signature: $name', (vector) => {
    const { certificate, key } = signerOf(kept, vector);
    writeFileSync(join(folder, 'key.pem'), key);
    const made = base64(openssl(vector.bytes, 'dgst', '-sha256', '-sign', 'key.pem'));
    const { Signature = '', 'TPP-Signature-Certificate': sent } = vector.sent;
    const [, word] = /^=\?utf-8\?B\?(.*)\?=$/.exec(Signature) ?? [];
    const plain = word === undefined ? Signature : Buffer.from(word, 'base64').toString();
    expect(plain).toContain(`signature="${made}"`);
    const der = base64(openssl(certificate, 'x509', '-outform', 'DER'));
    expect(sent).toBe(vector.undocumented === true ? base64(Buffer.from(certificate)) : der);
    // The text names each header beside its value, as headers="..." lists them.
    const [, names = ''] = / ?headers="([^"]*)"/.exec(plain) ?? [];
    const lines = vector.bytes.trimEnd().split('\n');
    expect(lines.map((line) => line.split(': ')[0])).toEqual(names.split(' '));
  });

  test.each(someOf('hashed by OpenSSL', kept.accepted, 3))('hashes the same body: $name', ({ body, sent }) => {
    const hash = `SHA-256=${base64(openssl(body, 'dgst', '-sha256', '-binary'))}`;
    expect(sent['Digest']).toBe(body === '' ? undefined : hash);
  });

  test.each(Object.entries(kept.signers))('reads the same keyId: %s', (name, { certificate, keyId }) => {
    const words = ['x509', '-noout', '-serial', '-issuer', '-nameopt'];
    const form = name === 'word' ? 'RFC2253,-esc_msb,utf8' : 'RFC2253';
    const [serial = '', issuer = ''] = openssl(certificate, ...words, form)
      .toString()
      .trim()
      .split('\n');
    expect(keyId).toBe(`SN=${serial.replace(/^serial=0*/, '')},CA=${issuer.replace('issuer=', '')}`);
  });
});

// OpenSSL escapes letters outside ASCII; the client sends an encoded word.
const ofClient = kept.accepted.filter(({ signer, undocumented }) => signer !== 'letters' && undocumented !== true);

test.each(ofClient)('the client of the package makes the same headers: $name', (vector) => {
  const { method, target: url, headers, body, bytes } = vector;
  const signRequestTarget = bytes.startsWith('(request-target)');
  const date = new Date(headers['Date'] ?? '');
  expect(signRequest({ method, url, headers, body, date, signRequestTarget, ...signerOf(kept, vector) })).toEqual({
    ...headers,
    ...vector.sent,
  });
});

describe.each([
  ['a bank', []],
  ['a strict bank', ['--quirks', 'strict-signing']],
] as const)('%s', (_bank, flags) => {
  const bank = testBank(kept.clock, ['--follow-clock=1', ...flags]);

  /** Sends the headers as they are, blanks too. */
  function send({ method, target, headers, body, sent }: Vector): Promise<{ status: number; first: unknown }> {
    const { hostname, port } = new URL(bank.address);
    return new Promise((resolve, reject) => {
      const options = { hostname, port, method, path: target, headers: { ...headers, ...sent } };
      const request = httpRequest(options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          const { tppMessages = [] } = JSON.parse(text) as { tppMessages?: readonly unknown[] };
          resolve({ status: answer.statusCode ?? 0, first: tppMessages[0] });
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  test.each(kept.accepted)('accepts: $name', async (vector) => {
    const { status, first } = await send(vector);
    if (flags.length > 0 && vector.undocumented === true) {
      expect([status, first]).toEqual([401, expect.objectContaining({ code: 'CERTIFICATE_INVALID' })]);
    } else {
      expect([status, status < 300 ? null : first]).toEqual([vector.method === 'GET' ? 200 : 201, null]);
    }
  });

  test.each(kept.refused)('refuses: $name', async ({ refusal: { status, code, says }, ...vector }) => {
    const text = expect.stringContaining(says);
    expect(await send(vector)).toEqual({ status, first: expect.objectContaining({ code, text }) });
  });
});
