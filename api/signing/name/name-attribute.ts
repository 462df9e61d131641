import type { X509Certificate } from 'node:crypto';

/** One attribute of a certificate's name: its OID, and its text as in the certificate. */
export interface NameAttribute {
  readonly oid: string;
  readonly value: string;
  /** True if the attribute shares its relative name with the attribute before it (`O=A+OU=B`). */
  readonly joined?: boolean;
}

/** The name in RFC 2253 form, last attribute first; types without a short name as their OID. */
export function formatName(attributes: readonly NameAttribute[]): string {
  return attributes
    .map(({ oid, value }) => `${attributeName(oid)}=${escapeValue(value)}`)
    .reverse()
    .join(',');
}

/** The first value of that attribute type, null when the name has none. */
export function nameValue(attributes: readonly NameAttribute[], oid: string): string | null {
  return attributes.find((attribute) => attribute.oid === oid)?.value ?? null;
}

function escapeValue(value: string): string {
  return value.replace(/[,+"\\<>;]/g, '\\$&').replace(/^[# ]| $/g, '\\$&');
}

/**
 * A certificate's issuer in RFC 2253 form. Node prints the issuer escaped, one relative name a line, in reverse order.
 */
export function issuerDn(certificate: X509Certificate): string {
  const names = certificate.issuer.split('\n').map((name) => name.replace(/ \+ (?=[A-Za-z0-9.]+=)/g, '+'));
  return names.reverse().join(',');
}

/** Attribute types of distinguished names: OID -> the spellings that tools print, the preferred one first. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  '2.5.4.3': ['CN', 'commonName'],
  '2.5.4.4': ['SN', 'surname'],
  '2.5.4.5': ['serialNumber'],
  '2.5.4.6': ['C', 'countryName'],
  '2.5.4.7': ['L', 'localityName'],
  '2.5.4.8': ['ST', 'S', 'stateOrProvinceName'],
  '2.5.4.9': ['STREET', 'streetAddress'],
  '2.5.4.10': ['O', 'organizationName'],
  '2.5.4.11': ['OU', 'organizationalUnitName'],
  '2.5.4.12': ['T', 'title'],
  '2.5.4.15': ['businessCategory'],
  '2.5.4.17': ['postalCode'],
  '2.5.4.42': ['GN', 'givenName'],
  '2.5.4.46': ['dnQualifier', 'DNQ'],
  '2.5.4.97': ['organizationIdentifier', 'OI'],
  '0.9.2342.19200300.100.1.1': ['UID', 'userId'],
  '0.9.2342.19200300.100.1.25': ['DC', 'domainComponent'],
  '1.2.840.113549.1.9.1': ['emailAddress', 'E', 'EMAIL'],
};

const oidOfSpelling: ReadonlyMap<string, string> = new Map(
  Object.entries(spellings).flatMap(([oid, names]) => names.map((name) => [name.toLowerCase(), oid] as const)),
);

/** The OID of an attribute type written as a name (any case), as `2.5.4.3` or as `OID.2.5.4.3`; null when unknown. */
export function attributeOid(text: string): string | null {
  const plain = text.trim().replace(/^oid\./i, '');
  if (/^\d+(\.\d+)+$/.test(plain)) return plain;
  return oidOfSpelling.get(plain.toLowerCase()) ?? null;
}

/** Short names of RFC 2253 and OpenSSL that are not the preferred spelling, and the vendor's `S` for a state. */
const shortNames: ReadonlySet<string> = new Set(['S', 'street', 'title', 'givenName', 'GIVENNAME', 'SURNAME']);

/** Whether a type is spelled as a client may count on (rules.md G3b): a short name in its own case, or a dotted OID. */
export function isPromisedType(text: string): boolean {
  const oid = attributeOid(text);
  return oid !== null && (text === oid || text === attributeName(oid) || shortNames.has(text));
}

/** The usual short name of an OID (`CN`), else the OID itself. */
export function attributeName(oid: string): string {
  return spellings[oid]?.[0] ?? oid;
}
