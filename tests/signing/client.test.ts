import { createHash, verify, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { signingFetch, signRequest } from '../../api/client/index.ts';
import { validCertificate } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const initiation = '/v1/payments/norwegian-domestic-credit-transfers';
const json = { 'content-type': 'application/json' };
const headers = {
  ...json,
  'x-psu-identity': '13039319955',
  'PSU-Context': 'PRIVATE',
  'PSU-IP-Address': '192.0.2.1',
  'TPP-Redirect-URI': 'https://tpp.example/callback',
};
const body = JSON.stringify({
  instructedAmount: { amount: '250.00', currency: 'NOK' },
  debtorAccount: { bban: '09232911044', currency: 'NOK' },
  creditorAccount: { bban: '90491105991', currency: 'NOK' },
  creditorName: 'Blåbær AS',
});

const issued = validCertificate();
const tpp = { certificate: issued.certificatePem, key: issued.keyPem };
const bank = testBank('2027-03-24T12:00:00+01:00');

/** Verifies a signature over a text that the test wrote itself. */
function fits(signature: string, lines: readonly string[]): boolean {
  const value = Buffer.from(/signature="([^"]+)"/.exec(signature)?.[1] ?? '', 'base64');
  return verify('sha256', Buffer.from(lines.join('\n')), new X509Certificate(tpp.certificate).publicKey, value);
}

describe('signRequest', () => {
  test('the headers that it gives are those to send, and the bank takes them', async () => {
    const url = `${bank.address}${initiation}`;
    const sent = signRequest({ method: 'POST', url, headers, body, ...tpp });
    const answer = await fetch(url, { method: 'POST', headers: sent, body });
    expect([answer.status, await answer.json()]).toEqual([201, expect.objectContaining({ transactionStatus: 'RCVD' })]);
    expect(sent).toMatchObject(headers);
  });

  test('the signature is over the lines of the interface, in their order', () => {
    const date = new Date(Date.UTC(2027, 2, 24, 11, 0, 5));
    const own = { 'x-request-id': '4eba4445-1a4b-47b8-bdd5-4e56ef026b19', 'PSU-ID': ' 1 ' };
    const sent = signRequest({ method: 'PUT', url: '/v1/x', headers: own, body: 'æ', date, ...tpp });
    expect(sent['Signature']).toContain('headers="date digest x-request-id psu-id"');
    const digest = createHash('sha256').update(Buffer.from('æ', 'utf8')).digest('base64');
    const lines = [
      'date: Wed, 24 Mar 2027 11:00:05 GMT',
      `digest: SHA-256=${digest}`,
      'x-request-id: 4eba4445-1a4b-47b8-bdd5-4e56ef026b19',
      'psu-id: 1',
    ];
    expect(fits(sent['Signature'] ?? '', lines)).toBe(true);
    expect(fits(sent['Signature'] ?? '', [...lines, ''])).toBe(false);
    expect(sent).not.toHaveProperty('X-Request-ID');
  });

  test('without a body there is no Digest; the request target is signed on demand, with its query', () => {
    const date = new Date(0);
    const url = 'https://bank.example/api/v1/accounts?a=b';
    const own = [['X-Request-ID', 'one']] as const;
    const sent = signRequest({ method: 'GET', url, headers: own, date, signRequestTarget: true, ...tpp });
    expect(sent).not.toHaveProperty('Digest');
    const lines = [
      '(request-target): get /api/v1/accounts?a=b',
      'date: Thu, 01 Jan 1970 00:00:00 GMT',
      'x-request-id: one',
    ];
    expect(fits(sent['Signature'] ?? '', lines)).toBe(true);
  });

  test('a header of the caller is kept and signed as it is; a signature of the caller is replaced', () => {
    const own = new Headers({ Date: 'Thu, 01 Jan 1970 00:00:00 GMT', 'x-request-id': 'one', signature: 'mine' });
    const sent = signRequest({ method: 'GET', url: '/v1/accounts', headers: own, ...tpp });
    expect(Object.keys(sent).filter((name) => /^(date|signature|x-request-id)$/i.test(name))).toEqual([
      'date',
      'x-request-id',
      'Signature',
    ]);
    expect(fits(sent['Signature'] ?? '', ['date: Thu, 01 Jan 1970 00:00:00 GMT', 'x-request-id: one'])).toBe(true);
  });

  test.each([{ amount: '1.00' }, new ArrayBuffer(2), 5])('a body that is no text and no bytes is said: %p', (wrong) => {
    const request = { method: 'POST', url: '/v1/accounts', body: wrong as never, ...tpp };
    expect(() => signRequest(request)).toThrow('The body is neither a text nor a Uint8Array');
  });

  test.each([
    ['certificate', { ...tpp, certificate: 'data/cert.pem' }],
    ['key', { ...tpp, key: '' }],
  ])('a %s that is no PEM is said', (name, wrong) => {
    expect(() => signRequest({ method: 'GET', url: '/v1/accounts', ...wrong })).toThrow(`The ${name} is no PEM`);
  });
});

describe('signingFetch', () => {
  test('pays, and follows a link from the base on', async () => {
    await bank.control('POST', '/sandbox/banks', { name: 'demo' });
    for (const base of [bank.address, `${bank.address}/banks/demo/`]) {
      const signed = signingFetch({ ...tpp, base });
      const unique = body.replace('250.00', base === bank.address ? '251.00' : '252.00');
      const answer = await signed(initiation, { method: 'POST', headers, body: unique });
      const { _links: links } = (await answer.json()) as { _links: { self: { href: string } } };
      expect(answer.status).toBe(201);
      expect((await signed(links.self.href)).status).toBe(200);
    }
  });

  test('takes what fetch takes: a URL, a Request, bytes, a stream, an abort signal', async () => {
    const signed = signingFetch(tpp);
    const offered = `${bank.address}/v1/bank-offered-consents`;
    const own = { 'TPP-Redirect-URI': 'https://tpp.example/callback', 'PSU-IP-Address': '192.0.2.1' };
    expect((await signed(new URL(offered), { method: 'POST', headers: own })).status).toBe(201);
    expect((await signed(new Request(offered, { method: 'POST', headers: own }))).status).toBe(201);
    const pay = (amount: string, sent: (text: string) => Buffer | ReadableStream) =>
      signed(`${bank.address}${initiation}`, {
        method: 'POST',
        headers,
        body: sent(body.replace('250.00', amount)),
        duplex: 'half',
      });
    expect((await pay('260.00', (text) => Buffer.from(text))).status).toBe(201);
    expect((await pay('261.00', (text) => new Blob([text]).stream())).status).toBe(201);
    await expect(signed(offered, { method: 'POST', signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });
});

test('the client depends on nothing of the bank: its files import one another and node:crypto', () => {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const walk = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { fileName } of ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles) {
      if (fileName.startsWith('.')) walk(join(dirname(path), fileName));
      else packages.add(fileName);
    }
  };
  walk('api/client/index.ts');
  expect([...packages]).toEqual(['node:crypto']);
  expect([...seen].filter((path) => !/^api\/(client|signing)\//.test(path))).toEqual([]);
  expect(seen.size).toBeLessThan(15);
});
