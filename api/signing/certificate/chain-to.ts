import type { X509Certificate } from 'node:crypto';
import type { Instant } from '../../../engine/values/instant.ts';

/** `unknown`: none of the trusted certificates issued it. */
export type Chain = 'valid' | 'not valid now' | 'unknown';

/**
 * Whether a certificate chains to one that is trusted (rules.md G6): each CA given is trusted, and where the one above it
 * is given too, intermediate and root, that one has to be valid as well. Of several ways up, one that is valid will do.
 */
export function chainTo(trusted: readonly X509Certificate[], certificate: X509Certificate, now: Instant): Chain {
  // checkIssued compares names and key identifiers, and that the key may sign certificates at all.
  const issuers = trusted.filter((ca) => certificate.checkIssued(ca) && certificate.verify(ca.publicKey));
  if (issuers.length === 0) return 'unknown';
  return issuers.some((ca) => isValidTo(trusted, ca, now)) ? 'valid' : 'not valid now';
}

/** Above a self-signed one there is nothing. One that has been looked at is left out, so that no circle is endless. */
function isValidTo(trusted: readonly X509Certificate[], ca: X509Certificate, now: Instant): boolean {
  if (now < ca.validFromDate.getTime() || now > ca.validToDate.getTime()) return false;
  const above = trusted.filter((other) => !other.raw.equals(ca.raw));
  return ca.checkIssued(ca) || chainTo(above, ca, now) !== 'not valid now';
}
