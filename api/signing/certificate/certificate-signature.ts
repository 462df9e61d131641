import { contentOf, type DerValue, extensionContent, membersOf, oidOf, parseDer } from './der.ts';
import { formatName, type NameAttribute } from '../name/name-attribute.ts';

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
export function weakHashOf(algorithm: DerValue | undefined): string | null {
  const [oid, parameters] = membersOf(algorithm);
  const name = oidOf(oid);
  if (name !== rsaPss) return weakHashes.get(name) ?? null;
  // RSASSA-PSS names its hash in [0] of the parameters; the default is SHA-1 (RFC 4055, 3.1).
  const hash = membersOf(parameters).find(({ tag }) => tag.isContextSpecific(0));
  return hash === undefined ? 'SHA-1' : (weakHashes.get(oidOf(membersOf(membersOf(hash)[0])[0])) ?? null);
}

/**
 * Checks whether a certificate claims to be self-signed: issuer and subject are the same name, and subject and authority
 * key identifier, when both are there, are equal. Throws a plain Error for malformed identifiers.
 */
export function isSelfSigned(
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
