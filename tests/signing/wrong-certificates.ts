import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { validCertificate } from '../lab/server.ts';
import { type Mistake, type Parts, tpp, wrong } from './hand-signed.ts';

const root = validCertificate({
  organization: 'Test Root',
  organizationIdentifier: 'X',
  roles: null,
  authority: true,
  key: 3072,
});
const leaf = validCertificate({ organization: 'Leaf, AS', serial: '7eaf114c0ffee2', issuer: root });
const other = validCertificate({ organization: 'Other TPP', serial: '7eaf114c0ffee3', issuer: root });
const otherRoot = validCertificate({
  organization: 'Other Root',
  organizationIdentifier: 'Y',
  roles: null,
  authority: true,
  key: 3072,
  serial: leaf.serialHex,
});
const sameSerial = validCertificate({ organization: 'Third TPP', serial: leaf.serialHex, issuer: otherRoot });
const leafKey = createPrivateKey(leaf.keyPem);

/** Signs with the key of the leaf, whose keyId it has, and sends this certificate. */
const leafSends =
  (certificate: string, changes: Partial<Parts> = {}) =>
  (parts: Parts) => {
    parts.value = (text) => sign('RSA-SHA256', Buffer.from(text), leafKey).toString('base64');
    parts.keyId = `SN=${leaf.serialHex},CA=${leaf.issuerDn}`;
    parts.certificate = certificate;
    Object.assign(parts, changes);
  };
const sends = (certificate: string) => (parts: Parts) => {
  parts.certificate = certificate;
};

const key = createPublicKey(tpp.certificatePem);
/** A public key in other forms than the usual one. */
export const publicKeys: readonly string[] = [
  key.export({ type: 'pkcs1', format: 'der' }).toString('base64'),
  Buffer.from(key.export({ type: 'pkcs1', format: 'pem' })).toString('base64'),
  Buffer.from(key.export({ type: 'spki', format: 'pem' })).toString('base64'),
];
const pemOfKey = key.export({ type: 'spki', format: 'pem' }).toString();
const inOneLine = (pem: string, joint: string): string => pem.trim().replaceAll('\n', joint);
const unreadable = 'CERTIFICATE_INVALID';

/** Another certificate is sent than that of the signing key, or none at all. */
export const wrongCertificates: readonly Mistake[] = [
  [
    'the root',
    leafSends(root.certificateBase64),
    wrong,
    `the keyId names "${leaf.serialHex}". It is the root of an authority (`,
  ],
  [
    "another TPP's certificate",
    leafSends(other.certificateBase64),
    wrong,
    `The certificate sent is the wrong one: its serial is ${other.serialHex.toUpperCase()}, the keyId names "${leaf.serialHex}". It is another certificate`,
  ],
  [
    'the root, and the keyId of the root',
    leafSends(root.certificateBase64, { keyId: `SN=${root.serialHex},CA=${root.issuerDn}` }),
    wrong,
    'The certificate sent is the wrong one. It is the root of an authority (',
  ],
  [
    "another TPP's certificate with the same serial, of another authority",
    leafSends(sameSerial.certificateBase64),
    wrong,
    'in the certificate. It is another certificate than that of the signing key. Send the certificate that was issued',
  ],
  [
    'the root of another authority, with the same serial',
    leafSends(otherRoot.certificateBase64),
    wrong,
    'in the certificate. It is the root of an authority (',
  ],
  [
    'a wrong serial beside the right certificate',
    leafSends(leaf.certificateBase64, { keyId: `SN=7EAF114C0FFEE9,CA=${leaf.issuerDn}` }),
    wrong,
    'The serial in the keyId is "7EAF114C0FFEE9", the certificate\'s is 7EAF114C0FFEE2. Write the serial of',
  ],
  [
    'a public key',
    sends(key.export({ type: 'spki', format: 'der' }).toString('base64')),
    unreadable,
    'used. It is a public key, not',
  ],
  [
    'a private key',
    sends(createPrivateKey(tpp.keyPem).export({ type: 'pkcs8', format: 'der' }).toString('base64')),
    unreadable,
    'It is a private key, not a certificate. A private key is for nobody else: make another.',
  ],
  [
    'a PEM with percent escapes',
    sends(encodeURIComponent(tpp.certificatePem)),
    unreadable,
    'it is a PEM text with percent escapes, not strict base64',
  ],
  [
    'a PEM of a public key with percent escapes',
    sends(encodeURIComponent(pemOfKey)),
    unreadable,
    'line breaks. It is a public key, not a certificate. Send',
  ],
  [
    'a PEM joined by blanks',
    sends(inOneLine(tpp.certificatePem, ' ')),
    unreadable,
    'it is a PEM text with blanks in place of its line breaks',
  ],
  [
    'a PEM joined by \\n',
    sends(inOneLine(tpp.certificatePem, String.raw`\n`)),
    unreadable,
    'it is a PEM text with a backslash and an n in place of',
  ],
  [
    'a PEM in one line',
    sends(inOneLine(tpp.certificatePem, '')),
    unreadable,
    'it is a PEM text without its line breaks',
  ],
  [
    'base64 with blanks',
    sends(tpp.certificateBase64.replace(/.{64}/g, '$& ')),
    unreadable,
    'it is base64 with blanks in it',
  ],
  [
    'base64url',
    sends(Buffer.from(tpp.certificateBase64, 'base64').toString('base64url').replace(/^..../, 'MII-')),
    unreadable,
    'it is base64 for URLs',
  ],
  [
    'percent escapes',
    sends(encodeURIComponent(`${tpp.certificateBase64.slice(0, -4)}+/==`)),
    unreadable,
    'it is base64 with percent escapes',
  ],
  ['colons', sends(`:${tpp.certificateBase64}:`), unreadable, 'in colons, as Client-Cert has it'],
];
