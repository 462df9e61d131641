import { X509Certificate, createPrivateKey, createPublicKey } from 'node:crypto';
import { keepNewest } from '../../../engine/values/lists.ts';
import { signingRefusal } from '../signing-refusal.ts';
import { decodeStrictBase64 } from '../signature/signed-text.ts';
import { type Psd2Role, psd2Roles } from './psd2-roles.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import {
  type DerValue,
  extensionsIn,
  membersOf,
  oidOf,
  parseDer,
  derText,
  contentOf,
  extensionContent,
} from './der.ts';
import { formatName, type NameAttribute, nameValue } from '../name/name-attribute.ts';
import { normaliseSerial } from './serial.ts';
import { unescaped } from '../../../engine/values/text.ts';

const cacheSize = 1000;

/**
 * Reads TPP-Signature-Certificate headers and caches the last 1000 different certificates: parsing one costs several
 * times as much as verifying a signature. Refusals are not cached; a cached certificate is still checked at each
 * request.
 */
export function createCertificateReader(): (header: string) => TppCertificate {
  const cached = new Map<string, TppCertificate>();
  return (header) => {
    const certificate = cached.get(header) ?? readTppCertificate(decodeCertificateHeader(header));
    keepNewest(cached, header, certificate, cacheSize);
    return certificate;
  };
}

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';
/**
 * In characters. A certificate with an RSA key of 16,384 bits takes 8,000; Node reads 16,384 of all headers together.
 */
const maxCertificateChars = 12_288;

/**
 * DER of a TPP-Signature-Certificate header, which is the base64 of DER or, from some clients, of PEM text.
 * Strict base64, one certificate (rules.md G5), else a CERTIFICATE_INVALID refusal.
 */
function decodeCertificateHeader(value: string): Buffer {
  if (value.length > maxCertificateChars)
    throw invalidHeader(`it is ${value.length} characters long, at most ${maxCertificateChars} are read`);
  const bytes = decodeStrictBase64(value);
  if (bytes === null) throw unreadable(otherContent(value));
  const text = bytes.toString('latin1').trim();
  if (!text.startsWith(begin)) return bytes;
  const der = text.endsWith(end) ? decodeLines(text.slice(begin.length, -end.length)) : null;
  if (der === null) throw invalidHeader('the PEM text inside is not exactly one certificate');
  return der;
}

/** The base64 between the BEGIN and END lines, decoded; null when it is not strict base64. */
function decodeLines(lines: string): Buffer | null {
  return /^\s/.test(lines) && /\s$/.test(lines) ? decodeStrictBase64(lines.replace(/\s/g, '')) : null;
}

/** Whether a certificate header that can be read is the base64 of a PEM text. */
export function isPemAsBase64(value: string): boolean {
  return Buffer.from(value, 'base64').toString('latin1').trimStart().startsWith(begin);
}

function unreadable({ form, held }: ReturnType<typeof otherContent>) {
  const problem =
    form === null
      ? 'it is not strict base64 (standard alphabet, padded, no blanks or line breaks)'
      : `it is ${form}, not strict base64`;
  return invalidHeader(problem, held === null ? '' : ` ${cureOfHeld(held)}`);
}

function invalidHeader(problem: string, more = '') {
  const text = `The header TPP-Signature-Certificate cannot be read: ${problem}. Send the PEM body without its BEGIN and END lines and without line breaks.${more}`;
  return signingRefusal('CERTIFICATE_INVALID', 'tpp-signature-certificate', text);
}

/** The TPP that signed a request, from its certificate. */
export interface Tpp {
  /** rules.md G8: the organizationIdentifier, or, without one, issuer and subject. */
  readonly id: string;
  /** Name for the PSU: the organisation, else the common name. */
  readonly name: string;
  /** It is null if the certificate states none. */
  readonly roles: ReadonlySet<Psd2Role> | null;
  /** Upper-case hexadecimal without leading zeros, as the interface's keyId has it. */
  readonly serial: string;
}

const smallestKey = 2048;
const commonName = '2.5.4.3';
const organization = '2.5.4.10';
const organizationIdentifier = '2.5.4.97';

/** A parsed certificate. Its validity is checked at each request. */
export interface TppCertificate {
  readonly tpp: Tpp;
  readonly x509: X509Certificate;
  readonly issuer: readonly NameAttribute[];
  readonly validFrom: Instant;
  readonly validTo: Instant;
}

/**
 * Reads one DER certificate with nothing after it: RSA key of 2048 bits or more (rules.md G5), no weak hash in its
 * signature and, when self-signed, a signature that verifies (rules.md G10). Anything else is a CERTIFICATE_INVALID
 * refusal.
 */
