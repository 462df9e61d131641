import { factsOfMismatch, wrongCertificate } from '../doctor/certain-facts.ts';
import { Mismatch } from '../doctor/mismatch.ts';
import { readSignatureBlock } from '../doctor/signature-block.ts';
import { checkKeyId } from './key-id-check.ts';
import { inHexadecimal, isHexadecimal, otherEncoding } from './other-forms.ts';
import { type ReceivedHeaders, singleHeader } from './received-headers.ts';
import { parseSignatureHeader, type SignatureHeader } from './signature-header.ts';
import { coveredWhenSent, decodeStrictBase64 } from './signed-text.ts';
import { type SignedRequest, signingString } from './signing-string.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { invalidSignature } from '../signing-refusal.ts';
import type { TppCertificate } from '../certificate/tpp-certificate.ts';
import { type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';

/** The Signature header of a request, as far as it is right without its value. */
interface ReceivedSignature {
  readonly request: SignedRequest;
  readonly parsed: SignatureHeader;
  /** What the bank builds of the request to be verified. */
  readonly signed: string;
  readonly value: Buffer;
  readonly key: KeyObject;
  readonly certificate: TppCertificate;
}

/**
 * Reads the Signature header: grammar, keyId, covered headers, the base64 of its value. A fault is a SIGNATURE_INVALID refusal
 * that names the part.
 */
export function readSignature(
  signature: string,
  request: SignedRequest,
  headers: ReceivedHeaders,
  certificate: TppCertificate,
): ReceivedSignature {
  const parsed = parseSignatureHeader(signature);
  for (const name of coveredWhenSent) singleHeader(headers, name, 'SIGNATURE_INVALID');
  const value = decodeStrictBase64(parsed.signature);
  checkKeyId(parsed.keyId, certificate, () => wrongCertificate(certificate, value));
  checkCoverage(parsed.headers, headers);
  const signed = signingString(request, headers, parsed.headers);
  if (value === null)
    throw invalidSignature(
      `The part signature is "${oneLine(parsed.signature)}": not padded base64. ${otherEncoding(parsed.signature)}`,
    );
  return { request, parsed, signed, value, key: certificate.x509.publicKey, certificate };
}

/** Checks the value of a signature. One that does not verify is a Mismatch, SIGNATURE_INVALID. */
export async function checkSignatureValue(received: ReceivedSignature): Promise<void> {
  if (!(await verifySignature(received.signed, received.value, received.key))) throw mismatch(received);
}

function mismatch({ request, parsed, signed, value, key, certificate }: ReceivedSignature): Mismatch {
  const block = readSignatureBlock({ value, key });
  const isHex = block.kind === 'length' && isHexadecimal(parsed.signature);
  const isHash = block.kind === 'hash' || block.kind === 'bare hash';
  return new Mismatch({
    code: 'SIGNATURE_INVALID',
    path: 'signature',
    text: [
      'The signature does not fit the request.',
      `The bank verified this text, line breaks shown as \\n: ${oneString(signed)}`,
    ],
    certain: isHex ? inHexadecimal : factsOfMismatch(block, certificate),
    answerSays: block.kind === 'hash' && block.hash === 'sha256' ? 'all' : 'more',
    question: isHash
      ? { kind: 'signature', hash: block.hash, digest: block.digest, request, names: parsed.written.headerNames }
      : null,
    expected: signed,
    received: block.kind === 'no hash' ? block.content.toString('latin1') : null,
  });
}

/** A signing string in one line, `\n` for its line breaks. */
function oneString(signed: string): string {
  return signed
    .split('\n')
    .map((line) => oneLine(line, 512))
    .join('\\n');
}

function checkCoverage(names: readonly string[], headers: ReceivedHeaders): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw invalidSignature(`The header ${oneLine(twice)} is listed twice in headers="...". List it once.`);
  const uncovered = coveredWhenSent.filter((name) => headers.has(name) && !names.includes(name));
  if (uncovered.length > 0) {
    throw invalidSignature(
      `Sent, but not covered by the signature: ${uncovered.join(', ')}. Name each in headers="..." and sign it.`,
    );
  }
}

/** In another thread: requests that wait for theirs write in one transaction. */
const verifyAside = promisify(verify);

/**
 * Verifies this key's RSA-SHA256 (PKCS#1 v1.5) signature over the latin1 bytes of the signing string. The key type is
 * checked first: Node verifies ECDSA under the name RSA-SHA256 too.
 */
export async function verifySignature(signingString: string, value: Uint8Array, key: KeyObject): Promise<boolean> {
  if (key.asymmetricKeyType !== 'rsa') return false;
  return verifyAside('RSA-SHA256', Buffer.from(signingString, 'latin1'), key, value);
}
