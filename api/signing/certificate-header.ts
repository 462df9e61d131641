import { signingRefusal } from './signing-refusal.ts';
import { decodeStrictBase64 } from './strict-base64.ts';

const begin = '-----BEGIN CERTIFICATE-----';
const pem = /^-----BEGIN CERTIFICATE-----\s+([A-Za-z0-9+/=\s]+?)\s+-----END CERTIFICATE-----\s*$/;

/**
 * The DER inside a TPP-Signature-Certificate header: base64 of DER, or of PEM text as early clients send it.
 * Strict base64, one certificate (rules.md G5), else a CERTIFICATE_INVALID refusal.
 */
export function decodeCertificateHeader(value: string): Buffer {
  const bytes = decodeStrictBase64(value);
  if (bytes === null) {
    throw invalid('it is not strict base64 (standard alphabet, padded, no blanks or line breaks)');
  }
  const text = bytes.toString('latin1').trimStart();
  if (!text.startsWith(begin)) return bytes;
  const der = decodeStrictBase64((pem.exec(text)?.[1] ?? '').replace(/\s/g, ''));
  if (der === null) throw invalid('the PEM text inside is not exactly one certificate');
  return der;
}

function invalid(problem: string) {
  const text = `The header TPP-Signature-Certificate cannot be read: ${problem}. Send the PEM body without its BEGIN and END lines and without line breaks.`;
  return signingRefusal('CERTIFICATE_INVALID', 'tpp-signature-certificate', text);
}