export function readTppCertificate(der: Buffer): TppCertificate {
  const x509 = parseX509(der);
  const key = x509.publicKey;
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < smallestKey) {
    const held =
      key.asymmetricKeyType === 'rsa'
        ? `an RSA key of ${bits} bits`
        : `a key of type ${key.asymmetricKeyType ?? 'unknown'}`;
    throw invalid(`It holds ${held}; RSA of ${smallestKey} bits or more is needed.`);
  }
  const { issuer, subject, roles, isSelfSigned: self, weakHash } = parseContent(der);
  if (weakHash !== null) throw invalid(`It is signed with ${weakHash}; SHA-256 or better is needed.`);
  if (self && !x509.verify(key)) throw invalid('Its own signature is broken: issue it again, and send it unchanged.');
  return {
    tpp: describeTpp(x509, issuer, subject, roles),
    x509,
    issuer,
    validFrom: x509.validFromDate.getTime() as Instant,
    validTo: x509.validToDate.getTime() as Instant,
  };
}

function parseX509(der: Buffer): X509Certificate {
  try {
    const x509 = new X509Certificate(der);
    // Reading `publicKey` parses the key: it may be malformed inside a well-formed certificate.
    if (x509.publicKey.type === 'public' && x509.raw.equals(der)) return x509;
  } catch {
    const held = keyIn(der);
    throw invalid(held === null ? 'It is not an X.509 certificate in DER.' : cureOfHeld(held));
  }
  throw invalid('Something follows the certificate; send exactly one.');
}

function parseContent(der: Buffer) {
  try {
    const [content, algorithm] = membersOf(parseDer(der));
    const fields = membersOf(content);
    // Only version 1 certificates lack the leading [0] version.
    const hasVersion = fields[0]?.tag.isContextSpecific(0) === true;
    const [, , issuer, , subject, , ...optional] = hasVersion ? fields.slice(1) : fields;
    const extensions = extensionsIn(optional);
    const names = { issuer: readName(issuer), subject: readName(subject) };
    return {
      ...names,
      roles: extensions === null ? null : psd2Roles(extensions),
      isSelfSigned: isSelfSigned(names.issuer, names.subject, extensions),
      weakHash: weakHashOf(algorithm),
    };
  } catch {
    throw invalid('Its names or its extensions are malformed.');
  }
}

function describeTpp(
  x509: X509Certificate,
  issuer: readonly NameAttribute[],
  subject: readonly NameAttribute[],
  roles: Tpp['roles'],
): Tpp {
  const serial = normaliseSerial(x509.serialNumber);
  if (serial === null) throw invalid('Its serial number is negative.');
  const id =
    nameValue(subject, organizationIdentifier) ?? `issuer ${formatName(issuer)} subject ${formatName(subject)}`;
  return { id, name: nameValue(subject, organization) ?? nameValue(subject, commonName) ?? id, roles, serial };
}

function readName(name: DerValue | undefined): NameAttribute[] {
  return membersOf(name).flatMap((relativeName) =>
    membersOf(relativeName).map((attribute, index) => {
      const [oid, value] = membersOf(attribute);
      return { oid: oidOf(oid), value: derText(value), ...(index > 0 && { joined: true }) };
    }),
  );
}

function invalid(problem: string) {
  return signingRefusal(
    'CERTIFICATE_INVALID',
    'tpp-signature-certificate',
    `The certificate cannot be used. ${problem}`,
  );
}

/** The words of the BEGIN line of a PEM text, also where its line breaks are lost. */
const beginLine = /-----BEGIN ([A-Z0-9 ]{1,40})-----/;

/**
 * Recognises a certificate header that is no strict base64: PEM and base64 in other spellings. `form`: how it is
 * written, such as "a PEM text with percent escapes", or null for the base64 that is wanted. `held`: its content, such
 * as "a public key", or null if it may be a certificate.
 */
function otherContent(value: string): { readonly form: string | null; readonly held: string | null } {
  const plain = unescaped(value);
  const label = beginLine.exec(plain)?.[1];
  if (label !== undefined) return { form: `a PEM text ${pemForm(value, plain)}`, held: heldBy(label) };
  const form = plain === value ? base64Form(value) : 'base64 with percent escapes';
  const der = Buffer.from(plain, 'base64');
  return { form, held: form === null ? null : keyIn(der) };
}

/** Names the key or the request in a DER value or a PEM text that holds no certificate, or null for anything else. */
function keyIn(bytes: Buffer): string | null {
  const label = beginLine.exec(bytes.toString('latin1'))?.[1];
  if (label !== undefined) return heldBy(label);
  const reads = (read: () => unknown): boolean => {
    try {
      return read() !== undefined;
    } catch {
      return false;
    }
  };
  // First: a public key is read from a private one too.
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    if (reads(() => createPrivateKey({ key: bytes, format: 'der', type }))) return 'a private key';
  }
  for (const type of ['spki', 'pkcs1'] as const) {
    if (reads(() => createPublicKey({ key: bytes, format: 'der', type }))) return 'a public key';
  }
  return null;
}

