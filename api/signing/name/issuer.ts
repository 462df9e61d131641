import { attributeName, nameValue, type NameAttribute, attributeOid, isPromisedType } from './name-attribute.ts';
import { parseDistinguishedName, type WrittenAttribute } from './distinguished-name.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { decodeUtf8 } from './encoded-text.ts';

/**
 * Compares the issuer in a keyId with the certificate's, attribute by attribute (rules.md G3). Order, case, runs of blanks
 * and spelling are ignored. Attributes may be missing, but at least one is there and none differs. Null when they agree,
 * else a text that names the attribute.
 */
export function issuerMismatch(written: string, actual: readonly NameAttribute[]): string | null {
  const problems = readingsOf(written).map(({ text }) => mismatch(text, actual));
  return problems.includes(null) ? null : (problems[0] ?? null);
}

/** How the text of an issuer is read: as it is, with `%20` for blanks, or with the escapes doubled in the quoted string. */
type IssuerReading = 'plain' | 'percent' | 'doubled';

/** The first reading of an issuer that agrees with the certificate's; null when none does. */
export function agreedReading(
  written: string,
  actual: readonly NameAttribute[],
): { readonly reading: IssuerReading; readonly attributes: readonly WrittenAttribute[] } | null {
  const agreed = readingsOf(written).find(({ text }) => mismatch(text, actual) === null);
  const name = agreed === undefined ? null : parseDistinguishedName(agreed.text.trimStart());
  return agreed !== undefined && name?.ok === true ? { reading: agreed.reading, attributes: name.attributes } : null;
}

function readingsOf(written: string): readonly { readonly reading: IssuerReading; readonly text: string }[] {
  const others = [
    { reading: 'percent', text: written.replaceAll('%20', ' ') },
    { reading: 'doubled', text: written.replace(/\\(.)/gs, '$1') },
  ] as const;
  return [{ reading: 'plain', text: written }, ...others.filter(({ text }) => text !== written)];
}

function mismatch(reading: string, actual: readonly NameAttribute[]): string | null {
  const name = parseDistinguishedName(reading.trimStart());
  if (!name.ok) return name.problem;
  // Count of each certificate attribute that is not matched yet.
  const left = new Map<string, number>();
  for (const { oid, value } of actual) left.set(keyOf(oid, value), (left.get(keyOf(oid, value)) ?? 0) + 1);
  for (const attribute of name.attributes) {
    const keys = attribute.readings.map((reading) => keyOf(attribute.oid, reading));
    const key = keys.find((one) => (left.get(one) ?? 0) > 0);
    if (key === undefined) return contradiction(attribute, actual);
    left.set(key, (left.get(key) ?? 0) - 1);
  }
  return null;
}

/** An attribute as text: equal keys mean the same (rules.md G3). */
export function keyOf(oid: string, value: string): string {
  return `${oid}=${fold(value)}`;
}

function contradiction({ oid, readings }: WrittenAttribute, actual: readonly NameAttribute[]): string {
  const type = attributeName(oid);
  const held = nameValue(actual, oid);
  const sent = `${type} is "${oneLine(readings[0] ?? '', 60)}" in the keyId`;
  if (held === null) return `${sent}; the certificate's issuer has none`;
  const isGarbled = plainLetters(readings[0] ?? '') === plainLetters(held);
  const cure = isGarbled ? '; its letters outside ASCII were lost, wrap the Signature: =?utf-8?B?...?=' : '';
  return `${sent} and "${oneLine(held, 60)}" in the certificate${cure}`;
}

/** The letters, digits and blanks of a name that every encoding writes alike. */
function plainLetters(text: string): string {
  return text.replace(/[^A-Za-z0-9 ]/g, '');
}

/** Folds case, compatibility forms and runs of blanks (RFC 5280 section 7.1). */
function fold(value: string): string {
  return value.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}

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
