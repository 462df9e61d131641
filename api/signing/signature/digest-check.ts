import { createHash } from 'node:crypto';
import { digestOf } from './digest.ts';
import type { ReceivedHeaders } from './received-headers.ts';
import { singleHeader } from './received-headers.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { signingRefusal } from '../signing-refusal.ts';
import { decodeStrictBase64 } from './strict-base64.ts';

const hashNames: ReadonlyMap<string, string> = new Map([
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
    const text = `The header Digest is missing, and the request has a body of ${body.length} bytes. Expected: ${digestOf(body, 'sha-256')}`;
    throw signingRefusal('HTTP_HEADER_REQUIRED', 'digest', text);
  }
  // Repeated instances count once: each costs a hash of the whole body.
  const instances = new Set(digest.split(',').map((instance) => instance.trim()));
  const checked = [...instances].filter((instance) => matchesBody(instance, body));
  if (checked.length === 0) {
    throw malformed(`"${oneLine(digest, 120)}" uses neither SHA-256 nor SHA-512`);
  }
}

/** False for an ignored algorithm. Throws a refusal when the instance is malformed or does not match. */
function matchesBody(instance: string, body: Uint8Array): boolean {
  const [, algorithm, value] = /^([A-Za-z0-9-]+)=(.*)$/s.exec(instance) ?? [];
  if (algorithm === undefined || value === undefined)
    throw malformed(`"${oneLine(instance, 120)}" is not of the form SHA-256=base64`);
  const hashName = hashNames.get(algorithm.toLowerCase());
  if (hashName === undefined) return false;
  const expected = createHash(hashName).update(body).digest();
  const received = decodeStrictBase64(value);
  if (received?.length !== expected.length) {
    throw malformed(`"${oneLine(instance, 120)}" is not ${expected.length} bytes in padded base64`);
  }
  if (!expected.equals(received)) {
    const text = `The Digest does not match the ${body.length} bytes of the body. Received ${oneLine(instance, 100)}, expected ${algorithm}=${expected.toString('base64')}. Hash the exact bytes sent.`;
    throw signingRefusal('FORMAT_ERROR', 'digest', text);
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
