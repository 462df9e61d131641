import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatName, issuerDn } from '../../api/signing/name/name-attribute.ts';
import { issuerMismatch } from '../../api/signing/name/issuer.ts';
import { checkKeyId } from '../../api/signing/signature/signature-header.ts';
import { readTppCertificate } from '../../api/signing/certificate/tpp-certificate.ts';
import { Refusal } from '../../engine/values/fault.ts';
import data from '../data/http-signature/issuer-dn-renderings.json' with { type: 'json' };
import { faultOf } from './signed-call.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/sample.ts';

const names = data.names.map((name) => ({
  ...name,
  certificate: readTppCertificate(Buffer.from(name.certificateBase64Der, 'base64')),
}));
const isDnField = (field: string) => /^(python|java|openssl|node)_/.test(field) && !/serial/.test(field);
const renderings = names.flatMap(({ name, certificate, ...fields }) =>
  Object.entries(fields)
    .filter(([field]) => isDnField(field))
    .map(([field, text]) => ({ name, field, text: String(text), certificate })),
);
const certificateNamed = (wanted: string) => {
  const found = names.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`no certificate ${wanted}`);
  return found.certificate;
};

describe('issuers as Java, OpenSSL, Python and Node write them', () => {
  test('the data holds eleven renderings of 13 names', () => {
    expect(renderings).toHaveLength(13 * 11);
  });

  test.each(renderings)('G3: $name by $field', ({ text, certificate }) => {
    expect(issuerMismatch(text, certificate.issuer)).toBeNull();
  });

  test.each(renderings)('G3: $name by $field, sent as UTF-8 bytes or with %20', ({ text, certificate }) => {
    expect(issuerMismatch(Buffer.from(text).toString('latin1'), certificate.issuer)).toBeNull();
    expect(issuerMismatch(text.replaceAll(' ', '%20'), certificate.issuer)).toBeNull();
  });

  // The same names over, each told apart from all others that differ in more than missing attributes.
  test.each(renderings)('G3: $name by $field does not match another certificate', ({ text, name }) => {
    const same = [['equals', 'plain']];
    for (const other of names) {
      if (other.name === name || same.some((pair) => pair.includes(name) && pair.includes(other.name))) continue;
      const subset = ['multivalued', 'two-ou', 'dc-uid', 'serialNumber', 'state-ou-email'].includes(other.name);
      if (!subset) expect(issuerMismatch(text, other.certificate.issuer)).not.toBeNull();
    }
  });

  test.each(names)('G3: our own spelling of $name is read back', ({ certificate }) => {
    expect(issuerMismatch(formatName(certificate.issuer), certificate.issuer)).toBeNull();
    expect(issuerMismatch(issuerDn(certificate.x509), certificate.issuer)).toBeNull();
  });
});

