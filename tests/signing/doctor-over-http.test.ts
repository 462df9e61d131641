import { execFileSync } from 'node:child_process';
import { testBank } from '../support/test-bank.ts';
import { createPrivateKey, sign } from 'node:crypto';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cavage, createSigner, httpbis } from 'http-message-signatures';
import { testWith } from '../support/test-with.ts';
import { validCertificate } from '../lab/server.ts';
import { type Mistake, type Parts, rightParts, sendParts, tpp, useHost, type Verdict } from './hand-signed.ts';
import { publicKeys, wrongCertificates } from './wrong-certificates.ts';
import { wrongHeaders } from './wrong-headers.ts';
import { wrongForms, wrongSignatures } from './wrong-signatures.ts';
import { wrongStrings } from './wrong-strings.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeAll(async () => {
  useHost(bank.address);
});

const all: readonly Mistake[] = [
  ...wrongStrings,
  ...wrongSignatures,
  ...wrongForms,
  ...wrongCertificates,
  ...wrongHeaders,
];
const combined = [
  'CRLF, at the end too',
  'a newline and capitals',
  'SHA-512 and a newline',
  'no GMT and a one-digit day',
  'a PEM of a public key with percent escapes',
  'created and expires without quotes, as the later draft has them, and hs2019',
];
const texts = new Map<string, string>();

test('without a mistake the request is carried out', async () => {
  expect(await sendParts(bank.address, rightParts())).toEqual({ status: 201, code: '', text: '' });
});

describe('each mistake is named over HTTP, by a text of its own', () => {
  test.each(all)('%s', async (name, make, code, says) => {
    const parts = rightParts();
    make(parts);
    const verdict = await sendParts(bank.address, parts);
    expect(verdict.text.length).toBeLessThanOrEqual(512);
    texts.set(name, verdict.text);
    expect(verdict).toMatchObject({ code, text: expect.stringContaining(says) });
  });

  test('no text says what another mistake is told by', () => {
    expect(all.length).toBeGreaterThanOrEqual(40);
    // Two mistakes at once say both.
    const single = [...texts].filter(([name]) => !combined.includes(name));
    const confused = all.flatMap(([name, , , says]) =>
      single
        .filter(([other, text]) => other !== name && text.includes(says))
        .map(([other]) => `${other} says "${says}"`),
    );
    expect(confused).toEqual([]);
  });
});

test.each(publicKeys)('a public key in another form is told as one: %#', async (certificate) => {
  const verdict = await sendParts(bank.address, { ...rightParts(), certificate });
  expect(verdict).toMatchObject({
    code: 'CERTIFICATE_INVALID',
    text: expect.stringContaining('It is a public key, not'),
  });
});

describe('an issuer with letters outside ASCII', () => {
  const issued = validCertificate({ organization: 'Blåbær ASA' });
  const sending = (issuer: string): Promise<Verdict> => {
    const parts = rightParts();
    const key = createPrivateKey(issued.keyPem);
    parts.certificate = issued.certificateBase64;
    parts.value = (text) => sign('RSA-SHA256', Buffer.from(text), key).toString('base64');
    parts.keyId = `SN=${issued.serialHex},CA=${issuer}`;
    return sendParts(bank.address, parts);
  };

  test.each([
    ['question marks', issued.issuerDn.replaceAll(/[^ -~]/g, '?')],
    ['UTF-8 twice', Buffer.from(Buffer.from(issued.issuerDn).toString('latin1')).toString('latin1')],
  ])('%s in their place: the text names the wrap', async (_what, issuer) => {
    expect(await sending(issuer)).toMatchObject({
      code: 'SIGNATURE_INVALID',
      text: expect.stringContaining('outside ASCII were lost, wrap the Signature: =?utf-8?B?...?='),
    });
  });

  test('another name is told without it', async () => {
    const { text } = await sending(issued.issuerDn.replace(/Bl.*ASA/, 'Another CA'));
    expect(text).toContain('O is "Another CA" in the keyId');
    expect(text).not.toContain('wrap');
  });
});

