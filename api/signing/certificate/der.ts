import { createRequire } from 'node:module';
import type * as SigstoreCore from '@sigstore/core';
import { decodeAsn1String } from '../name/encoded-text.ts';

/** A parsed DER value of @sigstore/core. */
export type DerValue = SigstoreCore.ASN1Obj;

/** In bytes. An object identifier takes about ten; decoding a long one costs the square of its length. */
const maxOidBytes = 64;

/**
 * Parses one DER value with nothing after it: definite and shortest lengths, short tags, at most 100 levels. Throws a
 * plain Error for anything else. Loads the package on first use.
 */
export function parseDer(der: Uint8Array): DerValue {
  const { ASN1Obj: reader } = createRequire(import.meta.url)('@sigstore/core') as typeof SigstoreCore;
  return reader.parseBuffer(Buffer.from(der));
}

/**
 * The members of a constructed value. Throws a plain Error for a primitive one: the reader also looks into OCTET
 * STRINGs.
 */
export function membersOf(value: DerValue | undefined): readonly DerValue[] {
  if (value?.tag.constructed !== true) throw new Error('DER: expected a constructed value');
  return value.subs;
}

/** The content bytes of a primitive value. Throws a plain Error for a constructed one. */
export function contentOf(value: DerValue | undefined): Buffer {
  if (value === undefined || value.tag.constructed) throw new Error('DER: expected a primitive value');
  return value.value;
}

/** An object identifier in dotted form. Throws a plain Error when the value is none, or too long for one. */
export function oidOf(value: DerValue | undefined): string {
  if (value?.tag.isOID() !== true || contentOf(value).length > maxOidBytes) {
    throw new Error('DER: expected an object identifier');
  }
  return value.toOID();
}

/** The text of a string value of any type. */
export function derText(value: DerValue | undefined): string {
  return decodeAsn1String(value?.tag.number ?? 0, contentOf(value));
}

/**
 * The extensions among the fields of a certificate, or null if it has none. Throws a plain Error for a field of
 * extensions without content.
 */
export function extensionsIn(fields: readonly DerValue[]): DerValue | null {
  const field = fields.find(({ tag }) => tag.isContextSpecific(3));
  if (field === undefined) return null;
  const [extensions] = membersOf(field);
  if (extensions === undefined) throw new Error('DER: expected a member');
  return extensions;
}

/**
 * Content of one certificate extension; null when it is missing. Throws a plain Error for malformed extensions, and for
 * one that stands twice.
 */
export function extensionContent(extensions: DerValue, oid: string): Buffer | null {
  const [extension, ...more] = membersOf(extensions).filter((one) => oidOf(membersOf(one)[0]) === oid);
  if (more.length > 0) throw new Error('DER: expected one extension of a kind');
  return extension === undefined ? null : contentOf(membersOf(extension).at(-1));
}
