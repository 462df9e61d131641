import { hash } from 'node:crypto';
import { Mismatch } from '../doctor/mismatch.ts';
import { digestOf, decodeStrictBase64 } from './signed-text.ts';
import { type ReceivedHeaders, singleHeader } from './received-headers.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { signingRefusal } from '../signing-refusal.ts';

const hashNames: ReadonlyMap<string, 'sha256' | 'sha512'> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/**
 * Checks the Digest header (rules.md G4). A body needs one (HTTP_HEADER_REQUIRED) over its exact bytes; without a body it is
 * optional, but must match when sent. Of several algorithms, comma-separated (RFC 3230), at least one is SHA-256 or SHA-512
 * and all of those match; others are ignored. Anything else is a FORMAT_ERROR.
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
