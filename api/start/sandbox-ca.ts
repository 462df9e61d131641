import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Instant } from '../../engine/values/instant.ts';
import { pemBlocks } from '../signing/certificate/pem-blocks.ts';
import { issueCertificate } from '../signing/certificate/issue-certificate.ts';

/** A CA with its key, to issue certificates. */
export interface SandboxCa {
  readonly certificatePem: string;
  readonly keyPem: string;
}

const days = 3650;
const day = 86_400_000;

/** File of a bank's own CA, beside its ledger; null for a ledger in memory. */
export function sandboxCaFile(ledger: string): string | null {
  return ledger === ':memory:' ? null : join(dirname(ledger), 'sandbox-ca.pem');
}

/** Reads a CA and its key from one file. Throws a plain Error when one of them is missing. */
export function readSandboxCa(file: string): SandboxCa {
  const text = readFileSync(file, 'utf8');
  const [certificatePem] = pemBlocks(text, 'CERTIFICATE');
  const [keyPem] = pemBlocks(text, 'PRIVATE KEY');
  if (certificatePem === undefined || keyPem === undefined)
    throw new Error(`${file} does not hold a certificate and its key`);
  return { certificatePem: `${certificatePem}\n`, keyPem: `${keyPem}\n` };
}

/**
 * Reads the bank's own CA (rules.md G6), or creates it for ten years. Certificate and key are in one file, so that one
 * never exists without the other; only its owner can read it.
 */
export function ensureSandboxCa(file: string, now: Instant): SandboxCa {
  try {
    return readSandboxCa(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const { certificatePem, keyPem } = issueCertificate({
    commonName: 'Sandbank CA',
    organization: 'Sandbank',
    roles: null,
    authority: true,
    validFrom: (now - day) as Instant,
    validTo: (now + days * day) as Instant,
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${certificatePem.trimEnd()}\n${keyPem}`, { mode: 0o600, flag: 'wx' });
  return { certificatePem, keyPem };
}
