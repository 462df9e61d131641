import { describe, expect, test } from '@jest/globals';
import { createSignatureCheck } from '../../api/signing/signature-check.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { signedAt, testCertificate } from '../lab/certificates.ts';
import { call, headerOf, judge, refusalOf, signedHeaders, signText, withHeader, withSignature } from './signed-call.ts';
import type { HeaderList } from './signed-call.ts';

const good = signedHeaders();
const minutes = (count: number) => (signedAt + count * 60_000) as Instant;

describe('a signed request', () => {
  test('G1: rightly signed, it is the TPP of the certificate', async () => {
    expect(await judge(call(good), { role: 'PSP_PI' })).toMatchObject({ id: 'PSDNO-FSA-987654321' });
  });

  test('G3: an issuer outside ASCII is wrapped by the signer and read', async () => {
    const headers = signedHeaders(testCertificate({ organization: 'Blåbær & Sønn ASA' }));
    expect(headerOf(headers, 'Signature')).toMatch(/^=\?utf-8\?B\?/);
    expect(await judge(call(headers))).toMatchObject({ name: 'Blåbær & Sønn ASA' });
  });

  test('G4: without a body it may go without a Digest', async () => {
    const text = `date: ${headerOf(good, 'date')}\nx-request-id: 1`;
    const bare: HeaderList = [
      ['Date', headerOf(good, 'date')],
      ['X-Request-ID', '1'],
      ['TPP-Signature-Certificate', headerOf(good, 'tpp-signature-certificate')],
    ];
    const headers = withHeader(bare, 'Signature', signature('date x-request-id', text));
    expect(await judge(call(headers, { method: 'GET', body: Buffer.alloc(0) }))).toBeDefined();
  });

  test('G4: (request-target) and further headers may be covered, an empty PSU-ID must be', async () => {
    const changed = withHeader(withHeader(good, 'PSU-ID', ''), 'Content-Type', 'application/json');
    const names = '(request-target) content-type date digest x-request-id psu-id tpp-redirect-uri';
    const values = names
      .split(' ')
      .slice(1)
      .map((name) => `${name}: ${headerOf(changed, name)}`);
    const text = [`(request-target): post ${call(changed).target}`, ...values].join('\n');
    const headers = withHeader(changed, 'Signature', signature(names, text));
    expect(await judge(call(headers))).toBeDefined();
    expect(await refusalOf(call(headers, { target: '/v1/payments' }))).toMatchObject({ code: 'SIGNATURE_INVALID' });
    expect(await refusalOf(call(headers, { method: 'PUT' }))).toMatchObject({ code: 'SIGNATURE_INVALID' });
    expect(await refusalOf(call(withHeader(good, 'PSU-Corporate-ID', '')))).toMatchObject({
      code: 'SIGNATURE_INVALID',
    });
  });

  test('G4: header values count as the bytes received', async () => {
    const changed = withHeader(good, 'PSU-ID', 'bl\xe5b\xe6r');
    const names = 'date digest x-request-id psu-id tpp-redirect-uri';
    const text = names
      .split(' ')
      .map((name) => `${name}: ${headerOf(changed, name)}`)
      .join('\n');
    expect(await judge(call(withHeader(changed, 'Signature', signature(names, text))))).toBeDefined();
  });

  test('G1: the cache keeps certificates, not judgements', async () => {
    const check = createSignatureCheck({ trust: 'any', statusOf: () => (blocked ? 'blocked' : null) });
    let blocked = false;
    expect(await check(call(good), signedAt, null)).toBeDefined();
    blocked = true;
    await expect(check(call(good), signedAt, null)).rejects.toThrow('CERTIFICATE_BLOCKED');
    blocked = false;
    await expect(check(call(good), (signedAt + 10 * 365 * 86_400_000) as Instant, null)).rejects.toThrow(
      'CERTIFICATE_EXPIRED',
    );
    expect(await check(call(good), signedAt, null)).toBeDefined();
  });
});

function signature(names: string, text: string): string {
  const { serialHex, issuerDn } = testCertificate();
  return `keyId="SN=${serialHex},CA=${issuerDn}",algorithm="rsa-sha256",headers="${names}",signature="${signText(text)}"`;
}

const unsigned = withHeader(good, 'Signature', null);
const withoutCertificate = withHeader(good, 'TPP-Signature-Certificate', null);
const foreignKey = withHeader(
  good,
  'TPP-Signature-Certificate',
  testCertificate({ commonName: 'other' }).certificateBase64,
);

