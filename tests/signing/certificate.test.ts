import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { oidOf, parseDer } from '../../api/signing/certificate/der.ts';
import { createCertificateReader } from '../../api/signing/certificate/tpp-certificate.ts';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { namelessTpp, testCertificate } from '../lab/certificates.ts';
import { hasOpenssl } from '../support/openssl.ts';
import { testWith } from '../support/test-with.ts';
import { faultOf } from './signed-call.ts';
import { runs } from '../support/sample.ts';

const issued = testCertificate();
const der = Buffer.from(issued.certificateBase64, 'base64');
const read = (header: string) => createCertificateReader()(header);
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64');

describe('interface, TPP authentication 1: TPP-Signature-Certificate', () => {
  test('G8: a TPP is its organizationIdentifier, shown by its organisation', () => {
    expect(read(issued.certificateBase64).tpp).toEqual({
      id: 'PSDNO-FSA-987654321',
      name: 'Test TPP, AS',
      roles: new Set(['PSP_AI', 'PSP_PI']),
      serial: issued.serialHex,
    });
  });

  test('G8: without an organizationIdentifier it is its issuer and subject', () => {
    const { tpp } = read(issueCertificate(namelessTpp).certificateBase64);
    expect(tpp.id).toBe(
      String.raw`issuer CN=tpp.example,O=Test TPP\, AS,C=NO subject CN=tpp.example,O=Test TPP\, AS,C=NO`,
    );
  });

  test.each([
    ['no roles', null, null],
    ['an empty list', [], new Set()],
    ['one role', ['PSP_AI'] as const, new Set(['PSP_AI'])],
    ['all roles', ['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'] as const, new Set(['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'])],
  ])('G7: a certificate that states %s', (_case, roles, expected) => {
    expect(read(testCertificate({ roles }).certificateBase64).tpp.roles).toEqual(expected);
  });

  test('G5: base64 of PEM text is read as well, as early clients send it', () => {
    for (const pem of [
      issued.certificatePem,
      issued.certificatePem.replaceAll('\n', '\r\n'),
      `\n${issued.certificatePem}\n`,
    ]) {
      expect(read(base64(pem)).tpp.serial).toBe(issued.serialHex);
    }
  });

  test('G5: names and roles survive letters outside ASCII', () => {
    const { tpp } = read(testCertificate({ organization: 'Blåbær & Sønn ASA' }).certificateBase64);
    expect(tpp.name).toBe('Blåbær & Sønn ASA');
  });

  test.each([
    ['the base64 url alphabet', issued.certificateBase64.replaceAll('/', '_').replaceAll('+', '-'), 'strict base64'],
    ['line breaks', issued.certificateBase64.replace(/.{64}/g, '$& '), 'strict base64'],
    ['PEM with its lines', issued.certificatePem.replaceAll('\n', ' '), 'strict base64'],
    ['no base64', 'certificate!', 'strict base64'],
    ['no certificate', base64('hello'), 'not an X.509'],
    ['bytes after it', base64(Buffer.concat([der, Buffer.of(0)])), 'exactly one'],
    ['two certificates in DER', base64(Buffer.concat([der, der])), 'exactly one'],
    ['two certificates in PEM', base64(issued.certificatePem.repeat(2)), 'not exactly one'],
    ['text after the PEM', base64(`${issued.certificatePem}x`), 'not exactly one'],
    ['a cut one', base64(der.subarray(0, -1)), 'not an X.509'],
    ['a key of 1024 bits', testCertificate({ key: 1024 }).certificateBase64, 'RSA key of 1024 bits'],
    ['an elliptic curve key', testCertificate({ key: 'P-256' }).certificateBase64, 'type ec'],
  ])('G5: %s is CERTIFICATE_INVALID', async (_fault, header, shown) => {
    const fault = await faultOf(() => read(header));
    expect(fault).toMatchObject({ code: 'CERTIFICATE_INVALID', path: 'tpp-signature-certificate' });
    expect(fault.text).toContain(shown);
  });

  test('G5: bytes changed anywhere are read or refused, never anything else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(der.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (changes) => {
          const broken = Buffer.from(der);
          for (const [at, byte] of changes) broken[at] = byte;
          try {
            read(base64(broken));
          } catch (error) {
            expect(error).toBeInstanceOf(Refusal);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe('issuing', () => {
  test.each(['1', 'ff', '00ff', '7EAF114', 'D9EA5432EA92D254', '100000000000000000000000000000000000000'])(
    'G3: serial %s is written and read as the same number',
    (serial) => {
      const certificate = testCertificate({ serial });
      expect(
        BigInt(`0x${new X509Certificate(Buffer.from(certificate.certificateBase64, 'base64')).serialNumber}`),
      ).toBe(BigInt(`0x${serial}`));
      expect(read(certificate.certificateBase64).tpp.serial).toBe(certificate.serialHex);
    },
  );

  test('G6: Node accepts the chain from an issued authority, and the self-signature', () => {
    const ca = testCertificate({ commonName: 'Test CA', authority: true, roles: null });
    const leaf = new X509Certificate(testCertificate({ issuer: ca }).certificatePem);
    const authority = new X509Certificate(ca.certificatePem);
    expect(authority.ca && authority.verify(authority.publicKey)).toBe(true);
    expect(leaf.checkIssued(authority) && leaf.verify(authority.publicKey) && !leaf.ca).toBe(true);
  });

  testWith(hasOpenssl, 'openssl')('G7: OpenSSL finds the PSD2 statement and no fault', () => {
    const text = execFileSync('openssl', ['x509', '-noout', '-text', '-nameopt', 'RFC2253'], {
      input: issued.certificatePem,
    });
    expect(text.toString()).toMatch(/qcStatements:[\s\S]*PSP_PI[\s\S]*Finanstilsynet/);
    expect(text.toString()).toContain(
      String.raw`Subject: CN=tpp.example,organizationIdentifier=PSDNO-FSA-987654321,O=Test TPP\, AS,C=NO`,
    );
  });
});

test('G8: an object identifier has 64 bytes at most', () => {
  const oidWith = (bytes: number) =>
    oidOf(parseDer(Buffer.from([6, bytes, 0x2a, ...Array<number>(bytes - 1).fill(1)])));
  expect(oidWith(64)).toBe(`1.2${'.1'.repeat(63)}`);
  expect(() => oidWith(65)).toThrow('DER: expected an object identifier');
});
