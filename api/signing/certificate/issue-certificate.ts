import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto';
import type { asn1 } from 'node-forge';
import type { Instant } from '../../../engine/values/instant.ts';
import { membersOf, parseDer } from './der.ts';
import { encode, fromDer, loadForge, toDer } from './der-encoding.ts';
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
  readonly key?: 1024 | 2048 | 3072 | 4096 | 'P-256';
  /** An existing key, PKCS#8 PEM; left out: a new one is generated. */
  readonly keyPem?: string;
  /** Left out: self-signed. */
  readonly issuer?: { readonly certificatePem: string; readonly keyPem: string };
  /** True for a certificate that may issue others. */
  readonly authority?: boolean;
}

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

const algorithms = { rsa: '1.2.840.113549.1.1.11', ec: '1.2.840.10045.4.3.2' } as const;

/** Issues a throw-away certificate with a new key, unless one is given. Throws a plain Error for a serial that is not hexadecimal. */
export function issueCertificate(request: CertificateRequest): IssuedCertificate {
  const { publicKey, privateKey } = keysOf(request);
  const signer = request.issuer === undefined ? privateKey : createPrivateKey(request.issuer.keyPem);
  const content = encodeContent(request, publicKey.export({ type: 'spki', format: 'der' }), signer);
  const signature = sign('sha256', toDer(content), signer);
  const der = toDer(encode.sequence(content, encodeAlgorithm(signer), encode.bits(signature)));
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
    encodeAlgorithm(signer),
    request.issuer === undefined ? subject : subjectOf(request.issuer.certificatePem),
    encode.sequence(encode.time(request.validFrom), encode.time(request.validTo)),
    subject,
    fromDer(publicKey),
    encode.tagged(3, encodeExtensions(request.authority ?? false, request.roles)),
  );
}

function keysOf({ key = 2048, keyPem }: CertificateRequest) {
  if (keyPem !== undefined) return { publicKey: createPublicKey(keyPem), privateKey: createPrivateKey(keyPem) };
  return key === 'P-256'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: key });
}

function encodeAlgorithm(signer: KeyObject): asn1.Asn1 {
  return signer.asymmetricKeyType === 'ec'
    ? encode.sequence(encode.oid(algorithms.ec))
    : encode.sequence(encode.oid(algorithms.rsa), encode.nothing());
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

const basicConstraints = '2.5.29.19';
const keyUsage = '2.5.29.15';

/** Encodes basic constraints, key usage and, unless `roles` is null, the PSD2 roles (ETSI TS 119 495). */
function encodeExtensions(authority: boolean, roles: readonly Psd2Role[] | null): asn1.Asn1 {
  // Bit 0 is digitalSignature, bit 5 keyCertSign; the first byte counts the unused bits.
  const usage = Buffer.from(authority ? [3, 2, 2, 4] : [3, 2, 7, 128]);
  return encode.sequence(
    extension(basicConstraints, true, toDer(authority ? encode.sequence(encode.boolean(true)) : encode.sequence())),
    extension(keyUsage, true, usage),
    ...(roles === null ? [] : [extension(qcStatementsOid, false, toDer(psd2Statement(roles)))]),
  );
}

function extension(oid: string, critical: boolean, content: Uint8Array): asn1.Asn1 {
  return encode.sequence(encode.oid(oid), ...(critical ? [encode.boolean(true)] : []), encode.bytes(content));
}

function psd2Statement(roles: readonly Psd2Role[]): asn1.Asn1 {
  const { UTF8 } = loadForge().asn1.Type;
  const rolesOfPsp = roles.map((role) => encode.sequence(encode.oid(roleOids[role]), encode.text(UTF8, role)));
  const authority = [encode.text(UTF8, 'Finanstilsynet'), encode.text(UTF8, 'NO-FSA')];
  return encode.sequence(
    encode.sequence(encode.oid(psd2StatementOid), encode.sequence(encode.sequence(...rolesOfPsp), ...authority)),
  );
}
