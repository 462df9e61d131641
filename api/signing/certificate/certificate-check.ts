import type { X509Certificate } from 'node:crypto';
import type { FaultCode } from '../../../engine/values/fault.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import { formatName } from '../name/name-attribute.ts';
import type { Psd2Role } from './psd2-roles.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { signingRefusal } from '../signing-refusal.ts';
import type { TppCertificate } from './tpp-certificate.ts';

/** Status of a certificate, as the control plane has set it. Null if it is neither blocked nor revoked. */
export type CertificateStatus = 'blocked' | 'revoked' | null;

const codesOf = { blocked: 'CERTIFICATE_BLOCKED', revoked: 'CERTIFICATE_REVOKED' } as const;

/** The clock that decides on certificates and Date (rules.md T1, T1c). */
export type SecurityClock = 'wall clock' | 'bank clock';

interface CertificateRules {
  readonly clock: SecurityClock;
  /**
   * CAs that the certificate must chain to; it must then state roles too. Null: any certificate (rules.md G6 `any`).
   */
  readonly trusted: readonly X509Certificate[] | null;
  readonly status: CertificateStatus;
}

/**
 * Checks a certificate for one request, in the order of rules.md G1: validity, blocked, revoked, trust (G6), role (G7).
 */
export function checkCertificate(
  certificate: TppCertificate,
  rules: CertificateRules,
  now: Instant,
  role: Psd2Role | null,
): void {
  checkValidity(certificate, now, rules.clock);
  const { serial, roles } = certificate.tpp;
  if (rules.status !== null)
    throw refusal(codesOf[rules.status], `The certificate with serial ${serial} is ${rules.status}.`);
  const fault = rules.trusted === null ? null : faultOfTrust(certificate, rules.trusted, now);
  if (fault !== null) throw refusal('CERTIFICATE_INVALID', fault);
  if (role !== null && roles !== null && !roles.has(role)) {
    const stated = [...roles].join(', ') || 'no role known here';
    throw refusal('ROLE_INVALID', `This call needs the PSD2 role ${role}; the certificate states: ${stated}.`);
  }
}

function checkValidity({ validFrom, validTo }: TppCertificate, now: Instant, clock: SecurityClock): void {
  if (now >= validFrom && now <= validTo) return;
  const why = clock === 'bank clock' ? ', which decides with --follow-clock: issue a certificate for that time' : '';
  const time = `It is ${new Date(now).toUTCString()} by the ${clock}${why}.`;
  if (now > validTo) {
    throw refusal('CERTIFICATE_EXPIRED', `The certificate expired at ${new Date(validTo).toUTCString()}. ${time}`);
  }
  throw refusal(
    'CERTIFICATE_INVALID',
    `The certificate is not valid before ${new Date(validFrom).toUTCString()}. ${time}`,
  );
}

/** Says why the certificate is refused where only trusted authorities count (rules.md G6), or null if it is trusted. */
function faultOfTrust({ x509, issuer, tpp }: TppCertificate, trusted: readonly X509Certificate[], now: Instant) {
  const chain = chainTo(trusted, x509, now);
  if (chain === 'unknown')
    return `The certificate is not issued by a trusted authority (SANDBANK_TPP_TRUST=ca). Its issuer: ${oneLine(formatName(issuer), 200)}`;
  if (chain === 'not valid now')
    return 'The certificate of an authority above this certificate is not valid now, and there is no other way to a trusted one.';
  if (tpp.roles !== null) return null;
  return x509.ca
    ? 'It is the certificate of an authority, not of a TPP. Send the one that was issued for the signing key.'
    : 'The certificate states no PSD2 roles (a QCStatement by ETSI TS 119 495), which SANDBANK_TPP_TRUST=ca demands.';
}

function refusal(code: FaultCode, text: string) {
  return signingRefusal(code, 'tpp-signature-certificate', text);
}

/** Result of a chain check; `unknown`: none of the trusted certificates issued it. */
type Chain = 'valid' | 'not valid now' | 'unknown';

/**
 * Checks whether a certificate chains to a trusted CA (rules.md G6). Every CA given is trusted. If the issuer of that
 * CA is given too, the issuer must also be valid now. One valid chain is enough.
 */
export function chainTo(trusted: readonly X509Certificate[], certificate: X509Certificate, now: Instant): Chain {
  // checkIssued compares names and key identifiers, and that the key may sign certificates at all.
  const issuers = trusted.filter((ca) => certificate.checkIssued(ca) && certificate.verify(ca.publicKey));
  if (issuers.length === 0) return 'unknown';
  return issuers.some((ca) => isValidTo(trusted, ca, now)) ? 'valid' : 'not valid now';
}

/** A self-signed CA ends the chain. A CA that was checked is left out of the next step: a cycle of CAs ends too. */
function isValidTo(trusted: readonly X509Certificate[], ca: X509Certificate, now: Instant): boolean {
  if (now < ca.validFromDate.getTime() || now > ca.validToDate.getTime()) return false;
  const above = trusted.filter((other) => !other.raw.equals(ca.raw));
  return ca.checkIssued(ca) || chainTo(above, ca, now) !== 'not valid now';
}
