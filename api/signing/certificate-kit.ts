import { X509Certificate } from 'node:crypto';
import type { FaultCode } from '../../engine/values/fault.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { clockRange } from '../../engine/time/rules/bank-clock.ts';
import type { CertificateStatus } from './certificate/certificate-check.ts';
import { generateKey, type CertificateRequest, issueCertificate } from './certificate/issue-certificate.ts';
import type { Psd2Role } from './certificate/psd2-roles.ts';
import { keyIdOf } from './signature/sign-request.ts';
import { testTppRequest } from './test-tpp.ts';

type Issuer = NonNullable<CertificateRequest['issuer']>;

/** What is wrong with a certificate of the kit, and what the bank says to a request signed with it. */
interface CertificateFault {
  readonly what: string;
  /** Code under `SANDBANK_TPP_TRUST=any` of a call that needs a role (rules.md G7). Null if it is accepted. */
  readonly any: FaultCode | null;
  /** The same under `ca`. */
  readonly ca: FaultCode | null;
  /** How the request differs from that of a good certificate. */
  readonly change?: (good: CertificateRequest, now: Instant) => Partial<CertificateRequest>;
  /** Who issues it, by default the sandbox CA. */
  readonly issuer?: 'itself' | 'a CA that nobody trusts' | 'a CA of the same name';
  /** The key that is handed out is not that of the certificate. */
  readonly otherKey?: true;
  /** How the keyId differs from the right one. */
  readonly keyId?: (right: string) => string;
  /** What the control plane then sets. */
  readonly status?: Exclude<CertificateStatus, null>;
}

const day = 86_400_000;

type MoreOfFault = Omit<CertificateFault, 'what' | 'any' | 'ca'>;

/** Refused with this code under `any` and `ca`. */
function refused(code: FaultCode, what: string, more: MoreOfFault): CertificateFault {
  return { what, any: code, ca: code, ...more };
}

/** Accepted under `any`. */
function untrusted(what: string, more: MoreOfFault): CertificateFault {
  return { what, any: null, ca: 'CERTIFICATE_INVALID', ...more };
}

/** A certificate of this validity, in days from now. */
function valid(from: number, to: number): MoreOfFault {
  const at = (now: Instant, days: number): Instant => (now + days * day) as Instant;
  return { change: (_good, now) => ({ validFrom: at(now, from), validTo: at(now, to) }) };
}

/** The faulty certificates of the kit by name, in the order of the checks of rules.md G1. */
export const certificateFaults = {
  'ec-key': refused('CERTIFICATE_INVALID', 'an elliptic curve key (P-256)', { change: () => ({ key: 'P-256' }) }),
  'weak-key': refused('CERTIFICATE_INVALID', 'an RSA key of 1024 bits', { change: () => ({ key: 1024 }) }),
  'sha-1': refused('CERTIFICATE_INVALID', 'signed with SHA-1', { change: () => ({ hash: 'sha1' }) }),
  md5: refused('CERTIFICATE_INVALID', 'signed with MD5', { change: () => ({ hash: 'md5' }) }),
  'broken-self-signature': refused('CERTIFICATE_INVALID', 'self-signed, its own signature broken', {
    issuer: 'itself',
    change: () => ({ brokenSignature: true }),
  }),
  expired: refused('CERTIFICATE_EXPIRED', 'expired yesterday', valid(-366, -1)),
  'not-yet-valid': refused('CERTIFICATE_INVALID', 'not valid before tomorrow', valid(1, 366)),
  blocked: refused('CERTIFICATE_BLOCKED', 'blocked (until a reset)', { status: 'blocked' }),
  revoked: refused('CERTIFICATE_REVOKED', 'revoked (until a reset)', { status: 'revoked' }),
  'self-signed': untrusted('self-signed', { issuer: 'itself' }),
  'unknown-issuer': untrusted('issued by an authority that nobody trusts', { issuer: 'a CA that nobody trusts' }),
  'broken-signature': untrusted('issued in the name of the sandbox CA, with a key that is not its own', {
    issuer: 'a CA of the same name',
  }),
  'no-role': untrusted('states no PSD2 roles', { change: () => ({ roles: null }) }),
  'wrong-role': refused('ROLE_INVALID', 'states the PSD2 role PSP_IC alone', { change: () => ({ roles: ['PSP_IC'] }) }),
  'empty-roles': refused('ROLE_INVALID', 'states PSD2 roles and lists none', { change: () => ({ roles: [] }) }),
  'wrong-serial': refused('SIGNATURE_INVALID', 'the keyId has the serial of another certificate', {
    keyId: (right) => right.replace(/^SN=[^,]*/, 'SN=1'),
  }),
  'wrong-issuer': refused('SIGNATURE_INVALID', 'the keyId names another issuer', {
    keyId: (right) => right.replace(/CN=[^,]*/, 'CN=Another CA'),
  }),
  'other-key': refused('SIGNATURE_INVALID', 'the key belongs to another certificate', { otherKey: true }),
};

