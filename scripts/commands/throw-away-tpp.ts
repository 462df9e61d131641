import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxCa } from '../../api/start/sandbox-ca.ts';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import type { CertificateRequest } from '../../api/signing/certificate/issue-certificate.ts';
import { testTppId } from '../../api/signing/test-tpp.ts';
import type { Instant } from '../../engine/values/instant.ts';

/** Relative to the working directory, beside the default ledger; ignored by git. */
const tppFolder = join('data', 'tpp');

interface TppFiles {
  readonly certificate: string;
  readonly key: string;
}

const day = 86_400_000;

/** Paths of a TPP's files. Throws an Error for a name other than letters, digits and hyphens. */
export function tppFiles(name: string): TppFiles {
  if (!/^[A-Za-z0-9-]{1,60}$/.test(name))
    throw new Error(`"${name}" is no name for a TPP: use letters, digits and hyphens`);
  return { certificate: join(tppFolder, `${name}.cert.pem`), key: join(tppFolder, `${name}.key.pem`) };
}

/**
 * The default certificate of a TPP: self-signed, both roles, valid from yesterday for `days` days; if below 0, expired that
 * many days ago.
 * The identifier comes from the name, so that the bank recognises the TPP after its certificate was replaced (rules.md G8).
 */
export function tppRequest(name: string, now: Instant, days = 365): CertificateRequest {
  return {
    commonName: name,
    organization: `Throw-away TPP ${name}`,
    organizationIdentifier: testTppId(name),
    roles: ['PSP_AI', 'PSP_PI'],
    validFrom: (now - (days < 0 ? 1 - days : 1) * day) as Instant,
    validTo: (now + days * day) as Instant,
  };
}

/** Issues a certificate and writes both files; only the owner can read the key. */
export function writeTpp(name: string, request: CertificateRequest) {
  const files = tppFiles(name);
  const issued = issueCertificate(request);
  mkdirSync(tppFolder, { recursive: true });
  writeFileSync(files.key, issued.keyPem, { mode: 0o600 });
  writeFileSync(files.certificate, issued.certificatePem);
  return { files, issued };
}

/** The PEM texts of the TPP of that name, made on first use. Keeps an expired certificate, which shows the refusal. */
export function readTpp(name: string, now: Instant): TppFiles {
  const files = tppFiles(name);
  if (!existsSync(files.key)) writeTpp(name, tppRequest(name, now));
  return { certificate: readFileSync(files.certificate, 'utf8'), key: readFileSync(files.key, 'utf8') };
}

/** The same TPP with a certificate issued by this CA, made on first use and replaced if the CA has changed. */
export function readTppIssuedBy(ca: SandboxCa, name: string, now: Instant): TppFiles {
  const files = tppFiles(`${name}-ca`);
  const { publicKey } = new X509Certificate(ca.certificatePem);
  if (!existsSync(files.key) || !new X509Certificate(readFileSync(files.certificate)).verify(publicKey)) {
    writeTpp(`${name}-ca`, { ...tppRequest(name, now), issuer: ca });
  }
  return { certificate: readFileSync(files.certificate, 'utf8'), key: readFileSync(files.key, 'utf8') };
}
