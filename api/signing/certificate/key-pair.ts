import { generateKeyPair, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { promisify } from 'node:util';

/** Kind of key: bits of an RSA key, or an elliptic curve. */
export type KeyKind = 1024 | 2048 | 3072 | 4096 | 'P-256';

/** A new pair of keys, made on a thread of libuv's pool: everything else goes on meanwhile. */
export function keyPair(kind: KeyKind): Promise<KeyPairKeyObjectResult> {
  const generate = promisify(generateKeyPair);
  return kind === 'P-256' ? generate('ec', { namedCurve: kind }) : generate('rsa', { modulusLength: kind });
}

/** A new pair of keys. Everything else waits for it: for an RSA key of 2,048 bits about 0.1 s. */
export function keyPairSync(kind: KeyKind): KeyPairKeyObjectResult {
  return kind === 'P-256'
    ? generateKeyPairSync('ec', { namedCurve: kind })
    : generateKeyPairSync('rsa', { modulusLength: kind });
}
