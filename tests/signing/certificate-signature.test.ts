import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { createCertificateReader } from '../../api/signing/certificate/tpp-certificate.ts';
import { testCertificate } from '../lab/certificates.ts';
import { hasOpenssl } from '../support/openssl.ts';
import { describeWith } from '../support/test-with.ts';
import { faultOf } from './signed-call.ts';

const folder = tempFolder();

const withOpenssl = describeWith(hasOpenssl, 'openssl');
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
const derOf = (file: string) => new X509Certificate(readFileSync(join(folder, file))).raw;
const read = (der: Uint8Array) => createCertificateReader()(Buffer.from(der).toString('base64'));
const name = ['-subj', '/C=NO/O=Sikker AS/CN=tpp.example'];

/** Keys of OpenSSL, made once: of TPPs, and of two authorities. */
const [own, rsa, ec] = ['own-key.pem', 'rsa-key.pem', 'ec-key.pem'];
function makeKeys(): void {
  for (const file of [own, rsa])
    openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', file);
  openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', ec);
}
if (hasOpenssl) beforeAll(makeKeys);

/** A certificate that OpenSSL signed itself. */
function selfSigned(...more: string[]): Buffer {
  openssl('req', '-x509', '-key', own, '-days', '2', ...name, ...more, '-out', 'own.pem');
  return derOf('own.pem');
}

/** One that an authority of OpenSSL with this key issued to a TPP of this name. */
function issued(key: string, subject: string, ...more: string[]): Buffer {
  openssl('req', '-x509', '-key', key, '-subj', '/C=NO/O=Sikker AS/CN=authority', '-days', '2', '-out', 'ca.pem');
  openssl('req', '-new', '-key', own, '-subj', subject, '-out', 'asked.pem');
  writeFileSync(join(folder, 'extensions'), 'subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n');
  const by = ['-CA', 'ca.pem', '-CAkey', key, '-set_serial', '77', '-days', '2', '-extfile', 'extensions'];
  openssl('x509', '-req', '-in', 'asked.pem', ...by, ...more, '-out', 'leaf.pem');
  return derOf('leaf.pem');
}

const pss = ['-sigopt', 'rsa_padding_mode:pss'];
const other = '/C=NO/O=Sikker AS/CN=tpp.example';
const authoritys = '/C=NO/O=Sikker AS/CN=authority';

withOpenssl('G10: the hash that a certificate is signed with', () => {
  test.each([
    ['SHA-1', () => selfSigned('-sha1')],
    ['MD5', () => selfSigned('-md5')],
    ['SHA-1', () => selfSigned('-sha1', ...pss)],
    ['SHA-1', () => issued(rsa, other, '-sha1')],
    ['MD5', () => issued(rsa, other, '-md5')],
    ['SHA-1', () => issued(ec, other, '-sha1')],
  ])('%s is CERTIFICATE_INVALID', async (hash, make) => {
    const fault = await faultOf(() => read(make()));
    expect(fault).toMatchObject({ code: 'CERTIFICATE_INVALID', path: 'tpp-signature-certificate' });
    expect(fault.text).toContain(`signed with ${hash}`);
  });

  test.each([
    ['SHA-256', () => selfSigned('-sha256')],
    ['SHA-512', () => selfSigned('-sha512')],
    ['SHA-256 with PSS', () => selfSigned('-sha256', ...pss)],
    ['SHA-256 with ECDSA', () => issued(ec, other, '-sha256')],
  ])('%s is read', (_hash, make) => {
    expect(read(make()).tpp.name).toBe('Sikker AS');
  });
});

withOpenssl('G10: the signature of a self-signed certificate', () => {
  const broken = (der: Uint8Array) => {
    const changed = Buffer.from(der);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    return changed;
  };

  test.each([
    ['of OpenSSL, one bit changed', () => broken(selfSigned('-sha256'))],
    ['of our own, one bit changed', () => broken(Buffer.from(testCertificate().certificateBase64, 'base64'))],
    [
      'whose validity was changed',
      () => {
        const der = selfSigned('-sha256');
        // UTCTime, 13 bytes: the first is the one it is valid from.
        der.write('20', der.indexOf(Buffer.of(0x17, 13)) + 2, 'latin1');
        expect(new X509Certificate(der).validFromDate.getUTCFullYear()).toBe(2020);
        return der;
      },
    ],
  ])('%s: CERTIFICATE_INVALID', async (_what, make) => {
    const fault = await faultOf(() => read(make()));
    expect(fault).toMatchObject({ code: 'CERTIFICATE_INVALID', path: 'tpp-signature-certificate' });
    expect(fault.text).toContain('own signature is broken');
  });

  test('one issued by somebody else is not looked at: nobody knows the key', () => {
    expect(read(broken(issued(rsa, other, '-sha256'))).tpp.name).toBe('Sikker AS');
  });

  test('one issued by an authority of the same name, which its key identifier tells apart, is not self-signed', () => {
    const der = issued(rsa, authoritys, '-sha256');
    const { issuer, subject } = new X509Certificate(der);
    expect(issuer).toBe(subject);
    expect(read(der).tpp.name).toBe('Sikker AS');
  });
});
