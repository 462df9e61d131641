import { createHash } from 'node:crypto';
import { decodeCertificateHeader } from './certificate-header.ts';
import { readTppCertificate } from './tpp-certificate.ts';
import type { TppCertificate } from './tpp-certificate.ts';

const mostKept = 1000;

/**
 * Reads TPP-Signature-Certificate headers and keeps the last 1000 different certificates, because parsing one costs
 * several times what a verification does. Refusals are not kept. Only reading is remembered, never a judgement.
 */
export function createCertificateReader(): (header: string) => TppCertificate {
  const kept = new Map<string, TppCertificate>();
  return (header) => {
    const key = createHash('sha256').update(header).digest('base64');
    const known = kept.get(key);
    const certificate = known ?? readTppCertificate(decodeCertificateHeader(header));
    // Putting it back at the end makes the first key the one unused for longest.
    kept.delete(key);
    kept.set(key, certificate);
    if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '');
    return certificate;
  };
}
