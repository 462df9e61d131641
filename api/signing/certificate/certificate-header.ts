import { signingRefusal } from '../signing-refusal.ts';
import { decodeStrictBase64 } from '../signature/strict-base64.ts';

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';
/** In characters. A certificate with an RSA key of 16,384 bits takes 8,000; Node takes 16,384 of all headers together. */
const longest = 12_288;

/**
 * The DER inside a TPP-Signature-Certificate header: base64 of DER, or of PEM text as early clients send it.
 * Strict base64, one certificate (rules.md G5), else a CERTIFICATE_INVALID refusal.
 */
export function decodeCertificateHeader(value: string): Buffer {
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
