import { hash } from 'node:crypto';

/** A Digest header value over the bytes, as in `SHA-256=X48E9q...`. */
export function digestOf(body: Uint8Array, algorithm: 'sha-256' | 'sha-512'): string {
  const value = hash(algorithm === 'sha-256' ? 'sha256' : 'sha512', body, 'base64');
  return `${algorithm.toUpperCase()}=${value}`;
}
