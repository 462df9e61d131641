import { createHash } from 'node:crypto';
import { keepNewest } from '../../../engine/values/lists.ts';
import { readTppCertificate, type TppCertificate } from './tpp-certificate.ts';
import { cureOfHeld, type OtherContent, otherContent } from './other-content.ts';
import { signingRefusal } from '../signing-refusal.ts';
import { decodeStrictBase64 } from '../signature/signed-text.ts';

const cacheSize = 1000;

/**
 * Reads TPP-Signature-Certificate headers and caches the last 1000 different certificates: parsing one costs several
 * times as much as verifying a signature. Refusals are not cached; a cached certificate is still checked at each request.
 */
export function createCertificateReader(): (header: string) => TppCertificate {
  const cached = new Map<string, TppCertificate>();
  let last: { readonly header: string; readonly certificate: TppCertificate } | null = null;
  return (header) => {
    if (last?.header === header) return last.certificate;
    const key = createHash('sha256').update(header).digest('base64');
    const known = cached.get(key);
    const certificate = known ?? readTppCertificate(decodeCertificateHeader(header));
    keepNewest(cached, key, certificate, cacheSize);
    last = { header, certificate };
    return certificate;
  };
}

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';
/** In characters. A certificate with an RSA key of 16,384 bits takes 8,000; Node reads 16,384 of all headers together. */
const longest = 12_288;

/**
 * DER of a TPP-Signature-Certificate header, which is the base64 of DER or, from some clients, of PEM text.
 * Strict base64, one certificate (rules.md G5), else a CERTIFICATE_INVALID refusal.
 */
function decodeCertificateHeader(value: string): Buffer {
  if (value.length > longest) throw invalid(`it is ${value.length} characters long, at most ${longest} are read`);
  const bytes = decodeStrictBase64(value);
  if (bytes === null) throw unreadable(otherContent(value));
  const text = bytes.toString('latin1').trim();
  if (!text.startsWith(begin)) return bytes;
  const der = text.endsWith(end) ? decodeLines(text.slice(begin.length, -end.length)) : null;
  if (der === null) throw invalid('the PEM text inside is not exactly one certificate');
  return der;
}

/** The base64 between the BEGIN and END lines, decoded; null when it is not strict base64. */
function decodeLines(lines: string): Buffer | null {
  return /^\s/.test(lines) && /\s$/.test(lines) ? decodeStrictBase64(lines.replace(/\s/g, '')) : null;
}

/** Whether a certificate header that can be read is the base64 of a PEM text. */
export function isPemAsBase64(value: string): boolean {
  return Buffer.from(value, 'base64').toString('latin1').trimStart().startsWith(begin);
}

function unreadable({ form, held }: OtherContent) {
  const problem =
    form === null
      ? 'it is not strict base64 (standard alphabet, padded, no blanks or line breaks)'
      : `it is ${form}, not strict base64`;
  return invalid(problem, held === null ? '' : ` ${cureOfHeld(held)}`);
}

function invalid(problem: string, more = '') {
  const text = `The header TPP-Signature-Certificate cannot be read: ${problem}. Send the PEM body without its BEGIN and END lines and without line breaks.${more}`;
  return signingRefusal('CERTIFICATE_INVALID', 'tpp-signature-certificate', text);
}
