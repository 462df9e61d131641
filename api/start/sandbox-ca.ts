import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Instant } from '../../engine/values/instant.ts';
import { once } from '../../engine/values/once.ts';
import { issueAuthority } from '../signing/certificate-kit.ts';
import { pemBlocks } from '../signing/certificate/pem-blocks.ts';

/** A CA with its key, to issue certificates. */
export interface SandboxCa {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** Gives the sandbox's own CA (rules.md G6). Rejects with a plain Error when its file cannot be used. */
export type SandboxCaSource = () => Promise<SandboxCa>;

/**
 * The sandbox's own CA, made when first asked for, for ten years from `now`: in a file beside the ledger, which is open by then,
 * and where a later start finds it; with a ledger in memory, in memory too. A failure is not kept: the next call tries again.
 */
export function sandboxCaFor(ledger: string, now: () => Instant): SandboxCaSource {
  return once(() => ensureSandboxCa(ledger, now()));
}

/** A CA and its key from the text of one file. Throws a plain Error when one of them is missing. */
export function parseSandboxCa(text: string, file: string): SandboxCa {
  const [certificatePem] = pemBlocks(text, 'CERTIFICATE');
  const [keyPem] = pemBlocks(text, 'PRIVATE KEY');
  if (certificatePem === undefined || keyPem === undefined)
    throw new Error(`${file} does not hold a certificate and its key`);
  return { certificatePem: `${certificatePem}\n`, keyPem: `${keyPem}\n` };
}

/** Certificate and key are in one file, so that one never exists without the other; only its owner can read it. */
async function ensureSandboxCa(ledger: string, now: Instant): Promise<SandboxCa> {
  if (ledger === ':memory:') return issueAuthority('Sandbank CA', now);
  const file = join(dirname(ledger), 'sandbox-ca.pem');
  try {
    return parseSandboxCa(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const ca = await issueAuthority('Sandbank CA', now);
  writeFileSync(file, `${ca.certificatePem.trimEnd()}\n${ca.keyPem}`, { mode: 0o600, flag: 'wx' });
  return ca;
}
