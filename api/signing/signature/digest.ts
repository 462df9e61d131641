import { createHash } from 'node:crypto';

/** A Digest header value over the bytes, as in `SHA-256=X48E9q...`. */
export function digestOf(body: Uint8Array, algorithm: 'sha-256' | 'sha-512'): string {
  const hash = createHash(algorithm === 'sha-256' ? 'sha256' : 'sha512');
  return `${algorithm.toUpperCase()}=${hash.update(body).digest('base64')}`;
}
