import { attributeName } from './attribute-type.ts';
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

/** A certificate's issuer in RFC 2253 form. Node prints the issuer escaped, one relative name a line, in reverse order. */
export function issuerDn(certificate: X509Certificate): string {
  const names = certificate.issuer.split('\n').map((name) => name.replace(/ \+ (?=[A-Za-z0-9.]+=)/g, '+'));
  return names.reverse().join(',');
}
