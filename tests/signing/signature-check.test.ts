import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSignatureCheck } from '../../api/signing/signature-check.ts';
import { Refusal } from '../../engine/core/fault.ts';
import type { Instant } from '../../engine/core/instant.ts';
import { signedAt, testCertificate } from '../support/certificates.ts';
import {
  body,
  call,
  headerOf,
  judge,
  refusalOf,
  signedHeaders,
  signText,
  withHeader,
  withSignature,
} from './signed-call.ts';
import type { HeaderList } from './signed-call.ts';

const good = signedHeaders();
const minutes = (count: number) => (signedAt + count * 60_000) as Instant;
const ca = testCertificate({ commonName: 'Test CA', authority: true, roles: null });
const issuedByCa = testCertificate({ issuer: ca });

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
      'not signed',
    ],
    [
      'empty certificate and signature',
      withHeader(withHeader(good, 'Signature', ''), 'TPP-Signature-Certificate', ''),
      'SIGNATURE_MISSING',
      'not signed',
    ],
    ['no certificate', withoutCertificate, 'CERTIFICATE_MISSING', 'missing'],
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

describe('the certificate', () => {
  const inYear = (year: number) => Date.UTC(year, 0, 1) as Instant;

  test.each([
    ['expired', { validFrom: inYear(2025), validTo: inYear(2026) }, 'CERTIFICATE_EXPIRED'],
    ['not yet valid', { validFrom: inYear(2028), validTo: inYear(2029) }, 'CERTIFICATE_INVALID'],
    ['of 1024 bits', { key: 1024 }, 'CERTIFICATE_INVALID'],
    ['with an elliptic curve key', { key: 'P-256' }, 'CERTIFICATE_INVALID'],
    ['without the role', { roles: ['PSP_AI', 'PSP_IC'] }, 'ROLE_INVALID'],
    ['with an empty list of roles', { roles: [] }, 'ROLE_INVALID'],
  ] as const)('G2, G5, G7: %s', async (_fault, changes, code) => {
    const fault = await refusalOf(call(signedHeaders(testCertificate(changes))), { role: 'PSP_PI' });
    expect(fault).toMatchObject({ code, path: 'tpp-signature-certificate' });
  });

  test('G2: its validity includes both ends', async () => {
    for (const at of [Date.UTC(2027, 0, 1), Date.UTC(2027, 11, 31)] as Instant[]) {
      expect(await judge(call(signedHeaders(testCertificate(), at)), { now: at })).toBeDefined();
    }
    const after = (Date.UTC(2027, 11, 31) + 1000) as Instant;
    expect(await refusalOf(call(good), { now: after })).toMatchObject({ code: 'CERTIFICATE_EXPIRED' });
    const before = (Date.UTC(2027, 0, 1) - 1000) as Instant;
    expect(await refusalOf(call(good), { now: before })).toMatchObject({ code: 'CERTIFICATE_INVALID' });
  });

  test.each([
    ['blocked', 'CERTIFICATE_BLOCKED'],
    ['revoked', 'CERTIFICATE_REVOKED'],
  ] as const)('G1: %s, by its serial as the keyId writes it', async (status, code) => {
    const statusOf = (serial: string) => (serial === testCertificate().serialHex ? status : null);
    expect(await refusalOf(call(good), { statusOf })).toMatchObject({ code });
    expect(await judge(call(signedHeaders(issuedByCa)), { statusOf })).toBeDefined();
  });

  test('G6, G7: with any trust a certificate without roles may do everything', async () => {
    expect(await judge(call(signedHeaders(testCertificate({ roles: null }))), { role: 'PSP_PI' })).toMatchObject({
      roles: null,
    });
  });

  test('G7: no role asked for, none is needed', async () => {
    expect(await judge(call(signedHeaders(testCertificate({ roles: [] }))), { role: null })).toBeDefined();
  });
});

