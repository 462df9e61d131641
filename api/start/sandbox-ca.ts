import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Instant } from '../../engine/values/instant.ts';
import { generateKey } from '../signing/certificate/generate-key.ts';
import { issueCertificate } from '../signing/certificate/issue-certificate.ts';
import { pemBlocks } from '../signing/certificate/pem-blocks.ts';

/** A CA with its key, to issue certificates. */
export interface SandboxCa {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** Gives the sandbox's own CA (rules.md G6). Rejects with a plain Error when its file cannot be used. */
export type SandboxCaSource = () => Promise<SandboxCa>;

/**
 * The sandbox's own CA, made when first asked for, for ten years from `now`: in a file beside the ledger, where a later
 * start finds it; with a ledger in memory, in memory too. A failure is not kept: the next call tries again.
 */
export function sandboxCaFor(ledger: string, now: () => Instant): SandboxCaSource {
  let made: Promise<SandboxCa> | null = null;
  return () => {
    made ??= ensureSandboxCa(ledger, now()).catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
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

/** Certificate and key are in one file, so that one never exists without the other; only its owner can read it. */
async function ensureSandboxCa(ledger: string, now: Instant): Promise<SandboxCa> {
  if (ledger === ':memory:') return issueSandboxCa(now);
  const file = join(dirname(ledger), 'sandbox-ca.pem');
  try {
    return readSandboxCa(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const ca = await issueSandboxCa(now);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${ca.certificatePem.trimEnd()}\n${ca.keyPem}`, { mode: 0o600, flag: 'wx' });
  return ca;
}

const day = 86_400_000;
const days = 3650;

/** Issues the CA, from yesterday for ten years by the wall clock. */
async function issueSandboxCa(now: Instant): Promise<SandboxCa> {
  return issueCertificate({
    commonName: 'Sandbank CA',
    organization: 'Sandbank',
    roles: null,
    authority: true,
    validFrom: (now - day) as Instant,
    validTo: (now + days * day) as Instant,
    keyPem: await generateKey(),
  });
}
