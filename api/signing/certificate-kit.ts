import { X509Certificate } from 'node:crypto';
import type { FaultCode } from '../../engine/values/fault.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { CertificateStatus } from './certificate/certificate-check.ts';
import { generateKey, type CertificateRequest, issueCertificate } from './certificate/issue-certificate.ts';
import type { Psd2Role } from './certificate/psd2-roles.ts';
import { keyIdOf } from './signature/sign-request.ts';
import { testTppRequest } from './test-tpp.ts';

type Issuer = NonNullable<CertificateRequest['issuer']>;

/** What is wrong with a certificate of the kit, and what the bank says to a request signed with it. */
interface CertificateFault {
  readonly what: string;
  /** Code under `SANDBANK_TPP_TRUST=any` of a call that needs a role (rules.md G7); null: accepted. */
  readonly any: FaultCode | null;
  /** The same under `ca`. */
  readonly ca: FaultCode | null;
  /** How the request differs from that of a good certificate. */
  readonly change?: (good: CertificateRequest, now: Instant) => Partial<CertificateRequest>;
  /** Whom it is issued by; left out: the sandbox CA. */
  readonly issuer?: 'itself' | 'a CA that nobody trusts' | 'a CA of the same name';
  /** The key that is handed out is not that of the certificate. */
  readonly otherKey?: true;
  /** How the keyId differs from the right one. */
  readonly keyId?: (right: string) => string;
  /** What the control plane then sets. */
  readonly status?: Exclude<CertificateStatus, null>;
}

const day = 86_400_000;
const always = (code: FaultCode) => ({ any: code, ca: code });
const underCaOnly = { any: null, ca: 'CERTIFICATE_INVALID' } as const;

/** The faulty certificates of the kit by name, in the order of the checks of rules.md G1. */
const faults = {
  'ec-key': {
    what: 'an elliptic curve key (P-256)',
    ...always('CERTIFICATE_INVALID'),
    change: () => ({ key: 'P-256' }),
  },
  'weak-key': { what: 'an RSA key of 1024 bits', ...always('CERTIFICATE_INVALID'), change: () => ({ key: 1024 }) },
  'sha-1': { what: 'signed with SHA-1', ...always('CERTIFICATE_INVALID'), change: () => ({ hash: 'sha1' }) },
  md5: { what: 'signed with MD5', ...always('CERTIFICATE_INVALID'), change: () => ({ hash: 'md5' }) },
  'broken-self-signature': {
    what: 'self-signed, its own signature broken',
    ...always('CERTIFICATE_INVALID'),
    issuer: 'itself',
    change: () => ({ brokenSignature: true }),
  },
  expired: {
    what: 'expired yesterday',
    ...always('CERTIFICATE_EXPIRED'),
    change: (_good, now) => ({ validFrom: (now - 366 * day) as Instant, validTo: (now - day) as Instant }),
  },
  'not-yet-valid': {
    what: 'not valid before tomorrow',
    ...always('CERTIFICATE_INVALID'),
    change: (_good, now) => ({ validFrom: (now + day) as Instant, validTo: (now + 366 * day) as Instant }),
  },
  blocked: { what: 'blocked (until a reset)', ...always('CERTIFICATE_BLOCKED'), status: 'blocked' },
  revoked: { what: 'revoked (until a reset)', ...always('CERTIFICATE_REVOKED'), status: 'revoked' },
  'self-signed': { what: 'self-signed', ...underCaOnly, issuer: 'itself' },
  'unknown-issuer': {
    what: 'issued by an authority that nobody trusts',
    ...underCaOnly,
    issuer: 'a CA that nobody trusts',
  },
  'broken-signature': {
    what: 'issued in the name of the sandbox CA, with a key that is not its own',
    ...underCaOnly,
    issuer: 'a CA of the same name',
  },
  'no-role': { what: 'states no PSD2 roles', ...underCaOnly, change: () => ({ roles: null }) },
  'wrong-role': {
    what: 'states the PSD2 role PSP_IC alone',
    ...always('ROLE_INVALID'),
    change: () => ({ roles: ['PSP_IC'] }),
  },
  'empty-roles': {
    what: 'states PSD2 roles and lists none',
    ...always('ROLE_INVALID'),
    change: () => ({ roles: [] }),
  },
  'wrong-serial': {
    what: 'the keyId has the serial of another certificate',
    ...always('SIGNATURE_INVALID'),
    keyId: (right) => right.replace(/^SN=[^,]*/, 'SN=1'),
  },
  'wrong-issuer': {
    what: 'the keyId names another issuer',
    ...always('SIGNATURE_INVALID'),
    keyId: (right) => right.replace(/CN=[^,]*/, 'CN=Another CA'),
  },
  'other-key': {
    what: 'the key belongs to another certificate',
    ...always('SIGNATURE_INVALID'),
    otherKey: true,
  },
} as const satisfies Readonly<Record<string, CertificateFault>>;

export type CertificateFaultName = keyof typeof faults;

export const certificateFaults: Readonly<Record<CertificateFaultName, CertificateFault>> = faults;

interface KitRequest {
  /** Name of the TPP: the same name is the same TPP (rules.md G8). */
  readonly name: string;
  /** Null: PSP_AI and PSP_PI. A fault that concerns the roles goes first. */
  readonly roles: readonly Psd2Role[] | null;
  /** Null: a good certificate. */
  readonly fault: CertificateFaultName | null;
}

interface KitCertificate {
  /** PEM. */
  readonly certificate: string;
  /** PKCS#8, PEM. */
  readonly key: string;
  /** For the Signature header, as it is. */
  readonly keyId: string;
  /** Upper-case hexadecimal without leading zeros. */
  readonly serial: string;
}

/**
 * Makes a TPP certificate for a year by the wall clock, which alone counts for certificates (rules.md T1), issued by `ca`: a
 * good one, or one with a fault. Its key is generated without blocking.
 */
export async function makeKitCertificate(request: KitRequest, ca: Issuer, now: Instant): Promise<KitCertificate> {
  const { name, roles, fault: faultName } = request;
  const fault: CertificateFault | null = faultName === null ? null : certificateFaults[faultName];
  const plain = testTppRequest(name, now);
  const good = { ...plain, roles: roles ?? plain.roles };
  const changed: CertificateRequest = { ...good, ...fault?.change?.(good, now) };
  const issuer = await issuerOf(fault, ca, now);
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

/** Null: self-signed. */
async function issuerOf(fault: CertificateFault | null, ca: Issuer, now: Instant): Promise<Issuer | null> {
  switch (fault?.issuer) {
    case undefined:
      return ca;
    case 'itself':
      return null;
    case 'a CA of the same name':
      return { certificatePem: ca.certificatePem, keyPem: await generateKey() };
    case 'a CA that nobody trusts':
      return issueAuthority('Unknown CA', now);
  }
}

const years = 10;

/** Issues a self-signed CA, from yesterday for ten years by the wall clock. */
export async function issueAuthority(commonName: string, now: Instant): Promise<Issuer> {
  return issueCertificate({
    commonName,
    organization: 'Sandbank',
    roles: null,
    authority: true,
    validFrom: (now - day) as Instant,
    validTo: (now + years * 365 * day) as Instant,
    keyPem: await generateKey(),
  });
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
