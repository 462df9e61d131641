import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import type { asn1 } from 'node-forge';
import { assert } from '../../../engine/values/assert.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import { membersOf, parseDer, contentOf, extensionContent, extensionsIn } from './der.ts';
import { type KeyKind, keyPairSync, keyPair } from './key-pair.ts';
import { issuerDn } from '../name/name-attribute.ts';
import { type Psd2Role, psd2StatementOid, qcStatementsOid, roleOids } from './psd2-roles.ts';
import { normaliseSerial } from './serial.ts';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import type * as NodeForge from 'node-forge';

const day = 86_400_000;

/**
 * The validity of a new certificate: so many days from now on, and the day before, because clocks differ. For several
 * clocks, the first and the last of them count.
 */
export function validity(now: Instant | readonly Instant[], days: number): Validity {
  const all = [now].flat();
  return { validFrom: (Math.min(...all) - day) as Instant, validTo: (Math.max(...all) + days * day) as Instant };
}

/** The time in which a certificate is used; its end is exclusive. */
export interface Validity {
  readonly validFrom: Instant;
  readonly validTo: Instant;
}

/** Whether one of these clocks shows a time in which the certificate cannot be used. */
export function isOutside({ validFrom, validTo }: Validity, clocks: readonly Instant[]): boolean {
  return clocks.some((at) => at < validFrom || at >= validTo);
}

export interface CertificateRequest extends CertificateName, Validity {
  /** Null means no statement of roles. An empty list means a statement without roles. */
  readonly roles: readonly Psd2Role[] | null;
  /** Hexadecimal, positive. The default is the first eight bytes of the key's SHA-256. */
  readonly serial?: string;
  /** 2048 when left out; fewer, or `P-256`, makes a certificate the bank must refuse (rules.md G5). */
  readonly key?: KeyKind;
  /** An existing key, PKCS#8 PEM. Without one a new key is generated, which blocks for as long as that takes. */
  readonly keyPem?: string;
  /** By default it is self-signed. */
  readonly issuer?: { readonly certificatePem: string; readonly keyPem: string };
  /** Host names and IP addresses of a server, for a certificate of TLS. */
  readonly hosts?: readonly string[];
  /** True for a certificate that may issue others. */
  readonly authority?: boolean;
  /** Hash of the certificate's signature, SHA-256 when left out; the bank must refuse the others (rules.md G10). */
  readonly hash?: SignatureHash;
  /** True for a signature with its last bit changed. */
  readonly brokenSignature?: boolean;
}

type SignatureHash = 'sha256' | 'sha1' | 'md5';

export type IssuedCertificate = ReturnType<typeof issueCertificate>;

const rsaSignature: Readonly<Record<SignatureHash, string>> = {
  sha256: '1.2.840.113549.1.1.11',
  sha1: '1.2.840.113549.1.1.5',
  md5: '1.2.840.113549.1.1.4',
};
const ecdsaWithSha256 = '1.2.840.10045.4.3.2';

/**
 * Issues a throw-away certificate in the shape of ETSI TS 119 495, with a new key unless one is given. Throws a plain
 * Error for a serial that is not hexadecimal, and for SHA-1 or MD5 with an EC signer.
 */
export function issueCertificate(request: CertificateRequest) {
  const { publicKey, privateKey } = keysOf(request);
  const signer = request.issuer === undefined ? privateKey : createPrivateKey(request.issuer.keyPem);
  const content = encodeContent(request, publicKey.export({ type: 'spki', format: 'der' }), signer);
  const signature = sign(request.hash ?? 'sha256', toDer(content), signer);
  if (request.brokenSignature === true) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
  const der = toDer(encode.sequence(content, encodeAlgorithm(signer, request.hash), encode.bits(signature)));
  const x509 = new X509Certificate(der);
  return {
    certificatePem: x509.toString(),
    /** The value of TPP-Signature-Certificate. */
    certificateBase64: der.toString('base64'),
    /** PKCS#8, unencrypted: for throw-away keys. */
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    serialHex: normaliseSerial(x509.serialNumber) ?? '',
    /** RFC 2253, as a client writes it into the keyId. */
    issuerDn: issuerDn(x509),
  };
}

