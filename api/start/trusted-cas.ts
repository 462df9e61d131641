import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { requireOurs, writeDurably } from '../../engine/open-bank.ts';
import { once } from '../../engine/values/once.ts';
import { issueAuthority, pemBlocks } from '../signing/certificate-kit.ts';
import { fileMessageOf, fileReason } from './error-text.ts';
import { type Config, sandboxCaFile, unusable } from './config.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** A CA with its key, to issue certificates. */
export interface SandboxCa {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** Gives the sandbox's own CA (rules.md G6). Rejects with a plain Error when its file cannot be used. */
export type SandboxCaSource = () => Promise<SandboxCa>;

/**
 * The sandbox's own CA. It is made at its first use, and kept in a file beside the ledger for later starts; with a
 * ledger in memory it stays in memory. After a failure the next call tries again.
 */
export function sandboxCaFor(ledger: string): SandboxCaSource {
  return once(() => ensureSandboxCa(ledger));
}

/** A CA and its key from the text of one file. Throws a Mistake if they are missing, damaged or no pair. */
export function parseSandboxCa(text: string, file: string): SandboxCa {
  const [certificatePem] = pemBlocks(text, 'CERTIFICATE');
  const [keyPem] = pemBlocks(text, 'PRIVATE KEY');
  if (certificatePem === undefined || keyPem === undefined || !isPair(certificatePem, keyPem))
    throw new Mistake(`${file} does not hold a certificate and its key`);
  return { certificatePem: `${certificatePem}\n`, keyPem: `${keyPem}\n` };
}

function isPair(certificatePem: string, keyPem: string): boolean {
  try {
    return new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem));
  } catch {
    return false;
  }
}

/** Certificate and key are in one file, so that one never exists without the other; only its owner can read it. */
async function ensureSandboxCa(ledger: string): Promise<SandboxCa> {
  if (ledger === ':memory:') return issueAuthority('Sandbank CA');
  const file = sandboxCaFile(ledger);
  requireOurs(file);
  try {
    return parseSandboxCa(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const ca = await issueAuthority('Sandbank CA');
  // At a first start the ledger makes the same folder.
  mkdirSync(dirname(file), { recursive: true });
  writeDurably(file, `${ca.certificatePem.trimEnd()}\n${ca.keyPem}`);
  return ca;
}

/**
 * Loads the CAs that SANDBANK_TPP_TRUST=ca trusts, PEM (rules.md G6): the sandbox's own CA and those of
 * SANDBANK_TPP_CAS; none with `any`. Throws a Mistake if the sandbox's own CA cannot be used, the file has no
 * certificate, or a certificate is unreadable or no CA.
 */
export async function loadTrustedCas(config: Config, sandboxCa: SandboxCaSource): Promise<readonly string[]> {
  if (config.tppTrust === 'any') {
    if (config.tppCas !== null) throw new Mistake('--tpp-cas goes with --tpp-trust ca');
    return [];
  }
  return [(await usableCa(sandboxCa)).certificatePem, ...(await loadGivenCas(config))];
}

/** The sandbox's own CA. Throws a Mistake if it cannot be used. */
export async function usableCa(sandboxCa: SandboxCaSource): Promise<SandboxCa> {
  try {
    return await sandboxCa();
  } catch (error) {
    throw new Mistake(`the sandbox CA cannot be used: ${fileMessageOf(error)}`);
  }
}

async function loadGivenCas(config: Config): Promise<string[]> {
  if (config.tppCas === null) return [];
  const refused = (problem: string): Mistake => unusable(config, 'tppCas', problem);
  const text = await readFile(config.tppCas, 'utf8').catch((error: unknown) => {
    throw refused(fileReason(error));
  });
  const pems = pemBlocks(text, 'CERTIFICATE');
  if (pems.length === 0) throw refused('it holds no PEM certificate');
  for (const [index, pem] of pems.entries()) {
    const problem = problemOf(pem);
    if (problem !== null) throw refused(`certificate ${index + 1} ${problem}`);
  }
  return pems;
}

function problemOf(pem: string): string | null {
  try {
    return new X509Certificate(pem).ca ? null : 'is no CA: it may not issue others';
  } catch {
    return 'is no X.509 certificate';
  }
}