/** Says what the header holds in place of a certificate, and what to send. */
function cureOfHeld(held: string): string {
  const careful = held === 'a private key' ? ' A private key is for nobody else: make another.' : '';
  return `It is ${held}, not a certificate.${careful} Send the certificate that was issued for the key.`;
}

function heldBy(label: string): string | null {
  if (label.endsWith('PUBLIC KEY')) return 'a public key';
  if (label.endsWith('PRIVATE KEY')) return 'a private key';
  if (label.endsWith('CERTIFICATE REQUEST')) return 'a certificate request';
  return label === 'CERTIFICATE' ? null : `a PEM block ${label}`;
}

function pemForm(value: string, plain: string): string {
  if (plain !== value) return 'with percent escapes';
  if (plain.includes(String.raw`\n`)) return 'with a backslash and an n in place of each line break';
  return /-----BEGIN [A-Z0-9 ]+-----\s/.test(plain)
    ? 'with blanks in place of its line breaks'
    : 'without its line breaks';
}

function base64Form(value: string): string | null {
  const isBase64 = (text: string): boolean => decodeStrictBase64(text) !== null;
  if (isBase64(value.replace(/\s/g, ''))) return 'base64 with blanks in it';
  if (isBase64(value.replace(/^:(.*):$/s, '$1'))) return 'base64 in colons, as Client-Cert has it (RFC 9440)';
  if (/^[\w-]+={0,2}$/.test(value) && /[-_]/.test(value)) return 'base64 for URLs, with - and _';
  return /^[A-Za-z0-9+/]+$/.test(value) && value.length > 1 ? 'base64 without its padding' : null;
}

const subjectKeyIdentifier = '2.5.29.14';
const authorityKeyIdentifier = '2.5.29.35';
const rsaPss = '1.2.840.113549.1.1.10';

/** Hashes too weak for a certificate, by the OID of the hash or of the signature algorithm. */
const weakHashes: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.2', 'MD2'],
  ['1.2.840.113549.1.1.3', 'MD4'],
  ['1.2.840.113549.1.1.4', 'MD5'],
  ['1.2.840.113549.2.5', 'MD5'],
  ['1.3.14.3.2.3', 'MD5'],
  ['1.2.840.113549.1.1.5', 'SHA-1'],
  ['1.2.840.10040.4.3', 'SHA-1'],
  ['1.2.840.10045.4.1', 'SHA-1'],
  ['1.3.14.3.2.15', 'SHA-1'],
  ['1.3.14.3.2.26', 'SHA-1'],
  ['1.3.14.3.2.27', 'SHA-1'],
  ['1.3.14.3.2.29', 'SHA-1'],
]);

/**
 * Name of the weak hash in a certificate's signature (rules.md G10); null when the hash is not weak. `algorithm` is the
 * AlgorithmIdentifier of the signature. Throws a plain Error when it is malformed.
 */
function weakHashOf(algorithm: DerValue | undefined): string | null {
  const [oid, parameters] = membersOf(algorithm);
  const name = oidOf(oid);
  if (name !== rsaPss) return weakHashes.get(name) ?? null;
  // RSASSA-PSS names its hash in [0] of the parameters; the default is SHA-1 (RFC 4055, 3.1).
  const hash = membersOf(parameters).find(({ tag }) => tag.isContextSpecific(0));
  return hash === undefined ? 'SHA-1' : (weakHashes.get(oidOf(membersOf(membersOf(hash)[0])[0])) ?? null);
}

/**
 * Checks whether a certificate claims to be self-signed: issuer and subject are the same name, and subject and
 * authority key identifier, when both are there, are equal. Throws a plain Error for malformed identifiers.
 */
function isSelfSigned(
  issuer: readonly NameAttribute[],
  subject: readonly NameAttribute[],
  extensions: DerValue | null,
): boolean {
  // Compared as text: the same name may be encoded in two string types.
  if (formatName(issuer) !== formatName(subject)) return false;
  const own = extensions === null ? null : extensionContent(extensions, subjectKeyIdentifier);
  const above = extensions === null ? null : extensionContent(extensions, authorityKeyIdentifier);
  if (own === null || above === null) return true;
  const named = membersOf(parseDer(above)).find(({ tag }) => tag.isContextSpecific(0));
  return named === undefined || contentOf(named).equals(contentOf(parseDer(own)));
}
