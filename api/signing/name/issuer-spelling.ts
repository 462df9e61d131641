import { decodeUtf8 } from './decode-text.ts';
import type { WrittenAttribute } from './distinguished-name.ts';
import { agreedReading, keyOf } from './issuer-mismatch.ts';
import { attributeOid, isPromisedType } from './attribute-type.ts';
import { type NameAttribute, nameValue } from './name-attribute.ts';

/** A way in which the spelling of an issuer departs from RFC 2253 and from the vendor's own (rules.md G3b). */
export type Departure =
  | 'percent-blanks'
  | 'doubled-escapes'
  | 'slash-form'
  | 'issuer-blanks'
  | 'issuer-separators'
  | 'issuer-order'
  | 'issuer-missing'
  | 'issuer-types'
  | 'issuer-numbers'
  | 'issuer-quotes'
  | 'issuer-escapes'
  | 'issuer-latin1'
  | 'issuer-twice'
  | 'issuer-text';

/** Compares an issuer that agrees with the certificate's with what RFC 2253 and the vendor's tool write. */
export function issuerSpelling(written: string, actual: readonly NameAttribute[]): ReadonlySet<Departure> {
  const agreed = agreedReading(written, actual);
  const departures = new Set<Departure>();
  if (agreed === null) return departures;
  const { reading, attributes } = agreed;
  const add = (name: Departure, isSo: boolean): unknown => isSo && departures.add(name);
  const isSlashed = written.trimStart().startsWith('/');
  add('percent-blanks', reading === 'percent');
  add('doubled-escapes', reading === 'doubled');
  add('slash-form', isSlashed);
  add('issuer-blanks', written !== written.trimStart() || attributes.some(hasBlanks));
  add('issuer-separators', !isSlashed && attributes.some(({ separator }) => !['', ',', '+'].includes(separator)));
  if (attributes.length < actual.length && !isVendors(attributes, actual)) departures.add('issuer-missing');
  else if (!isVendors(attributes, actual)) add('issuer-order', !isReversed(attributes, actual));
  for (const attribute of attributes) {
    const { type, value, oid } = attribute;
    const text = value.trim();
    const isHex = text.startsWith('#');
    add('issuer-types', !isPromisedType(type.trim()));
    add('issuer-numbers', type.trim() === oid && !isHex);
    add('issuer-quotes', !isSlashed && text.startsWith('"'));
    add('issuer-escapes', !isSlashed && !isHex && !text.startsWith('"') && !isEscaped(value));
    add(
      'issuer-latin1',
      hexEscapes(value).some((pairs) => !isUtf8(pairs)),
    );
    add('issuer-twice', isReadTwice(attribute, actual));
    add('issuer-text', !attribute.readings.some((one) => isValueOf(actual, oid, one)));
  }
  return departures;
}

/** Types that the vendor's own tool writes, in its order; the others are left out (real-api-facts.md 2). */
const vendorsTypes = ['CN', 'O', 'OU', 'L', 'ST', 'C'].map((type) => attributeOid(type) ?? '');

function isVendors(attributes: readonly WrittenAttribute[], actual: readonly NameAttribute[]): boolean {
  const wanted = vendorsTypes.flatMap((oid) => {
    const value = nameValue(actual, oid);
    return value === null ? [] : [{ oid, value }];
  });
  const isComma = attributes.every(({ separator }, at) => separator === (at === 0 ? '' : ','));
  return isComma && wanted.length === attributes.length && wanted.every((one, at) => agrees(attributes[at], one));
}

/** RFC 2253: the relative names from last to first; the order inside a multi-valued one is free. */
function isReversed(attributes: readonly WrittenAttribute[], actual: readonly NameAttribute[]): boolean {
  const written = grouped(attributes, ({ separator }) => separator === '+');
  const wanted = grouped(actual, ({ joined }) => joined === true).reverse();
  const isSame = (group: readonly WrittenAttribute[], other: readonly NameAttribute[]): boolean =>
    group.length === other.length && other.every((one) => group.some((attribute) => agrees(attribute, one)));
  return written.length === wanted.length && written.every((group, at) => isSame(group, wanted[at] ?? []));
}

function grouped<T>(all: readonly T[], isJoined: (one: T) => boolean): T[][] {
  const groups: T[][] = [];
  for (const one of all) {
    const last = groups.at(-1);
    if (last !== undefined && isJoined(one)) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

function agrees(written: WrittenAttribute | undefined, { oid, value }: NameAttribute): boolean {
  return written?.oid === oid && written.readings.some((reading) => keyOf(oid, reading) === keyOf(oid, value));
}

function hasBlanks({ type, value }: WrittenAttribute): boolean {
  return type !== type.trim() || /^\s|(?<!\\)\s$/.test(value);
}

/** Whether every special character is escaped and nothing else is (RFC 2253, 3). */
function isEscaped(value: string): boolean {
  return /^(?:[^\\"+<>]|\\(?:[,=+<>#;\\" ]|[0-9a-f]{2}))*$/i.test(value);
}

/** Runs of hexadecimal escapes, `\C3\B8` or `\xC3\xB8`, as hexadecimal. */
function hexEscapes(value: string): string[] {
  const escapes = value.replace(/\\[^0-9a-fx]/gi, ' ').match(/(?:\\x?[0-9a-f]{2})+/gi) ?? [];
  return escapes.map((run) => run.replace(/\\x?/gi, ''));
}

function isUtf8(hex: string): boolean {
  return decodeUtf8(Buffer.from(hex, 'hex')) !== null;
}

/** Whether only the second reading, as UTF-8 of latin1 bytes, is the certificate's. */
function isReadTwice({ oid, readings }: WrittenAttribute, actual: readonly NameAttribute[]): boolean {
  const held = actual.map(({ oid: type, value }) => keyOf(type, value));
  return !held.includes(keyOf(oid, readings[0] ?? '')) && readings.some((one) => held.includes(keyOf(oid, one)));
}

/** Whether the certificate has exactly this text. Blanks at the end do not count: `hasBlanks` finds them. */
function isValueOf(actual: readonly NameAttribute[], oid: string, text: string): boolean {
  return actual.some((one) => one.oid === oid && (one.value === text || one.value === text.trim()));
}
