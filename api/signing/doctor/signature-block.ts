import { constants, createHash, type KeyObject, publicDecrypt } from 'node:crypto';
import { decodeStrictBase64 } from '../signature/signed-text.ts';

export type HashName = 'sha256' | 'sha1' | 'sha512' | 'sha384' | 'sha224' | 'md5';

/** What a signature value holds, seen with the certificate's key. `digest` is the hash of the text that was signed. */
export type SignatureBlock =
  | { readonly kind: 'hash'; readonly hash: HashName; readonly digest: Buffer }
  /** PKCS#1 padding around the hash alone, without its DigestInfo; `form`: how the hash is written. */
  | {
      readonly kind: 'bare hash';
      readonly hash: HashName;
      readonly digest: Buffer;
      readonly form: 'bytes' | 'hex' | 'base64';
    }
  /** PKCS#1 padding around something else: a text that was not hashed. */
  | { readonly kind: 'no hash'; readonly content: Buffer }
  | { readonly kind: 'pss' }
  /** No signature of this key has that many bytes. */
  | {
      readonly kind: 'length';
      readonly bytes: number;
      readonly expected: number;
      readonly form: 'ecdsa' | 'base64' | 'other';
    }
  | { readonly kind: 'another key' };

/** DER of a DigestInfo up to the hash itself (RFC 8017, 9.2, note 1), and the number of bytes of the hash. */
const digestInfos: readonly (readonly [hash: HashName, prefix: string, size: number])[] = [
  ['sha256', '3031300d060960864801650304020105000420', 32],
  ['sha1', '3021300906052b0e03021a05000414', 20],
  ['sha512', '3051300d060960864801650304020305000440', 64],
  ['sha384', '3041300d060960864801650304020205000430', 48],
  ['sha224', '302d300d06096086480165030402040500041c', 28],
  ['md5', '3020300c06082a864886f70d020505000410', 16],
];

const sizes: ReadonlyMap<number, HashName> = new Map(digestInfos.map(([hash, , size]) => [size, hash]));
const ofPss = ['sha256', 'sha1', 'sha512', 'sha384'] as const;

/**
 * Reads what a signature value holds by the RSA key that should have made it: two public-key operations at most. Never
 * throws.
 */
export function readSignatureBlock(value: Uint8Array, key: KeyObject): SignatureBlock {
  const expected = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
  if (value.length !== expected) {
    return { kind: 'length', bytes: value.length, expected, form: formOf(value, expected) };
  }
  const content = opened(key, value, constants.RSA_PKCS1_PADDING);
  if (content !== null) return readContent(content);
  const raw = opened(key, value, constants.RSA_NO_PADDING);
  return { kind: raw !== null && isPss(raw) ? 'pss' : 'another key' };
}

function opened(key: KeyObject, value: Uint8Array, padding: number): Buffer | null {
  try {
    return publicDecrypt({ key, padding }, value);
  } catch {
    return null;
  }
}

function readContent(content: Buffer): SignatureBlock {
  for (const [hash, prefix, size] of digestInfos) {
    const start = Buffer.from(prefix, 'hex');
    if (content.length === start.length + size && content.subarray(0, start.length).equals(start)) {
      return { kind: 'hash', hash, digest: content.subarray(start.length) };
    }
  }
  const bare = (digest: Buffer, form: 'bytes' | 'hex' | 'base64'): SignatureBlock | null => {
    const hash = sizes.get(digest.length);
    return hash === undefined ? null : { kind: 'bare hash', hash, digest, form };
  };
  const text = content.toString('latin1');
  const asHex = Buffer.from(text, 'hex');
  if (asHex.length > 0 && asHex.toString('hex') === text.toLowerCase())
    return bare(asHex, 'hex') ?? { kind: 'no hash', content };
  const asBase64 = Buffer.from(text, 'base64');
  const fromBase64 = asBase64.toString('base64') === text ? bare(asBase64, 'base64') : null;
  return fromBase64 ?? bare(content, 'bytes') ?? { kind: 'no hash', content };
}

function formOf(value: Uint8Array, expected: number): 'ecdsa' | 'base64' | 'other' {
  if (isEcdsa(value)) return 'ecdsa';
  const inner = decodeStrictBase64(Buffer.from(value).toString('latin1'));
  return inner?.length === expected ? 'base64' : 'other';
}

/** A DER sequence of two integers of up to 73 bytes each. */
function isEcdsa(value: Uint8Array): boolean {
  const [tag, length, integer] = value;
  return tag === 0x30 && integer === 0x02 && length === value.length - 2;
}

/**
 * Whether a raw block has the structure of EMSA-PSS (RFC 8017, 9.1.2), with any hash and salt. Java masks with SHA-1
 * whatever the hash. One signature of another key in some thousands has it by chance.
 */
function isPss(raw: Buffer): boolean {
  if (raw.at(-1) !== 0xbc) return false;
  return ofPss.some((hash) => hasSaltAfterOne(raw, hash, hash) || hasSaltAfterOne(raw, hash, 'sha1'));
}

/**
 * Whether the unmasked block is zeros, a 1 and the salt. The first bit is no part of it: it is one less than the
 * modulus has.
 */
function hasSaltAfterOne(raw: Buffer, hash: HashName, maskHash: HashName): boolean {
  const size = createHash(hash).digest().length;
  const masked = raw.subarray(0, raw.length - size - 1);
  const mask = maskOf(raw.subarray(masked.length, -1), masked.length, maskHash);
  const block = masked.map((byte, at) => byte ^ (mask[at] ?? 0));
  block[0] = (block[0] ?? 0) & 0x7f;
  return block.find((byte) => byte !== 0) === 1;
}

/** MGF1 (RFC 8017, B.2.1). */
function maskOf(seed: Buffer, length: number, hash: HashName): Buffer {
  const parts: Buffer[] = [];
  for (let count = 0, made = 0; made < length; count += 1) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    const part = createHash(hash).update(seed).update(counter).digest();
    parts.push(part);
    made += part.length;
  }
  return Buffer.concat(parts).subarray(0, length);
}
