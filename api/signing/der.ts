import type { asn1 } from 'node-forge';
import { decodeAsn1String } from './decode-text.ts';
import { loadForge } from './forge.ts';

const tagOfBmpString = 30;

/** One DER value and nothing after it, as node-forge's tree. Throws a plain Error for anything else. */
export function parseDer(der: Uint8Array): asn1.Asn1 {
  return loadForge().asn1.fromDer(Buffer.from(der).toString('latin1'), true);
}

/** The members of a constructed value. Throws a plain Error for a primitive one. */
export function membersOf(node: asn1.Asn1 | undefined): readonly asn1.Asn1[] {
  if (node === undefined || typeof node.value === 'string') throw new Error('DER: expected a constructed value');
  return node.value;
}

/** The content bytes of a primitive value. Throws a plain Error for a constructed one. */
export function contentOf(node: asn1.Asn1 | undefined): Buffer {
  if (node === undefined || typeof node.value !== 'string') throw new Error('DER: expected a primitive value');
  return Buffer.from(node.value, 'latin1');
}

/** An object identifier in dotted form. Throws a plain Error when the value is none. */
export function oidOf(node: asn1.Asn1 | undefined): string {
  const { asn1 } = loadForge();
  if (node?.type !== asn1.Type.OID) throw new Error('DER: expected an object identifier');
  return asn1.derToOid(contentOf(node).toString('latin1'));
}

/** The text of a string value of any type; forge has decoded BMPString itself. */
export function textOf(node: asn1.Asn1 | undefined): string {
  if (node?.type === tagOfBmpString && typeof node.value === 'string') return node.value;
  return decodeAsn1String(node?.type ?? 0, contentOf(node));
}
