import { type Psd2Role, psd2Roles } from './psd2-roles.ts';
import { X509Certificate } from 'node:crypto';
import type { Instant } from '../../../engine/values/instant.ts';
import { type DerValue, extensionsIn, membersOf, oidOf, parseDer, textOf } from './der.ts';
import { formatName, type NameAttribute, nameValue } from '../name/name-attribute.ts';
import { cureOfHeld, keyIn } from './other-content.ts';
import { isSelfSigned, weakHashOf } from './certificate-signature.ts';
import { normaliseSerial } from './serial.ts';
import { signingRefusal } from '../signing-refusal.ts';

/** The TPP that signed a request, from its certificate. */
export interface Tpp {
  /** rules.md G8: the organizationIdentifier, or, without one, issuer and subject. */
  readonly id: string;
  /** Name for the PSU: the organisation, else the common name. */
  readonly name: string;
  /** Null: the certificate states none. */
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
 * Reads one DER certificate with nothing after it: RSA key of 2048 bits or more (rules.md G5), no weak hash in its signature
 * and, when self-signed, a signature that verifies (rules.md G10). Anything else is a CERTIFICATE_INVALID refusal.
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
  if (self && !x509.verify(key)) throw invalid('Its own signature is broken: issue it anew, and send it unchanged.');
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
      return { oid: oidOf(oid), value: textOf(value), ...(index > 0 && { joined: true }) };
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