function encodeContent(request: CertificateRequest, publicKey: Buffer, signer: KeyObject): asn1.Asn1 {
  const subject = encodeName(request);
  return encode.sequence(
    encode.tagged(0, encode.integer(Buffer.of(2))),
    encode.integer(serialBytes(request.serial ?? keyIdentifier(publicKey).toString('hex', 0, 8))),
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
  assert(hash === 'sha256', `an EC key signs with sha256 here, not ${hash}`);
  return encode.sequence(encode.oid(ecdsaWithSha256));
}

/** Subject of the issuer certificate, byte for byte: verifiers compare the two names. */
function subjectOf(certificatePem: string): asn1.Asn1 {
  const subject = membersOf(membersOf(parseDer(new X509Certificate(certificatePem).raw))[0])[5];
  assert(subject !== undefined, 'the issuer certificate has a subject');
  return fromDer(subject.toDER());
}

/** A leading 00 keeps the number positive when its first bit is set; superfluous zeros are not DER. */
function serialBytes(hex: string): Buffer {
  const digits = normaliseSerial(hex);
  assert(digits !== null, `the serial ${hex} is hexadecimal`);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

/** Subject name of an issued certificate. */
interface CertificateName {
  readonly commonName: string;
  readonly organization: string;
  readonly organizationIdentifier?: string;
}

/** Encodes `C=NO, O, organizationIdentifier, CN`, in the order of Norwegian issuers. */
function encodeName(name: CertificateName): asn1.Asn1 {
  const { commonName, organization, organizationIdentifier: id } = name;
  const attribute = (oid: string, value: asn1.Asn1) => encode.set(encode.sequence(encode.oid(oid), value));
  return encode.sequence(
    attribute('2.5.4.6', encoded('PRINTABLESTRING', 'NO')),
    attribute('2.5.4.10', encode.text(organization)),
    ...(id === undefined ? [] : [attribute('2.5.4.97', encode.text(id))]),
    attribute('2.5.4.3', encode.text(commonName)),
  );
}

/** Generates a private key, PKCS#8 in PEM, on a thread of libuv's pool: requests go on meanwhile. */
export async function generateKey(kind: KeyKind = 2048): Promise<string> {
  const { privateKey } = await keyPair(kind);
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

const subjectKeyIdentifier = '2.5.29.14';
const keyUsage = '2.5.29.15';
const basicConstraints = '2.5.29.19';
const subjectAlternativeName = '2.5.29.17';
const extendedKeyUsage = '2.5.29.37';
const [serverAuthentication, documentSigning] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.36'];
const certificatePolicies = '2.5.29.32';
const authorityKeyIdentifier = '2.5.29.35';
/** QCP-l of ETSI EN 319 411-2: a qualified certificate of a legal person. */
const sealPolicy = '0.4.0.194112.1.1';
/** QcCompliance, QcType and its value eseal, of ETSI EN 319 412-5. */
const [qcCompliance, qcType, eseal] = ['0.4.0.1862.1.1', '0.4.0.1862.1.6', '0.4.0.1862.1.6.2'];

/**
 * Encodes the extensions of a certificate: constraints (path length 0), key usage and purpose, the identifiers of both
 * keys and, unless `roles` is null, what a qualified seal of a TPP states (ETSI TS 119 495): its policy, and
 * QCStatements with the PSD2 roles.
 */
function encodeExtensions(request: CertificateRequest, publicKey: Buffer): asn1.Asn1 {
  const { authority = false, roles, issuer, hosts = [] } = request;
  // Bits 0 and 1 are digitalSignature and nonRepudiation, bit 5 keyCertSign.
  const usage = authority ? encode.bits(Buffer.of(4), 2) : encode.bits(Buffer.of(0xc0), 6);
  const purpose = hosts.length === 0 ? documentSigning : serverAuthentication;
  // A self-signed certificate names no other key, so that a change of it cannot hide its signature (rules.md G10).
  const above = issuer === undefined ? null : identifierOf(issuer.certificatePem);
  return encode.sequence(
    extension(
      basicConstraints,
      true,
      encode.sequence(...(authority ? [encode.true(), encode.integer(Buffer.of(0))] : [])),
    ),
    extension(keyUsage, true, usage),
    extension(subjectKeyIdentifier, false, encode.bytes(keyIdentifier(publicKey))),
    ...(above === null
      ? []
      : [extension(authorityKeyIdentifier, false, encode.sequence(encode.taggedBytes(0, above)))]),
    ...(hosts.length === 0
      ? []
      : [extension(subjectAlternativeName, false, encode.sequence(...hosts.map(generalName)))]),
    // A seal is no certificate of a server, whatever its common name is (rules.md G13).
    ...(authority ? [] : [extension(extendedKeyUsage, false, encode.sequence(encode.oid(purpose)))]),
    ...(roles === null
      ? []
      : [
          extension(certificatePolicies, false, encode.sequence(encode.sequence(encode.oid(sealPolicy)))),
          extension(qcStatementsOid, false, qcStatements(roles)),
        ]),
  );
}

/** A host as a dNSName or an iPAddress (RFC 5280 section 4.2.1.6). */
function generalName(host: string): asn1.Asn1 {
  if (isIP(host) === 0) return encode.taggedBytes(2, Buffer.from(host, 'latin1'));
  // Missing in the types of node-forge.
  const { util } = loadForge();
  const { bytesFromIP } = util as typeof util & { readonly bytesFromIP: (address: string) => string };
  return encode.taggedBytes(7, Buffer.from(bytesFromIP(host), 'latin1'));
}

function extension(oid: string, critical: boolean, content: asn1.Asn1): asn1.Asn1 {
  return encode.sequence(encode.oid(oid), ...(critical ? [encode.true()] : []), encode.bytes(toDer(content)));
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

function qcStatements(roles: readonly Psd2Role[]): asn1.Asn1 {
  const rolesOfPsp = roles.map((role) => encode.sequence(encode.oid(roleOids[role]), encode.text(role)));
  const authority = [encode.text('Finanstilsynet'), encode.text('NO-FSA')];
  return encode.sequence(
    encode.sequence(encode.oid(qcCompliance)),
    encode.sequence(encode.oid(qcType), encode.sequence(encode.oid(eseal))),
    encode.sequence(encode.oid(psd2StatementOid), encode.sequence(encode.sequence(...rolesOfPsp), ...authority)),
  );
}

export type Forge = typeof NodeForge;

let forge: Forge | null = null;

/** Loads node-forge on first use: it is large, and only issuing certificates needs it. */
export function loadForge(): Forge {
  forge ??= createRequire(import.meta.url)('node-forge') as Forge;
  return forge;
}

/** Builders of DER values for issued certificates, as node-forge trees. */
const encode = {
  sequence: (...members: asn1.Asn1[]) => encoded('SEQUENCE', members),
  set: (...members: asn1.Asn1[]) => encoded('SET', members),
  oid: (dotted: string) => encoded('OID', loadForge().asn1.oidToDer(dotted).getBytes()),
  bytes: (content: Uint8Array) => encoded('OCTETSTRING', latin1(content)),
  /** A BIT STRING without this number of bits at its end. */
  bits: (content: Uint8Array, unused = 0) => encoded('BITSTRING', String.fromCharCode(unused) + latin1(content)),
  /** Takes big-endian bytes, with a leading 00 when the sign bit is set. */
  integer: (content: Uint8Array) => encoded('INTEGER', latin1(content)),
  true: () => encoded('BOOLEAN', '\xff'),
  nothing: () => encoded('NULL', ''),
  text: (value: string) => encoded('UTF8', latin1(Buffer.from(value, 'utf8'))),
  /** Whole seconds; UTCTime until 2049 and GeneralizedTime from then on, as RFC 5280 section 4.1.2.5 wants. */
  time: (milliseconds: number) => {
    const { dateToUtcTime, dateToGeneralizedTime } = loadForge().asn1;
    const date = new Date(milliseconds);
    return date.getUTCFullYear() < 2050
      ? encoded('UTCTIME', dateToUtcTime(date))
      : encoded('GENERALIZEDTIME', dateToGeneralizedTime(date));
  },
  /** An explicit context tag around a value. */
  tagged: (tag: number, member: asn1.Asn1) => encoded(tag, [member]),
  /** Bytes under a context tag in place of their own (IMPLICIT). */
  taggedBytes: (tag: number, content: Uint8Array) => encoded(tag, latin1(content)),
};

/** A value of a type, or under a context tag. `content`: bytes as latin1, or members. */
function encoded(type: keyof typeof asn1.Type | number, content: string | asn1.Asn1[]): asn1.Asn1 {
  const { create, Class, Type } = loadForge().asn1;
  const isTag = typeof type === 'number';
  const number = isTag ? type : Type[type];
  return create(isTag ? Class.CONTEXT_SPECIFIC : Class.UNIVERSAL, number, Array.isArray(content), content);
}

/** Parses DER bytes into a tree, to embed them unchanged. */
function fromDer(der: Uint8Array): asn1.Asn1 {
  return loadForge().asn1.fromDer(latin1(der), true);
}

/** Encodes a tree as DER bytes. */
function toDer(node: asn1.Asn1): Buffer {
  return Buffer.from(loadForge().asn1.toDer(node).getBytes(), 'latin1');
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
