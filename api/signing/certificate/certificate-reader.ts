import { createHash } from 'node:crypto';
import { readTppCertificate, type TppCertificate } from './tpp-certificate.ts';
import { signingRefusal } from '../signing-refusal.ts';
import { decodeStrictBase64 } from '../signature/strict-base64.ts';

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

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';
/** In characters. A certificate with an RSA key of 16,384 bits takes 8,000; Node takes 16,384 of all headers together. */
const longest = 12_288;

/**
 * The DER inside a TPP-Signature-Certificate header: base64 of DER, or of PEM text as early clients send it.
 * Strict base64, one certificate (rules.md G5), else a CERTIFICATE_INVALID refusal.
 */
function decodeCertificateHeader(value: string): Buffer {
  if (value.length > longest) throw invalid(`it is ${value.length} characters long, at most ${longest} are read`);
  const bytes = decodeStrictBase64(value);
  if (bytes === null) {
    throw invalid('it is not strict base64 (standard alphabet, padded, no blanks or line breaks)');
  }
  const text = bytes.toString('latin1').trim();
  if (!text.startsWith(begin)) return bytes;
  const der = text.endsWith(end) ? decodeLines(text.slice(begin.length, -end.length)) : null;
  if (der === null) throw invalid('the PEM text inside is not exactly one certificate');
  return der;
}

/** The lines between BEGIN and END, which stand on lines of their own; null when they are not strict base64. */
function decodeLines(lines: string): Buffer | null {
  return /^\s/.test(lines) && /\s$/.test(lines) ? decodeStrictBase64(lines.replace(/\s/g, '')) : null;
}

function invalid(problem: string) {
  const text = `The header TPP-Signature-Certificate cannot be read: ${problem}. Send the PEM body without its BEGIN and END lines and without line breaks.`;
  return signingRefusal('CERTIFICATE_INVALID', 'tpp-signature-certificate', text);
}
