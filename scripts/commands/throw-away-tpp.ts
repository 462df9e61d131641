import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxCa } from '../../api/start/sandbox-ca.ts';
import { issueCertificate, type CertificateRequest } from '../../api/signing/certificate/issue-certificate.ts';
import { testTppName, testTppRequest } from '../../api/signing/test-tpp.ts';
import type { Instant } from '../../engine/values/instant.ts';

/** Relative to the working directory, beside the default ledger; ignored by git. */
const tppFolder = join('data', 'tpp');

interface TppFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Paths of a TPP's files. Throws an Error for a name other than letters, digits and hyphens. */
function tppFiles(name: string): TppFiles {
  if (!testTppName.test(name)) throw new Error(`"${name}" is no name for a TPP: use letters, digits and hyphens`);
  return { certificate: join(tppFolder, `${name}.cert.pem`), key: join(tppFolder, `${name}.key.pem`) };
}

/** Issues a certificate and writes both files; only the owner can read the key. */
function writeTpp(name: string, request: CertificateRequest): void {
  const files = tppFiles(name);
  const issued = issueCertificate(request);
  mkdirSync(tppFolder, { recursive: true });
  writeFileSync(files.key, issued.keyPem, { mode: 0o600 });
  writeFileSync(files.certificate, issued.certificatePem);
}

/** The PEM texts of the TPP of that name, made on first use. Keeps an expired certificate, which shows the refusal. */
export function readTpp(name: string, now: Instant): TppFiles {
  const files = tppFiles(name);
  if (!existsSync(files.key)) writeTpp(name, testTppRequest(name, now));
  return { certificate: readFileSync(files.certificate, 'utf8'), key: readFileSync(files.key, 'utf8') };
}

/** The same TPP with a certificate issued by this CA, made on first use and replaced if the CA has changed. */
export function readTppIssuedBy(ca: SandboxCa, name: string, now: Instant): TppFiles {
  const files = tppFiles(`${name}-ca`);
  const { publicKey } = new X509Certificate(ca.certificatePem);
  if (!existsSync(files.key) || !new X509Certificate(readFileSync(files.certificate)).verify(publicKey)) {
    writeTpp(`${name}-ca`, { ...testTppRequest(name, now), issuer: ca });
  }
  return { certificate: readFileSync(files.certificate, 'utf8'), key: readFileSync(files.key, 'utf8') };
}
