import type { X509Certificate } from 'node:crypto';

/** A certificate's issuer in RFC 2253 form. Node prints one attribute a line, escaped, in the reverse order. */
export function issuerDn(certificate: X509Certificate): string {
  return certificate.issuer.split('\n').reverse().join(',');
}