describe('attribute by attribute', () => {
  const { issuer } = certificateNamed('state-ou-email');

  test.each([
    'S=Trondelag,CN=Z',
    'ST=Trondelag',
    'CN=z',
    'C=NO,CN=Z,O=X',
    'OID.2.5.4.8 = Trondelag',
    '2.5.4.3=#0c015a',
    'CN= Z ; O="X"',
    'E=ca@example.no',
  ])('G3: "%s" agrees', (text) => {
    expect(issuerMismatch(text, issuer)).toBeNull();
  });

  test.each([
    ['CN=Y', 'CN is "Y" in the keyId and "Z"'],
    ['CN=Z,O=XX', 'O is "XX" in the keyId and "X"'],
    ['CN=Z,CN=Z', 'CN is "Z"'],
    ['CN=Z,DC=no', 'has none'],
    ['CN=Z,XYZ=1', '"XYZ" is not a known attribute type'],
    ['CN=Z,Trondheim', '"Trondheim" is not of the form'],
    ['', 'not of the form'],
    ['CN=', 'CN is ""'],
    ['CN=#0c025a', 'CN is "#0c025a"'],
    ['/', 'not of the form'],
  ])('G3: "%s" does not, and the text says why', (text, shown) => {
    expect(issuerMismatch(text, issuer)).toContain(shown);
  });

  const attributes = ['C=NO', 'ST=Trondelag', 'L=Trondheim', 'O=X', 'OU=Y', 'CN=Z', 'emailAddress=ca@example.no'];
  const casing = fc.func(fc.boolean());

  test('G3: any order, any case and any part of the attributes agree', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(attributes, { minLength: 1 }), casing, (chosen, upper) => {
        const text = [...chosen.join(', ')].map((c, at) => (upper(at) ? c.toUpperCase() : c.toLowerCase())).join('');
        expect(issuerMismatch(text, issuer)).toBeNull();
      }),
    );
  });

  test('G3: one attribute more or other than the certificate has never agrees', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(attributes),
        fc.nat(7),
        fc.constantFrom('CN=Zz', 'O=Y', 'L=Bergen', 'UID=1'),
        (chosen, at, wrong) => {
          expect(issuerMismatch(chosen.toSpliced(at, 0, wrong).join(','), issuer)).not.toBeNull();
        },
      ),
    );
  });
});

describe('keyId', () => {
  test.each(names)('G3: the serial of $name, as any tool prints it', ({ certificate, ...name }) => {
    for (const serial of [
      name.serialHexUpper,
      name.serialHexLower,
      name.java_serial_toString16,
      name.node_serial,
      `000${name.serialHexUpper}`,
    ]) {
      expect(() => checkKeyId(`SN=${serial},CA=${name.python_rfc4514}`, certificate)).not.toThrow();
    }
  });

  const certificate = certificateNamed('orgid');

  test.each([`SN=8e5c660ad95e4dbf, CA=C=NO`, `sn=8E5C660AD95E4DBF , ca=CN=Test Class 3 CA`])(
    'G3: "%s" agrees',
    (keyId) => {
      expect(() => checkKeyId(keyId, certificate)).not.toThrow();
    },
  );

  test.each([
    ['SN=1,CA=C=NO', '"1", the certificate\'s is 8E5C660AD95E4DBF'],
    ['SN=10258186248025689535,CA=C=NO', 'in decimal'],
    ['SN=0x8E5C660AD95E4DBF,CA=C=NO', '0x8E5C'],
    ['SN=,CA=C=NO', '""'],
    ['SN=8E5C660AD95E4DBF', 'Expected SN='],
    ['CA=C=NO,SN=8E5C660AD95E4DBF', 'Expected SN='],
    ['SN=8E5C660AD95E4DBF,CA=C=SE', 'C is "SE" in the keyId and "NO" in the certificate'],
  ])('G3: "%s" is refused with both sides', async (keyId, shown) => {
    const fault = await faultOf(() => checkKeyId(keyId, certificate));
    expect(fault).toMatchObject({ code: 'SIGNATURE_INVALID', path: 'signature' });
    expect(fault.text).toContain(shown);
  });

  test('G3: any keyId agrees or is refused, never anything else', () => {
    const parts = fc.constantFrom(
      'SN=8E5C660AD95E4DBF,CA=',
      'C=NO',
      'O="',
      '"',
      '\\',
      ',',
      '+',
      '/',
      '#0c',
      '=',
      '\\xC3',
      '\\C3',
      '%20',
      'é',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(),
          fc.array(parts).map((list) => list.join('')),
        ),
        (keyId) => {
          try {
            checkKeyId(keyId, certificate);
          } catch (error) {
            expect(error).toBeInstanceOf(Refusal);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

test('the certificates are read as Node reads them', () => {
  for (const { certificate, certificateBase64Der } of names) {
    expect(certificate.x509.serialNumber).toBe(
      new X509Certificate(Buffer.from(certificateBase64Der, 'base64')).serialNumber,
    );
  }
});
