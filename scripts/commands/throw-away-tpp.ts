import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceOwn } from '../../engine/ledger/durable-file.ts';
import { makeFolder } from '../../api/start/make-folder.ts';
import { isOutside, issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import type { Credentials } from '../../api/signing/signature/sign-request.ts';
import { testTppName, testTppRequest } from '../../api/signing/test-tpp.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** The folder of throw-away TPPs: `tpp` beside the ledger, or `data/tpp` for a ledger in memory. */
export function tppFolder(ledger: string): string {
  return join(ledger === ':memory:' ? 'data' : dirname(ledger), 'tpp');
}

/**
 * The PEM texts of the TPP of that name, made on first use. Keeps a certificate that has expired by the wall clock:
 * the bank then refuses it. Makes a new one when the bank's own clock decides and the old one is not valid by it.
 */
export async function readTpp(
  folder: string,
  name: string,
  { now, bankTime }: { readonly now: Instant; readonly bankTime: Instant | null },
): Promise<Credentials> {
  const bankClock = bankTime === null ? [] : [bankTime];
  const kept = keptTpp(folder, name);
  if (kept !== null) {
    const { validFromDate, validToDate } = new X509Certificate(kept.certificate);
    const [validFrom, validTo] = [validFromDate, validToDate].map((date) => date.getTime()) as [Instant, Instant];
    if (!isOutside({ validFrom, validTo }, bankClock)) return kept;
  }
  const { certificatePem: certificate, keyPem: key } = issueCertificate(testTppRequest(name, [now, ...bankClock]));
  // If the files cannot be written, the next request makes the TPP again.
  await writeTpp(tppFiles(folder, name), { certificate, key }).catch(() => undefined);
  return { certificate, key };
}

/** Returns null if the files are missing or cannot be used. Made again, it is the same TPP (rules.md G8). */
function keptTpp(folder: string, name: string): Credentials | null {
  const files = tppFiles(folder, name);
  try {
    const [certificate, key] = [readFileSync(files.certificate, 'utf8'), readFileSync(files.key, 'utf8')];
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)) ? { certificate, key } : null;
  } catch {
    return null;
  }
}

/** Writes a certificate and its key, which only the owner can read. Throws the error of the file system. */
export async function writeTpp(files: TppFiles, { certificate, key }: Credentials): Promise<void> {
  await makeFolder(dirname(files.key));
  replaceOwn(files.key, key, isPem, 0o600);
  replaceOwn(files.certificate, certificate, isPem);
}

const isPem = (beginning: Buffer): boolean => beginning.toString('latin1').startsWith('-----BEGIN ');

/** Paths. */
type TppFiles = Pick<Credentials, 'certificate' | 'key'>;

/** Paths of a TPP's files. Throws a Mistake for a name other than letters, digits and hyphens. */
export function tppFiles(folder: string, name: string): TppFiles {
  if (!testTppName.test(name)) throw new Mistake(`"${name}" is no name for a TPP: use letters, digits and hyphens`);
  return { certificate: join(folder, `${name}.cert.pem`), key: join(folder, `${name}.key.pem`) };
}
