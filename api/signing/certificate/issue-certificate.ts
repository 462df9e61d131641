import { FairQueue } from '../../../engine/time/fair-queue.ts';
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import type { Instant } from '../../../engine/values/instant.ts';
import { membersOf, parseDer, contentOf, extensionContent, extensionsIn } from './der.ts';
import { type KeyKind, keyPairSync, keyPair } from './key-pair.ts';
import { issuerDn } from '../name/name-attribute.ts';
import { type Psd2Role, psd2StatementOid, qcStatementsOid, roleOids } from './psd2-roles.ts';
import { normaliseSerial } from './serial.ts';

export interface CertificateRequest extends CertificateName {
  /** Null: no statement of roles. An empty list: a statement without roles. */
  readonly roles: readonly Psd2Role[] | null;
  readonly validFrom: Instant;
  readonly validTo: Instant;
  /** Hexadecimal, positive. Left out: the first eight bytes of the key's SHA-256. */
  readonly serial?: string;
  /** 2048 when left out; fewer, or `P-256`, makes a certificate the bank must refuse (rules.md G5). */
  readonly key?: KeyKind;
  /** An existing key, PKCS#8 PEM; left out: a new one is generated, which blocks for as long as that takes. */
  readonly keyPem?: string;
  /** Left out: self-signed. */
  readonly issuer?: { readonly certificatePem: string; readonly keyPem: string };
  /** True for a certificate that may issue others. */
  readonly authority?: boolean;
  /** Hash of the certificate's signature, SHA-256 when left out; the bank must refuse the others (rules.md G10). */
  readonly hash?: SignatureHash;
  /** True for a signature with its last bit changed. */
  readonly brokenSignature?: boolean;
}

type SignatureHash = 'sha256' | 'sha1' | 'md5';

export interface IssuedCertificate {
  readonly certificatePem: string;
  /** The value of TPP-Signature-Certificate. */
  readonly certificateBase64: string;
  /** PKCS#8, unencrypted: for throw-away keys. */
  readonly keyPem: string;
  readonly serialHex: string;
  /** RFC 2253, as a client writes it into the keyId. */
  readonly issuerDn: string;
}

const rsaSignature: Readonly<Record<SignatureHash, string>> = {
  sha256: '1.2.840.113549.1.1.11',
  sha1: '1.2.840.113549.1.1.5',
  md5: '1.2.840.113549.1.1.4',
};
const ecdsaWithSha256 = '1.2.840.10045.4.3.2';

/**
 * Issues a throw-away certificate in the shape of ETSI TS 119 495, with a new key unless one is given. Throws a plain Error
 * for a serial that is not hexadecimal, and for SHA-1 or MD5 with an EC signer.
 */
export function issueCertificate(request: CertificateRequest): IssuedCertificate {
  const { publicKey, privateKey } = keysOf(request);
  const signer = request.issuer === undefined ? privateKey : createPrivateKey(request.issuer.keyPem);
  const content = encodeContent(request, publicKey.export({ type: 'spki', format: 'der' }), signer);
  const signature = sign(request.hash ?? 'sha256', content, signer);
  if (request.brokenSignature === true) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
  const whole = sequence(content, encodeAlgorithm(signer, request.hash), bits(0, signature));
  const x509 = new X509Certificate(whole);
  return {
    certificatePem: x509.toString(),
    certificateBase64: whole.toString('base64'),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    serialHex: normaliseSerial(x509.serialNumber) ?? '',
    issuerDn: issuerDn(x509),
  };
}

function encodeContent(request: CertificateRequest, publicKey: Buffer, signer: KeyObject): Buffer {
  const subject = encodeName(request);
  return sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serialBytes(request.serial ?? hashOf(publicKey))),
    encodeAlgorithm(signer, request.hash),
    request.issuer === undefined ? subject : subjectOf(request.issuer.certificatePem),
    sequence(time(request.validFrom), time(request.validTo)),
    subject,
    publicKey,
    der(0xa3, encodeExtensions(request, publicKey)),
  );
}

function keysOf({ key = 2048, keyPem }: CertificateRequest) {
  if (keyPem !== undefined) return { publicKey: createPublicKey(keyPem), privateKey: createPrivateKey(keyPem) };
  return keyPairSync(key);
}

function encodeAlgorithm(signer: KeyObject, hash: SignatureHash = 'sha256'): Buffer {
  if (signer.asymmetricKeyType !== 'ec') return sequence(oid(rsaSignature[hash]), der(0x05));
  if (hash !== 'sha256') throw new Error(`an EC key signs with sha256 here, not ${hash}`);
  return sequence(oid(ecdsaWithSha256));
}

/** Subject of the issuer certificate, byte for byte: verifiers compare the two names. */
function subjectOf(certificatePem: string): Buffer {
  const subject = membersOf(membersOf(parseDer(new X509Certificate(certificatePem).raw))[0])[5];
  if (subject === undefined) throw new Error('the issuer certificate has no subject');
  return subject.toDER();
}

/** A leading 00 keeps the number positive when its first bit is set; superfluous zeros are not DER. */
function serialBytes(hex: string): Buffer {
  const digits = normaliseSerial(hex);
  if (digits === null) throw new Error(`serial "${hex}" is not hexadecimal`);
  const bytes = inBytes(digits);
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

function hashOf(publicKey: Buffer): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
}

/** Subject name of an issued certificate. */
interface CertificateName {
  readonly commonName: string;
  readonly organization: string;
  readonly organizationIdentifier?: string;
}

