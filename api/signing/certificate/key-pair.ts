import { generateKeyPair, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { promisify } from 'node:util';

/** Kind of key: bits of an RSA key, or an elliptic curve. */
export type KeyKind = 1024 | 2048 | 3072 | 4096 | 'P-256';

/** Ends when the key that was asked for last is made. */
let making: Promise<unknown> = Promise.resolve();

/**
 * A new pair of keys, made on a thread of libuv's pool, one after the other: everything else goes on meanwhile, files
 * included, which need these threads too.
 */
export function keyPair(kind: KeyKind): Promise<KeyPairKeyObjectResult> {
  const generate = promisify(generateKeyPair);
  const made = making.then(() =>
    kind === 'P-256' ? generate('ec', { namedCurve: kind }) : generate('rsa', { modulusLength: kind }),
  );
  making = made.catch(() => undefined);
  return made;
}

/** A new pair of keys. Everything else waits for it: for an RSA key of 2,048 bits about 0.1 s. */
export function keyPairSync(kind: KeyKind): KeyPairKeyObjectResult {
  return kind === 'P-256'
    ? generateKeyPairSync('ec', { namedCurve: kind })
    : generateKeyPairSync('rsa', { modulusLength: kind });
}
