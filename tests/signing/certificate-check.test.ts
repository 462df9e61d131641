import { describe, expect, test } from '@jest/globals';
import type { Instant } from '../../engine/values/instant.ts';
import { testCertificate } from '../lab/certificates.ts';
import { call, judge, refusalOf, signedHeaders } from './signed-call.ts';

const good = signedHeaders();
const ca = testCertificate({ commonName: 'Test CA', authority: true, roles: null });
const issuedByCa = testCertificate({ issuer: ca });

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
      'an authority above this certificate is not valid now',
    ],
    ['without roles', testCertificate({ issuer: ca, roles: null }), 'states no PSD2 roles'],
  ])('G6: %s is CERTIFICATE_INVALID', async (_fault, certificate, shown) => {
    const trustedCas = [ca, notAnAuthority, oldCa].map(({ certificatePem }) => certificatePem);
    const fault = await refusalOf(call(signedHeaders(certificate)), { trust: 'ca', trustedCas });
    expect(fault).toMatchObject({ code: 'CERTIFICATE_INVALID' });
    expect(fault.text).toContain(shown);
  });

  describe('G6: a chain, leaf, intermediate, root', () => {
    const authority = { authority: true, roles: null } as const;
    const oldRoot = testCertificate({ ...authority, commonName: 'Old root', ...past });
    const root = testCertificate({ ...authority, commonName: 'Root' });
    const below = (issuer: typeof root, commonName: string) => testCertificate({ ...authority, commonName, issuer });
    const [first, second] = [below(root, 'First'), below(below(root, 'First'), 'Second')];
    const ofOldRoot = below(oldRoot, 'Of the old root');
    const judged = (issuer: typeof root, trusted: readonly (typeof root)[]) => {
      const trustedCas = trusted.map(({ certificatePem }) => certificatePem);
      return judge(call(signedHeaders(testCertificate({ issuer }))), { trust: 'ca', trustedCas });
    };

    test.each([
      ['both given', first, [root, first]],
      ['in any order', first, [first, root]],
      ['two intermediates', second, [root, first, second]],
      ['the intermediate alone', first, [first]],
      ['another one that has expired beside it', first, [oldRoot, root, first]],
    ])('%s: accepted', async (_, issuer, trusted) => {
      expect(await judged(issuer, trusted)).toBeDefined();
    });

    test.each([
      ['the intermediate not given', first, [root], 'not issued by a trusted authority'],
      ['the root expired', ofOldRoot, [oldRoot, ofOldRoot], 'an authority above this certificate is not valid now'],
    ])('%s: refused', async (_, issuer, trusted, text) => {
      await expect(judged(issuer, trusted)).rejects.toThrow(text);
    });
  });

  test('G6: without any authority nothing is trusted', async () => {
    expect(await refusalOf(call(signedHeaders(issuedByCa)), { trust: 'ca' })).toMatchObject({
      code: 'CERTIFICATE_INVALID',
    });
  });
});