/** Encodes `C=NO, O, organizationIdentifier, CN`, in the order of Norwegian issuers. */
function encodeName(name: CertificateName): Buffer {
  const attribute = (type: string, value: Buffer): Buffer => der(0x31, sequence(oid(type), value));
  return sequence(
    attribute('2.5.4.6', der(0x13, 'NO')),
    attribute('2.5.4.10', text(name.organization)),
    ...(name.organizationIdentifier === undefined ? [] : [attribute('2.5.4.97', text(name.organizationIdentifier))]),
    attribute('2.5.4.3', text(name.commonName)),
  );
}

const keys = new FairQueue('keys');

/**
 * Generates a private key, PKCS#8 in PEM, on a thread of libuv's pool: requests go on meanwhile. One key at a time, so that
 * the other threads stay free for files; the banks take turns. Throws ACCESS_EXCEEDED if too many keys of a bank wait.
 */
export async function generateKey(kind: KeyKind = 2048): Promise<string> {
  const { privateKey } = await keys.run(() => keyPair(kind));
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

const subjectKeyIdentifier = '2.5.29.14';
const keyUsage = '2.5.29.15';
const basicConstraints = '2.5.29.19';
const certificatePolicies = '2.5.29.32';
const authorityKeyIdentifier = '2.5.29.35';
/** QCP-l of ETSI EN 319 411-2: a qualified certificate of a legal person. */
const sealPolicy = '0.4.0.194112.1.1';
/** QcCompliance, QcType and its value eseal, of ETSI EN 319 412-5. */
const [qcCompliance, qcType, eseal] = ['0.4.0.1862.1.1', '0.4.0.1862.1.6', '0.4.0.1862.1.6.2'];

/**
 * Encodes the extensions of a certificate: constraints, key usage, the identifiers of both keys and, unless `roles` is null,
 * what a qualified seal of a TPP states (ETSI TS 119 495): its policy, and QCStatements with the PSD2 roles.
 */
function encodeExtensions(request: CertificateRequest, publicKey: Buffer): Buffer {
  const { authority = false, roles, issuer } = request;
  // Bits 0 and 1 are digitalSignature and nonRepudiation, bit 5 keyCertSign.
  const usage = authority ? bits(2, Buffer.of(4)) : bits(6, Buffer.of(0xc0));
  // A self-signed certificate names no other key, so that a change of it cannot hide its signature (rules.md G10).
  const above = issuer === undefined ? null : identifierOf(issuer.certificatePem);
  return sequence(
    extension(basicConstraints, true, sequence(...(authority ? [isTrue] : []))),
    extension(keyUsage, true, usage),
    extension(subjectKeyIdentifier, false, der(0x04, keyIdentifier(publicKey))),
    ...(above === null ? [] : [extension(authorityKeyIdentifier, false, sequence(der(0x80, above)))]),
    ...(roles === null
      ? []
      : [
          extension(certificatePolicies, false, sequence(sequence(oid(sealPolicy)))),
          extension(qcStatementsOid, false, qcStatements(roles)),
        ]),
  );
}

function extension(type: string, isCritical: boolean, content: Buffer): Buffer {
  return sequence(oid(type), ...(isCritical ? [isTrue] : []), der(0x04, content));
}

/** The first 20 bytes of the SHA-256 of the key (RFC 7093, section 2). */
function keyIdentifier(publicKey: Buffer): Buffer {
  return createHash('sha256').update(publicKey).digest().subarray(0, 20);
}

/** The subject key identifier of the issuer, which others compare; null when it has none. */
function identifierOf(certificatePem: string): Buffer | null {
  const [content] = membersOf(parseDer(new X509Certificate(certificatePem).raw));
  const extensions = extensionsIn(membersOf(content));
  const identifier = extensions === null ? null : extensionContent(extensions, subjectKeyIdentifier);
  return identifier === null ? null : contentOf(parseDer(identifier));
}

function qcStatements(roles: readonly Psd2Role[]): Buffer {
  const rolesOfPsp = roles.map((role) => sequence(oid(roleOids[role]), text(role)));
  const psd2Statement = sequence(sequence(...rolesOfPsp), text('Finanstilsynet'), text('NO-FSA'));
  return sequence(
    sequence(oid(qcCompliance)),
    sequence(oid(qcType), sequence(oid(eseal))),
    sequence(oid(psd2StatementOid), psd2Statement),
  );
}

/** A DER value: its tag, its length, and its content in parts. */
function der(tag: number, ...content: readonly (Buffer | string)[]): Buffer {
  const whole = Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const length = inBytes(whole.length.toString(16));
  return Buffer.concat([Buffer.of(tag, ...(whole.length < 0x80 ? [] : [0x80 | length.length])), length, whole]);
}

function sequence(...members: readonly Buffer[]): Buffer {
  return der(0x30, ...members);
}

/** A UTF8String. */
function text(value: string): Buffer {
  return der(0x0c, value);
}

const isTrue = der(0x01, Buffer.of(0xff));

/** A BIT STRING without this number of bits at its end. */
function bits(unused: number, content: Buffer): Buffer {
  return der(0x03, Buffer.of(unused), content);
}

/** An object identifier. Each arc has seven bits in a byte; all of its bytes but the last have their first bit set. */
function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  const bytes = [40 * first + second, ...others].flatMap((arc) => {
    const own = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) own.unshift(0x80 | (left & 0x7f));
    return own;
  });
  return der(0x06, Buffer.from(bytes));
}

/** Whole seconds; UTCTime until 2049 and GeneralizedTime from then on, as RFC 5280 section 4.1.2.5 wants. */
function time(instant: Instant): Buffer {
  const digits = `${new Date(instant).toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`;
  return digits < '2050' ? der(0x17, digits.slice(2)) : der(0x18, digits);
}

function inBytes(hex: string): Buffer {
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}