describe('libraries of others', () => {
  const url = (): string => `${bank.address}${rightParts().target}`;
  const named = (parts: Parts, ...names: string[]): Record<string, string> =>
    Object.fromEntries(parts.headers.filter(([name]) => names.includes(name.toLowerCase())));
  const signedHeaders = ['date', 'digest', 'x-request-id', 'tpp-redirect-uri'];

  /** joyent's http-signature, npm. It signs a request of Node's and sets its header Authorization. */
  const joyent = createRequire(import.meta.url)('http-signature') as {
    sign(request: object, options: object): boolean;
  };

  function joyentSigned(parts: Parts, options: object = {}): string {
    const set = new Map(parts.headers.map(([name, value]) => [name.toLowerCase(), value]));
    const request = {
      method: parts.method,
      path: parts.target,
      getHeader: (name: string) => set.get(name.toLowerCase()),
      setHeader: (name: string, value: string) => void set.set(name.toLowerCase(), value),
    };
    joyent.sign(request, {
      key: tpp.keyPem,
      keyId: parts.keyId,
      headers: signedHeaders,
      algorithm: 'rsa-sha256',
      ...options,
    });
    return set.get('authorization') ?? '';
  }

  test('http-signature of joyent: in Authorization it is told where it belongs', async () => {
    const parts = rightParts();
    parts.headers.push(['Authorization', joyentSigned(parts)]);
    expect(await sendParts(bank.address, parts)).toMatchObject({
      code: 'SIGNATURE_MISSING',
      text: expect.stringContaining('The signature is in the header Authorization. Send it in the header Signature'),
    });
  });

  test('http-signature of joyent: moved to Signature, without its first word it is carried out', async () => {
    const parts = rightParts();
    const authorization = joyentSigned(parts);
    parts.headers.push(['Signature', authorization]);
    expect(await sendParts(bank.address, parts)).toMatchObject({
      text: expect.stringContaining('Leave that word out'),
    });
    const again = rightParts();
    again.headers.push(['Signature', joyentSigned(again).replace(/^Signature /, '')]);
    expect(await sendParts(bank.address, again)).toMatchObject({ status: 201 });
  });

  test('http-signature of joyent: rsa-sha512 is told', async () => {
    const parts = rightParts();
    parts.headers.push(['Signature', joyentSigned(parts, { algorithm: 'rsa-sha512' }).replace(/^Signature /, '')]);
    const text = expect.stringContaining('The algorithm is "rsa-sha512"; only rsa-sha256 is supported');
    expect(await sendParts(bank.address, parts)).toMatchObject({ code: 'SIGNATURE_INVALID', text });
  });

  test('http-message-signatures: RFC 9421 is told', async () => {
    const parts = rightParts();
    const message = { method: parts.method, url: url(), headers: named(parts, ...signedHeaders) };
    const key = createSigner(tpp.keyPem, 'rsa-v1_5-sha256', parts.keyId);
    const { headers } = await httpbis.signMessage({ key, fields: ['@method', ...signedHeaders] }, message);
    parts.headers.push(
      ['Signature', String(headers['Signature'])],
      ['Signature-Input', String(headers['Signature-Input'])],
    );
    expect(await sendParts(bank.address, parts)).toMatchObject({
      code: 'SIGNATURE_INVALID',
      text: expect.stringContaining('It is a signature of RFC 9421. The bank wants the older draft'),
    });
  });

  test('http-message-signatures: its cavage mode, as it comes, is told what is of a later draft', async () => {
    const parts = rightParts();
    const message = { method: parts.method, url: url(), headers: named(parts, ...signedHeaders) };
    const key = createSigner(tpp.keyPem, 'rsa-v1_5-sha256', parts.keyId);
    const { headers } = await cavage.signMessage({ key, fields: signedHeaders }, message);
    parts.headers.push(['Signature', String(headers['Signature'])]);
    const verdict = await sendParts(bank.address, parts);
    expect(verdict.code).toBe('SIGNATURE_INVALID');
    expect(verdict.text).toMatch(/later draft|rsa-sha256|double quotes/);
  });
});

/** Debian's python3-httpsig, where the machine has it. */
function hasHttpsig(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import httpsig'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

testWith(hasHttpsig(), 'python3-httpsig')('python3-httpsig in Authorization is told where it belongs', async () => {
  const parts = rightParts();
  const program = `
import json, sys
from httpsig import HeaderSigner
given = json.load(sys.stdin)
signer = HeaderSigner(given['keyId'], given['key'].encode(), algorithm='rsa-sha256', headers=given['names'])
signed = signer.sign(given['headers'], method=given['method'], path=given['target'])
print(json.dumps({name.lower(): value for name, value in signed.items()}))
`;
  const given = {
    keyId: parts.keyId,
    key: tpp.keyPem,
    names: ['date', 'digest', 'x-request-id', 'tpp-redirect-uri'],
    headers: Object.fromEntries(parts.headers),
    method: parts.method,
    target: parts.target,
  };
  const answer = execFileSync('/usr/bin/python3', ['-c', program], {
    input: JSON.stringify(given),
    encoding: 'utf8',
  });
  parts.headers.push(['Authorization', (JSON.parse(answer) as { authorization: string }).authorization]);
  expect(await sendParts(bank.address, parts)).toMatchObject({
    code: 'SIGNATURE_MISSING',
    text: expect.stringContaining('in the header Authorization'),
  });
});
