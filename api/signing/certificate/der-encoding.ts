import { createRequire } from 'node:module';
import type * as NodeForge from 'node-forge';
import type { asn1 } from 'node-forge';

export type Forge = typeof NodeForge;

/** Loads node-forge on first use: it is large, and only issuing certificates needs it. */
export function loadForge(): Forge {
  return createRequire(import.meta.url)('node-forge') as Forge;
}

/** Builders of DER values for issued certificates, as node-forge trees. */
export const encode = {
  sequence: (...members: asn1.Asn1[]) => universal('SEQUENCE', true, members),
  set: (...members: asn1.Asn1[]) => universal('SET', true, members),
  oid: (dotted: string) => universal('OID', false, loadForge().asn1.oidToDer(dotted).getBytes()),
  bytes: (content: Uint8Array) => universal('OCTETSTRING', false, latin1(content)),
  /** A BIT STRING that is a whole number of bytes. */
  bits: (content: Uint8Array) => universal('BITSTRING', false, `\0${latin1(content)}`),
  /** Takes big-endian bytes, with a leading 00 when the sign bit is set. */
  integer: (content: Uint8Array) => universal('INTEGER', false, latin1(content)),
  boolean: (value: boolean) => universal('BOOLEAN', false, value ? '\xff' : '\0'),
  nothing: () => universal('NULL', false, ''),
  /** The content is UTF-8 for every type: right for UTF8String, and for ASCII in a PrintableString. */
  text: (type: asn1.Type, value: string) =>
    loadForge().asn1.create(loadForge().asn1.Class.UNIVERSAL, type, false, latin1(Buffer.from(value, 'utf8'))),
  /** Whole seconds; UTCTime until 2049 and GeneralizedTime from then on, as RFC 5280 section 4.1.2.5 wants. */
  time: (milliseconds: number) => {
    const { dateToUtcTime, dateToGeneralizedTime } = loadForge().asn1;
    const date = new Date(milliseconds);
    return date.getUTCFullYear() < 2050
      ? universal('UTCTIME', false, dateToUtcTime(date))
      : universal('GENERALIZEDTIME', false, dateToGeneralizedTime(date));
  },
  /** An explicit context tag around a value. */
  tagged: (tag: number, member: asn1.Asn1) =>
    loadForge().asn1.create(loadForge().asn1.Class.CONTEXT_SPECIFIC, tag, true, [member]),
  /** Bytes under a context tag in place of their own (IMPLICIT). */
  taggedBytes: (tag: number, content: Uint8Array) =>
    loadForge().asn1.create(loadForge().asn1.Class.CONTEXT_SPECIFIC, tag, false, latin1(content)),
};

/** Parses DER bytes into a tree, to embed them unchanged. */
export function fromDer(der: Uint8Array): asn1.Asn1 {
  return loadForge().asn1.fromDer(latin1(der), true);
}

/** Encodes a tree as DER bytes. */
export function toDer(node: asn1.Asn1): Buffer {
  return Buffer.from(loadForge().asn1.toDer(node).getBytes(), 'latin1');
}

function universal(type: keyof typeof asn1.Type, constructed: boolean, value: string | asn1.Asn1[]): asn1.Asn1 {
  const { create, Class, Type } = loadForge().asn1;
  return create(Class.UNIVERSAL, Type[type], constructed, value);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