export type CertificateFaultName = keyof typeof certificateFaults;

interface KitRequest {
  /** Name of the TPP: the same name is the same TPP (rules.md G8). */
  readonly name: string;
  /** Null means PSP_AI and PSP_PI. A fault that concerns the roles goes first. */
  readonly roles: readonly Psd2Role[] | null;
  /** Null means a good certificate. */
  readonly fault: CertificateFaultName | null;
}

/**
 * Makes a TPP certificate for a year by the wall clock, which alone counts for certificates (rules.md T1), issued by
 * `ca`: a good one, or one with a fault. Its key is generated without blocking. Certificate and key are PEM (PKCS#8),
 * `keyId` is for the Signature header, `serial` is upper-case hexadecimal without leading zeros.
 */
export async function makeKitCertificate(request: KitRequest, ca: Issuer, now: Instant) {
  const { name, roles, fault: faultName } = request;
  const fault: CertificateFault | null = faultName === null ? null : certificateFaults[faultName];
  const plain = testTppRequest(name, now);
  const good = { ...plain, roles: roles ?? plain.roles };
  const changed: CertificateRequest = { ...good, ...fault?.change?.(good, now) };
  const issuer = await issuerOf(fault, ca);
  const keyPem = await generateKey(changed.key);
  const issued = issueCertificate({ ...changed, keyPem, ...(issuer !== null && { issuer }) });
  const keyId = keyIdOf(new X509Certificate(issued.certificatePem));
  return {
    certificate: issued.certificatePem,
    key: fault?.otherKey === true ? await generateKey() : issued.keyPem,
    keyId: fault?.keyId?.(keyId) ?? keyId,
    serial: issued.serialHex,
  };
}

/** Null means self-signed. */
async function issuerOf(fault: CertificateFault | null, ca: Issuer): Promise<Issuer | null> {
  switch (fault?.issuer) {
    case undefined:
      return ca;
    case 'itself':
      return null;
    case 'a CA of the same name':
      return { certificatePem: ca.certificatePem, keyPem: await generateKey() };
    case 'a CA that nobody trusts':
      return issueAuthority('Unknown CA');
  }
}

/** Issues a self-signed CA for all that a bank clock can show, so that it is valid by each clock (rules.md T1c). */
export async function issueAuthority(commonName: string): Promise<Issuer> {
  return issueCertificate({
    commonName,
    organization: 'Sandbank',
    roles: null,
    authority: true,
    validFrom: clockRange.from,
    validTo: clockRange.to,
    keyPem: await generateKey(),
  });
}

/**
 * Why a PEM text of a key with a passphrase is not read: PKCS#8, or as OpenSSL wrote it before. Null for any other
 * text.
 */
export function lockedReason(text: string): string | null {
  const isLocked = /^(?:-----BEGIN ENCRYPTED |Proc-Type: 4,ENCRYPTED)/m.test(text);
  return isLocked ? 'it has a passphrase; `openssl pkey -in FILE -out NEW` writes it without' : null;
}

/** Blocks of one kind (`CERTIFICATE`) in a PEM text, BEGIN and END lines included, in order. */
export function pemBlocks(text: string, kind: string): string[] {
  const [begin, end] = [`-----BEGIN ${kind}-----`, `-----END ${kind}-----`];
  const blocks: string[] = [];
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at)) {
    const last = text.indexOf(end, at);
    if (last < 0) break;
    blocks.push(text.slice(at, last + end.length));
    at = last + end.length;
  }
  return blocks;
}
