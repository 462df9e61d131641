import { Mismatch } from '../doctor/mismatch.ts';
import { readSignatureBlock, type SignatureBlock } from '../doctor/signature-block.ts';
import { checkKeyId, inHexadecimal, isHexadecimal, otherEncoding, parseSignatureHeader } from './signature-header.ts';
import { type ReceivedHeaders, singleHeader, type SignedRequest, signingString } from './signing-string.ts';
import { coveredWhenSent, decodeStrictBase64, digestOf } from './signed-text.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { invalidSignature, signingRefusal } from '../signing-refusal.ts';
import type { TppCertificate } from '../certificate/tpp-certificate.ts';
import { type KeyObject, verify, hash } from 'node:crypto';
import { formatName } from '../name/name-attribute.ts';
import { nextTurn } from '../../../engine/time/clock.ts';

/**
 * The Signature header of a request, as far as it is right without its value. `signed`: what the bank builds of the
 * request to be verified.
 */
type ReceivedSignature = ReturnType<typeof readSignature>;

/**
 * Reads the Signature header: grammar, keyId, covered headers, the base64 of its value. A fault is a SIGNATURE_INVALID
 * refusal that names the part.
 */
export function readSignature(
  signature: string,
  request: SignedRequest,
  headers: ReceivedHeaders,
  certificate: TppCertificate,
) {
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
  const block = readSignatureBlock(value, key);
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

/**
 * Verifies this key's RSA-SHA256 (PKCS#1 v1.5) signature over the latin1 bytes of the signing string. The key type is
 * checked first: Node verifies ECDSA under the name RSA-SHA256 too.
 */
export async function verifySignature(signingString: string, value: Uint8Array, key: KeyObject): Promise<boolean> {
  if (key.asymmetricKeyType !== 'rsa') return false;
  // Requests of one turn write in one transaction. To wake another thread costs more than to verify.
  await nextTurn();
  return verify('RSA-SHA256', Buffer.from(signingString, 'latin1'), key, value);
}

/** What is certain of a signature that does not fit the certificate, and what to do about it, in sentences. */
function factsOfMismatch(block: SignatureBlock, certificate: TppCertificate): string {
  const isWrong = certificate.x509.ca && isOfAnotherKey(block);
  return isWrong ? `The certificate sent is the wrong one. ${authority(certificate)} ${cure}` : certainFacts(block);
}

/** What a signature value alone tells, and what to do about it, in sentences. */
export function certainFacts(block: SignatureBlock): string {
  switch (block.kind) {
    case 'hash':
      return block.hash === 'sha256'
        ? "It is made with the certificate's key and SHA-256, over another text. Compare yours with the bank's, byte by byte."
        : `It is made with ${nameOf(block.hash)}${cures.get(block.hash) ?? ''}. Sign with SHA-256 (rsa-sha256).`;
    case 'bare hash':
      return `It holds the bare ${nameOf(block.hash)} hash${formOf(block)}, without its DigestInfo. Sign with RSA PKCS#1 v1.5 and SHA-256 in one call, not with raw RSA.`;
    case 'no hash':
      return `It holds ${block.content.length} bytes that are no hash: the text was encrypted with the key, not signed. Sign with RSA PKCS#1 v1.5 and SHA-256.`;
    case 'pss':
      return 'It is made with RSA-PSS. Sign with RSA PKCS#1 v1.5, which is what rsa-sha256 means.';
    case 'length':
      return wrongLength(block);
    case 'another key':
      return "It is made with another key than the certificate's, or was changed afterwards. Send the certificate that belongs to the signing key.";
  }
}

/** What is known of the hashes that TPPs take most often in place of SHA-256. */
const cures: ReadonlyMap<string, string> = new Map([
  [
    'sha1',
    ', which some libraries take where none is named: SHA256withRSA is the name in Java, HashAlgorithmName.SHA256 in .NET',
  ],
  ['sha512', ', which only a Digest may have: algorithm="rsa-sha256" names the hash of the signature'],
]);

function wrongLength({ bytes, expected, form }: SignatureBlock & { kind: 'length' }): string {
  if (form === 'ecdsa') return 'It is an ECDSA signature. Sign with the RSA key of the certificate.';
  if (form === 'base64') return 'It is in base64 twice. Write its bytes in base64 once.';
  if (bytes === 32) return 'It has 32 bytes, as a hash or an HMAC has. Sign with the RSA key of the certificate.';
  if (bytes === 64)
    return 'It has 64 bytes, as an Ed25519 or a raw ECDSA signature has. Sign with the RSA key of the certificate.';
  return `It has ${bytes} bytes; the certificate's key makes ${expected}. Sign with the key of the certificate, and send its base64 whole.`;
}

function nameOf(hash: string): string {
  return hash === 'md5' ? 'MD5' : hash.replace('sha', 'SHA-');
}

function formOf({ form }: SignatureBlock & { kind: 'bare hash' }): string {
  return form === 'bytes' ? '' : form === 'hex' ? ' in hexadecimal' : ' in base64';
}

/** The shortest signature of an RSA key that certificates have, in bytes. */
const shortestRsa = 256;

/**
 * Says that another key than that of the certificate has signed: the root of the chain was sent, or the certificate of
 * another TPP. Returns null if its key has signed, or nobody can tell. `value` is null if the signature is no base64.
 */
function wrongCertificate(certificate: TppCertificate, value: Uint8Array | null): string | null {
  const { x509 } = certificate;
  if (value === null || !isOfAnotherKey(readSignatureBlock(value, x509.publicKey))) return null;
  return `${x509.ca ? authority(certificate) : 'It is another certificate than that of the signing key.'} ${cure}`;
}

const cure = 'Send the certificate that was issued for the signing key, in the place of this one.';

function authority({ x509, issuer }: TppCertificate): string {
  const isRoot = x509.issuer === x509.subject;
  return isRoot
    ? `It is the root of an authority (${oneLine(formatName(issuer), 120)}), not the certificate of a TPP.`
    : 'It is the certificate of an authority, not of a TPP.';
}

/** Whether another RSA key than this one has made the signature, also one of another length. */
function isOfAnotherKey(block: SignatureBlock): boolean {
  if (block.kind === 'length') return block.form === 'other' && block.bytes >= shortestRsa && block.bytes % 64 === 0;
  return block.kind === 'another key';
}

const hashNames: ReadonlyMap<string, 'sha256' | 'sha512'> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/**
 * Checks the Digest header (rules.md G4). A body needs one (HTTP_HEADER_REQUIRED) over its exact bytes; without a body
 * it is optional, but must match when sent. Of several algorithms, comma-separated (RFC 3230), at least one is SHA-256
 * or SHA-512 and all of those match; others are ignored. Anything else is a FORMAT_ERROR.
 */
export function checkDigest(headers: ReceivedHeaders, body: Uint8Array): void {
  const digest = singleHeader(headers, 'digest', 'FORMAT_ERROR');
  if (digest === null) {
    if (body.length === 0) return;
    const other = headers.has('content-digest') ? ' Content-Digest is of RFC 9530, which the bank does not read.' : '';
    const text = `The header Digest is missing, and the request has a body of ${body.length} bytes.${other} Expected: ${digestOf(body, 'sha-256')}`;
    throw signingRefusal('HTTP_HEADER_REQUIRED', 'digest', text);
  }
  // Repeated instances count once: each costs a hash of the whole body.
  const instances = new Set(digest.split(',').map((instance) => instance.trim()));
  const checked = [...instances].filter((instance) => matchesBody(instance, body));
  if (checked.length === 0) {
    throw malformed(`"${oneLine(digest, 120)}" uses neither SHA-256 nor SHA-512${cureOfName(digest)}`);
  }
}

/** False for an ignored algorithm. Throws a refusal when the instance is malformed or does not match. */
function matchesBody(instance: string, body: Uint8Array): boolean {
  const [, algorithm = '', value = ''] = /^([A-Za-z0-9-]+)=(.*)$/s.exec(instance) ?? [];
  const hashName = hashNames.get(algorithm.toLowerCase());
  if (hashName === undefined) {
    if (isHash(instance)) throw malformed(`"${oneLine(instance, 120)}" lacks SHA-256= before the base64`);
    if (algorithm === '') throw malformed(`"${oneLine(instance, 120)}" is not of the form SHA-256=base64`);
    return false;
  }
  const expected = hash(hashName, body, 'buffer');
  const received = decodeStrictBase64(value);
  if (received?.length !== expected.length) {
    throw malformed(
      `"${oneLine(instance, 200)}" is not ${expected.length} bytes in padded base64${cureOfValue(value)}`,
    );
  }
  if (!expected.equals(received)) {
    throw new Mismatch({
      code: 'FORMAT_ERROR',
      path: 'digest',
      text: [
        `The Digest does not match the ${body.length} bytes of the body.`,
        `Received ${oneLine(instance, 100)}, expected ${algorithm}=${expected.toString('base64')}.`,
      ],
      certain: 'Hash the exact bytes that are sent.',
      answerSays: 'all',
      question: { kind: 'digest', hash: hashName, digest: received, body },
      expected: null,
      received: null,
    });
  }
  return true;
}

function malformed(problem: string) {
  return signingRefusal(
    'FORMAT_ERROR',
    'digest',
    `The header Digest is wrong: ${problem}. Expected SHA-256= or SHA-512= and the base64 of the hash of the body.`,
  );
}

const sizes: readonly number[] = [32, 64];
/** Names of hashes by their length in bytes. */
const hashBySize: ReadonlyMap<number, string> = new Map([
  [16, 'MD5'],
  [20, 'SHA-1'],
  [32, 'SHA-256'],
  [48, 'SHA-384'],
  [64, 'SHA-512'],
]);

function isHash(text: string): boolean {
  return sizes.includes(decodeStrictBase64(text)?.length ?? 0);
}

function isHex(text: string): boolean {
  return /^[0-9a-f]+$/i.test(text) && sizes.includes(text.length / 2);
}

function cureOfName(digest: string): string {
  return /^sha_?(?:256|512)=/i.test(digest) ? '; write the name with its hyphen' : '';
}

/** Says how a wrong value is written, and what to do. */
function cureOfValue(value: string): string {
  if (isHex(value)) return '; it is in hexadecimal, write the bytes of the hash in base64';
  const inner = decodeStrictBase64(value)?.toString('latin1') ?? '';
  if (isHex(inner)) return '; it is the base64 of hexadecimal, take the bytes of the hash';
  if (isHash(inner)) return '; it is in base64 twice, write it once';
  const other = hashBySize.get(decodeStrictBase64(value)?.length ?? 0);
  if (other !== undefined) return `; it is as long as a hash of ${other}, not of the algorithm named`;
  const colons = /^:(.*):$/.exec(value)?.[1];
  if (colons !== undefined && isHash(colons)) return '; leave out the colons, which Content-Digest has';
  if (/[-_]/.test(value) && /^[\w-]{43,88}={0,2}$/.test(value)) {
    return '; it is base64url, write + and / in place of - and _, and pad with =';
  }
  if (/^[A-Za-z0-9+/]{43}$/.test(value) || /^[A-Za-z0-9+/]{86}$/.test(value))
    return '; it lacks its padding, put = behind it';
  return '';
}
