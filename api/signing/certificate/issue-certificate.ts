import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import type { asn1 } from 'node-forge';
import type { Instant } from '../../../engine/values/instant.ts';
import { encodeExtensions } from './certificate-extensions.ts';
import { membersOf, parseDer } from './der.ts';
import { encode, fromDer, loadForge, toDer } from './der-encoding.ts';
import { type KeyKind, keyPairSync } from './key-pair.ts';
import { issuerDn } from '../name/name-attribute.ts';
import type { Psd2Role } from './psd2-roles.ts';
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
  const signature = sign(request.hash ?? 'sha256', toDer(content), signer);
  if (request.brokenSignature === true) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
  const der = toDer(encode.sequence(content, encodeAlgorithm(signer, request.hash), encode.bits(signature)));
  const x509 = new X509Certificate(der);
  return {
    certificatePem: x509.toString(),
    certificateBase64: der.toString('base64'),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    serialHex: normaliseSerial(x509.serialNumber) ?? '',
    issuerDn: issuerDn(x509),
  };
}

function encodeContent(request: CertificateRequest, publicKey: Buffer, signer: KeyObject): asn1.Asn1 {
  const subject = encodeName(request);
  return encode.sequence(
    encode.tagged(0, encode.integer(Buffer.of(2))),
    encode.integer(serialBytes(request.serial ?? hashOf(publicKey))),
    encodeAlgorithm(signer, request.hash),
    request.issuer === undefined ? subject : subjectOf(request.issuer.certificatePem),
    encode.sequence(encode.time(request.validFrom), encode.time(request.validTo)),
    subject,
    fromDer(publicKey),
    encode.tagged(3, encodeExtensions(request, publicKey)),
  );
}

function keysOf({ key = 2048, keyPem }: CertificateRequest) {
  if (keyPem !== undefined) return { publicKey: createPublicKey(keyPem), privateKey: createPrivateKey(keyPem) };
  return keyPairSync(key);
}

function encodeAlgorithm(signer: KeyObject, hash: SignatureHash = 'sha256'): asn1.Asn1 {
  if (signer.asymmetricKeyType !== 'ec') return encode.sequence(encode.oid(rsaSignature[hash]), encode.nothing());
  if (hash !== 'sha256') throw new Error(`an EC key signs with sha256 here, not ${hash}`);
  return encode.sequence(encode.oid(ecdsaWithSha256));
}

/** Subject of the issuer certificate, byte for byte: verifiers compare the two names. */
function subjectOf(certificatePem: string): asn1.Asn1 {
  const subject = membersOf(membersOf(parseDer(new X509Certificate(certificatePem).raw))[0])[5];
  if (subject === undefined) throw new Error('the issuer certificate has no subject');
  return fromDer(subject.toDER());
}

/** A leading 00 keeps the number positive when its first bit is set; superfluous zeros are not DER. */
function serialBytes(hex: string): Buffer {
  const digits = normaliseSerial(hex);
  if (digits === null) throw new Error(`serial "${hex}" is not hexadecimal`);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
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
function encodeName(name: CertificateName): asn1.Asn1 {
  const { Type } = loadForge().asn1;
  const attribute = (oid: string, value: string, type: asn1.Type = Type.UTF8) =>
    encode.set(encode.sequence(encode.oid(oid), encode.text(type, value)));
  return encode.sequence(
    attribute('2.5.4.6', 'NO', Type.PRINTABLESTRING),
    attribute('2.5.4.10', name.organization),
    ...(name.organizationIdentifier === undefined ? [] : [attribute('2.5.4.97', name.organizationIdentifier)]),
    attribute('2.5.4.3', name.commonName),
  );
}