describe('each refusal', () => {
  test.each([
    [
      'neither certificate nor signature',
      withHeader(unsigned, 'TPP-Signature-Certificate', null),
      'SIGNATURE_MISSING',
      'tells how to sign; without a certificate, /sandbox/as/shop/v1/... signs',
    ],
    [
      'empty certificate and signature',
      withHeader(withHeader(good, 'Signature', ''), 'TPP-Signature-Certificate', ''),
      'SIGNATURE_MISSING',
      'not signed',
    ],
    ['no certificate', withoutCertificate, 'CERTIFICATE_MISSING', '/docs/signing.md'],
    ['two certificates', [...good, ['tpp-signature-certificate', 'x']], 'CERTIFICATE_INVALID', 'sent 2 times'],
    ['a malformed certificate', withHeader(good, 'TPP-Signature-Certificate', 'x'), 'CERTIFICATE_INVALID', 'base64'],
    ['no date', withHeader(good, 'Date', null), 'HTTP_HEADER_REQUIRED', 'Date is missing'],
    ['no digest', withHeader(good, 'Digest', null), 'HTTP_HEADER_REQUIRED', 'Digest is missing'],
    ['no signature', unsigned, 'SIGNATURE_MISSING', 'Signature is missing'],
    ['two signatures', [...good, ['Signature', 'x']], 'SIGNATURE_INVALID', 'sent 2 times'],
    ['two request ids', [...good, ['x-request-id', 'x']], 'SIGNATURE_INVALID', 'x-request-id was sent 2 times'],
    ['two PSU ids', [...good, ['psu-id', 'x']], 'SIGNATURE_INVALID', 'psu-id was sent 2 times'],
    [
      'a broken signature header',
      withSignature(good, (text) => text.slice(0, -1)),
      'SIGNATURE_INVALID',
      'no closing quote',
    ],
    [
      'another serial',
      withSignature(good, (text) => text.replace(/SN=\w+/, 'SN=1')),
      'SIGNATURE_INVALID',
      '"1", the certificate',
    ],
    ['another issuer', withSignature(good, (text) => text.replace('C=NO', 'C=SE')), 'SIGNATURE_INVALID', 'C is "SE"'],
    [
      'a header listed twice',
      withSignature(good, (text) => text.replace('"date', '"date date')),
      'SIGNATURE_INVALID',
      'listed twice',
    ],
    [
      'a header listed and absent',
      withSignature(good, (text) => text.replace('"date', '"host date')),
      'SIGNATURE_INVALID',
      'host, which was not',
    ],
    [
      'a header not covered',
      withHeader(good, 'PSU-Corporate-ID', '1'),
      'SIGNATURE_INVALID',
      'not covered by the signature: psu-corporate-id',
    ],
    [
      'a value that is no base64',
      withSignature(good, (text) => text.replace(/="[^"]*"$/, '="?"')),
      'SIGNATURE_INVALID',
      'not padded base64',
    ],
    [
      'another header value',
      withHeader(good, 'X-Request-ID', 'other'),
      'SIGNATURE_INVALID',
      String.raw`\nx-request-id: other\n`,
    ],
  ] as [string, HeaderList, string, string][])('G1: %s', async (_fault, headers, code, shown) => {
    const fault = await refusalOf(call(headers));
    expect(fault.code).toBe(code);
    expect(fault.text).toContain(shown);
    expect(fault.text.length).toBeLessThanOrEqual(512);
  });

  test('G3: a signature by another key is refused, the same names notwithstanding', async () => {
    const other = testCertificate({ serial: testCertificate().serialHex });
    const headers = withHeader(good, 'TPP-Signature-Certificate', other.certificateBase64);
    expect(await refusalOf(call(headers))).toMatchObject({
      code: 'SIGNATURE_INVALID',
      text: expect.stringContaining('does not fit'),
    });
  });

  test('E1: a long signing string is cut at 512 characters', async () => {
    const fault = await refusalOf(call(withHeader(good, 'TPP-Redirect-URI', `https://${'å'.repeat(2000)}`)));
    expect(fault.code).toBe('SIGNATURE_INVALID');
    expect(fault.text).toHaveLength(512);
    expect(fault.text.endsWith('…')).toBe(true);
  });
});

describe('order of checks', () => {
  // Each step takes away the fault that was answered; the next in line of G1 must show.
  const expired = { validFrom: Date.UTC(2025, 0, 1) as Instant, validTo: Date.UTC(2026, 0, 1) as Instant };
  const selfSigned = (changes: object) => signedHeaders(testCertificate(changes), minutes(10));
  const wrongDigest = (headers: HeaderList) => withHeader(withHeader(headers, 'Digest', 'SHA-256=x'), 'Signature', 'x');
  const all = { role: 'PSP_PI', trust: 'ca' } as const;

  test.each([
    [
      'malformed before expired',
      withHeader(wrongDigest(selfSigned(expired)), 'TPP-Signature-Certificate', '!'),
      { statusOf: () => 'blocked', ...all },
      'CERTIFICATE_INVALID',
    ],
    [
      'expired before blocked',
      wrongDigest(selfSigned({ ...expired, roles: [] })),
      { statusOf: () => 'blocked', ...all },
      'CERTIFICATE_EXPIRED',
    ],
    [
      'blocked before trust',
      wrongDigest(selfSigned({ roles: [] })),
      { statusOf: () => 'blocked', ...all },
      'CERTIFICATE_BLOCKED',
    ],
    ['trust before role', wrongDigest(selfSigned({ roles: [] })), all, 'CERTIFICATE_INVALID'],
    ['role before date', wrongDigest(selfSigned({ roles: [] })), { role: 'PSP_PI' }, 'ROLE_INVALID'],
    ['date before digest', wrongDigest(selfSigned({ roles: [] })), {}, 'TIMESTAMP_INVALID'],
    ['digest before signature', wrongDigest(selfSigned({ roles: [] })), { now: minutes(10) }, 'FORMAT_ERROR'],
    ['signature last', foreignKey, {}, 'SIGNATURE_INVALID'],
  ] as [string, HeaderList, object, string][])('G1: %s', async (_order, headers, check, code) => {
    expect((await refusalOf(call(headers), check)).code).toBe(code);
  });
});
