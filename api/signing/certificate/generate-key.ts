import { generateKeyPair, type KeyPairKeyObjectResult } from 'node:crypto';
import { promisify } from 'node:util';

/** Kind of key: bits of an RSA key, or an elliptic curve. */
export type KeyKind = 1024 | 2048 | 3072 | 4096 | 'P-256';

let last: Promise<unknown> = Promise.resolve();

/**
 * Generates a private key, PKCS#8 in PEM, on a thread of libuv's pool: requests go on meanwhile. One key at a time, so that
 * the other threads stay free for files.
 */
export async function generateKey(kind: KeyKind = 2048): Promise<string> {
  const made = last.then(() => keyPair(kind));
  last = made.catch(() => undefined);
  const { privateKey } = await made;
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function keyPair(kind: KeyKind): Promise<KeyPairKeyObjectResult> {
  const generate = promisify(generateKeyPair);
  return kind === 'P-256' ? generate('ec', { namedCurve: kind }) : generate('rsa', { modulusLength: kind });
}
