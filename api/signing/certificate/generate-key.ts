import { type KeyKind, keyPair } from './key-pair.ts';

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
