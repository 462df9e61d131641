import { attributeName } from './attribute-type.ts';
import type { X509Certificate } from 'node:crypto';

/** One attribute of a certificate's name: its OID, and its text as in the certificate. */
export interface NameAttribute {
  readonly oid: string;
  readonly value: string;
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

/** A certificate's issuer in RFC 2253 form. Node prints it escaped, one attribute a line, in reverse order. */
export function issuerDn(certificate: X509Certificate): string {
  return certificate.issuer.split('\n').reverse().join(',');
}