describe('trust in authorities only', () => {
  const trust = { trust: 'ca', trustedCas: [ca.certificatePem] } as const;

  test('G6: a certificate of a trusted authority with roles is accepted', async () => {
    expect(await judge(call(signedHeaders(issuedByCa)), { ...trust, role: 'PSP_AI' })).toBeDefined();
  });

  const impostor = testCertificate({ commonName: 'Test CA', authority: true, roles: null, serial: '2' });
  const notAnAuthority = testCertificate({ commonName: 'Leaf' });
  const past = { validFrom: Date.UTC(2020, 0, 1) as Instant, validTo: Date.UTC(2021, 0, 1) as Instant };
  const oldCa = testCertificate({ commonName: 'Old CA', authority: true, roles: null, ...past });

  test.each([
    ['self-signed', testCertificate(), 'not issued by a trusted authority'],
    ['by an authority of the same name', testCertificate({ issuer: impostor }), 'not issued by a trusted authority'],
    ['by a certificate that is no authority', testCertificate({ issuer: notAnAuthority }), 'not issued by a trusted'],
    [
      'by an expired authority',
      testCertificate({ issuer: oldCa }),
      'authority that issued this certificate is not valid',
    ],
    ['without roles', testCertificate({ issuer: ca, roles: null }), 'states no PSD2 roles'],
  ])('G6: %s is CERTIFICATE_INVALID', async (_fault, certificate, shown) => {
    const trustedCas = [ca, notAnAuthority, oldCa].map(({ certificatePem }) => certificatePem);
    const fault = await refusalOf(call(signedHeaders(certificate)), { trust: 'ca', trustedCas });
    expect(fault).toMatchObject({ code: 'CERTIFICATE_INVALID' });
    expect(fault.text).toContain(shown);
  });

  test('G6: without any authority nothing is trusted', async () => {
    expect(await refusalOf(call(signedHeaders(issuedByCa)), { trust: 'ca' })).toMatchObject({
      code: 'CERTIFICATE_INVALID',
    });
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

describe('nothing can be changed', () => {
  const covered = ['Date', 'Digest', 'X-Request-ID', 'PSU-ID', 'TPP-Redirect-URI'];
  const otherCharacter = (text: string, at: number) => (text[at % text.length] === 'x' ? 'y' : 'x');
  const changeAt = (text: string, at: number) =>
    text.slice(0, at % text.length) + otherCharacter(text, at) + text.slice((at % text.length) + 1);

  test('G4: any character of any covered header', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...covered), fc.nat(200), async (name, at) => {
        await expect(judge(call(withHeader(good, name, changeAt(headerOf(good, name), at))))).rejects.toThrow(Refusal);
      }),
    );
  });

  test('G4: any bit of the body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Buffer.from(body);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        await expect(judge(call(good, { body: changed }))).rejects.toThrow(/^FORMAT_ERROR: The Digest does not match/);
      }),
    );
  });

  test('G5: any bit of the signature value', async () => {
    const value = Buffer.from(/signature="([^"]*)"/.exec(headerOf(good, 'Signature'))?.[1] ?? '', 'base64');
    await fc.assert(
      fc.asyncProperty(fc.nat(value.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Buffer.from(value);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        const headers = withSignature(good, (text) =>
          text.replace(/signature="[^"]*"/, `signature="${changed.toString('base64')}"`),
        );
        await expect(judge(call(headers))).rejects.toThrow(/^SIGNATURE_INVALID: The signature does not fit/);
      }),
    );
  });

  test('G4: taking away any covered header', async () => {
    for (const name of covered) {
      await expect(judge(call(withHeader(good, name, null)))).rejects.toThrow(Refusal);
    }
  });

  test('G1: any headers at all end in a TPP or a Refusal', async () => {
    const names = fc.constantFrom(...covered, 'Signature', 'TPP-Signature-Certificate', 'Host');
    const lists = fc.array(fc.tuple(names, fc.string({ unit: 'binary' })), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lists, fc.boolean(), async (list, keep) => {
        try {
          await judge(
            call(keep ? list.reduce<HeaderList>((all, [name, value]) => withHeader(all, name, value), good) : list),
          );
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
      { numRuns: 300 },
    );
  });
});
