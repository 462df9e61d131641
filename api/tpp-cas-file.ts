import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError, type Config } from './config.ts';

const certificate = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * The certificates that SANDBANK_TPP_TRUST=ca trusts, one PEM each (rules.md G6); an empty list with `any`, which looks
 * at none. Throws a ConfigError when there is no file, when it holds no certificate, and for one that cannot be read or
 * that may not issue others.
 */
export async function loadTrustedCas({ tppTrust, tppCas }: Pick<Config, 'tppTrust' | 'tppCas'>): Promise<string[]> {
  if (tppTrust === 'any') return [];
  if (tppCas === null) {
    throw new ConfigError('SANDBANK_TPP_TRUST is ca: name a PEM file with the CAs to trust in SANDBANK_TPP_CAS');
  }
  const pems = (await readText(tppCas)).match(certificate) ?? [];
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
