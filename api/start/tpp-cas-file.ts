import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileMessageOf } from './closed-to-us.ts';
import { ConfigError, type Config } from './config.ts';
import { pemBlocks } from '../signing/certificate/pem-blocks.ts';
import type { SandboxCaSource } from './sandbox-ca.ts';

/**
 * Loads the CAs that SANDBANK_TPP_TRUST=ca trusts, one PEM each (rules.md G6): the sandbox's own CA and those of
 * SANDBANK_TPP_CAS; none with `any`. Throws a ConfigError when the sandbox's own cannot be used, when the file has no
 * certificate, or when a certificate cannot be read or is no CA.
 */
export async function loadTrustedCas(
  { tppTrust, tppCas }: Pick<Config, 'tppTrust' | 'tppCas'>,
  sandboxCa: SandboxCaSource,
): Promise<string[]> {
  if (tppTrust === 'any') return [];
  const given = tppCas === null ? [] : await loadGivenCas(tppCas);
  return [await ownCa(sandboxCa), ...given];
}

async function ownCa(sandboxCa: SandboxCaSource): Promise<string> {
  try {
    return (await sandboxCa()).certificatePem;
  } catch (error) {
    throw new ConfigError(`the sandbox CA cannot be used: ${fileMessageOf(error)}`);
  }
}

async function loadGivenCas(tppCas: string): Promise<string[]> {
  const pems = pemBlocks(await readText(tppCas), 'CERTIFICATE');
  if (pems.length === 0) throw refused(tppCas, 'it holds no PEM certificate');
  for (const [index, pem] of pems.entries()) {
    const problem = problemOf(pem);
    if (problem !== null) throw refused(tppCas, `certificate ${index + 1} ${problem}`);
  }
  return pems;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw refused(path, `it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

function problemOf(pem: string): string | null {
  try {
    return new X509Certificate(pem).ca ? null : 'is no CA: it may not issue others';
  } catch {
    return 'is no X.509 certificate';
  }
}

function refused(path: string, problem: string): ConfigError {
  return new ConfigError(`SANDBANK_TPP_CAS is "${path}": ${problem}`);
}
