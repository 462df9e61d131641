import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

let made: Promise<string> | undefined;

/**
 * One RSA key for all TPPs of this process, PKCS#8 in PEM. To find the primes of a key takes longer than everything else
 * that a test does, and a bank tells TPPs apart by their certificates, of which each has its own.
 */
export function throwAwayKey(): Promise<string> {
  made ??= promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).then(({ privateKey }) => privateKey);
  return made;
}
