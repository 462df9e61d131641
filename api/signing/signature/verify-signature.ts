import { verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/**
 * Whether the value is this key's RSA-SHA256 (PKCS#1 v1.5) signature over the latin1 bytes of the signing string.
 * The key type is looked at first: node would verify ECDSA under the name RSA-SHA256 as well.
 */
export function verifySignature(signingString: string, value: Uint8Array, key: KeyObject): boolean {
  return key.asymmetricKeyType === 'rsa' && verify('RSA-SHA256', Buffer.from(signingString, 'latin1'), key, value);
}
