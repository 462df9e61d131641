import { attributeName, nameValue, type NameAttribute, attributeOid, isPromisedType } from './name-attribute.ts';
import { oneLine, clip } from '../../../engine/values/text.ts';
import { decodeUtf8, decodeAsn1String, decodeUtf8OrLatin1 } from './encoded-text.ts';

/**
 * Compares the issuer in a keyId with the certificate's, attribute by attribute (rules.md G3). Order, case, runs of
 * blanks and spelling are ignored. Attributes may be missing, but at least one is there and none differs. Null when
 * they agree, else a text that names the attribute.
 */
export function issuerMismatch(written: string, actual: readonly NameAttribute[]): string | null {
  const problems = readingsOf(written).map(({ text }) => mismatch(text, actual));
  return problems.includes(null) ? null : (problems[0] ?? null);
}

/**
 * How the text of an issuer is read: as it is, with `%20` for blanks, or with the escapes doubled in the quoted string.
 */
type IssuerReading = 'plain' | 'percent' | 'doubled';

/** The first reading of an issuer that agrees with the certificate's; null when none does. */
export function agreedReading(
  written: string,
  actual: readonly NameAttribute[],
): { readonly reading: IssuerReading; readonly attributes: readonly WrittenAttribute[] } | null {
  const agreed = readingsOf(written).find(({ text }) => mismatch(text, actual) === null);
  if (agreed === undefined) return null;
  const attributes = parseDistinguishedName(agreed.text.trimStart());
  return typeof attributes === 'string' ? null : { reading: agreed.reading, attributes };
}

function readingsOf(written: string): readonly { readonly reading: IssuerReading; readonly text: string }[] {
  const others = [
    { reading: 'percent', text: written.replaceAll('%20', ' ') },
    { reading: 'doubled', text: written.replace(/\\(.)/gs, '$1') },
  ] as const;
  return [{ reading: 'plain', text: written }, ...others.filter(({ text }) => text !== written)];
}

function mismatch(reading: string, actual: readonly NameAttribute[]): string | null {
  const attributes = parseDistinguishedName(reading.trimStart());
  if (typeof attributes === 'string') return attributes;
  // Count of each certificate attribute that is not matched yet.
  const left = new Map<string, number>();
  for (const { oid, value } of actual) left.set(keyOf(oid, value), (left.get(keyOf(oid, value)) ?? 0) + 1);
  for (const attribute of attributes) {
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

/**
 * The ways in which the spelling of an issuer departs from RFC 2253 and from the vendor's own (rules.md G3b), in the
 * order in which they are told.
 */
export const departures = {
  'percent-blanks': 'blanks of the issuer are written %20; write them as they are',
  'doubled-escapes': 'the backslashes of the issuer are doubled; write \\, for a comma',
  'slash-form': 'the issuer is written with slashes; write RFC 2253: CN=...,O=...,C=NO',
  'issuer-blanks': 'the issuer has blanks around a comma or an equals sign; write RFC 2253, without',
  'issuer-separators': 'the attributes of the issuer are separated by something else than a comma',
  'issuer-order': 'the attributes of the issuer are in another order; write RFC 2253: the last one first',
  'issuer-missing': 'attributes of the issuer are missing; write all of them',
  'issuer-types': 'a type in the issuer is not spelled as RFC 2253 does (CN, O, OU, L, ST, C or a dotted number)',
  'issuer-numbers': 'a dotted type in the issuer has a plain value; RFC 2253 writes # and the hexadecimal of its DER',
  'issuer-quotes': 'a value in the issuer is in quotes; write \\, for a comma',
  'issuer-escapes': 'a value in the issuer is not escaped as RFC 2253 does',
  'issuer-latin1': 'a hexadecimal escape in the issuer is not UTF-8; write the bytes of UTF-8',
  'issuer-twice':
    'letters of the issuer are UTF-8 in a text of another charset, or encoded twice; name the charset, encode once',
  'issuer-text': 'case or blanks of the issuer differ from the certificate; copy them',
};

export type Departure = keyof typeof departures;

/** Compares an issuer that agrees with the certificate's with what RFC 2253 and the vendor's tool write. */
export function issuerSpelling(written: string, actual: readonly NameAttribute[]): ReadonlySet<Departure> {
  const agreed = agreedReading(written, actual);
  const found = new Set<Departure>();
  if (agreed === null) return found;
  const { reading, attributes } = agreed;
  const add = (name: Departure, isSo: boolean): unknown => isSo && found.add(name);
  const isSlashed = written.trimStart().startsWith('/');
  add('percent-blanks', reading === 'percent');
  add('doubled-escapes', reading === 'doubled');
  add('slash-form', isSlashed);
  add('issuer-blanks', written !== written.trimStart() || attributes.some(hasBlanks));
  add('issuer-separators', !isSlashed && attributes.some(({ separator }) => !['', ',', '+'].includes(separator)));
  if (!isVendors(attributes, actual)) {
    const isMissing = attributes.length < actual.length;
    add('issuer-missing', isMissing);
    add('issuer-order', !isMissing && !isReversed(attributes, actual));
  }
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
      hexEscapes(value).some((pairs) => decodeUtf8(Buffer.from(pairs, 'hex')) === null),
    );
    add('issuer-twice', isReadTwice(attribute, actual));
    add('issuer-text', !attribute.readings.some((one) => isValueOf(actual, oid, one)));
  }
  return found;
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

/** Whether only the second reading, as UTF-8 of latin1 bytes, is the certificate's. */
function isReadTwice({ oid, readings }: WrittenAttribute, actual: readonly NameAttribute[]): boolean {
  const held = actual.map(({ oid: type, value }) => keyOf(type, value));
  return !held.includes(keyOf(oid, readings[0] ?? '')) && readings.some((one) => held.includes(keyOf(oid, one)));
}

/** Whether the certificate has exactly this text. Blanks at the end do not count: `hasBlanks` finds them. */
function isValueOf(actual: readonly NameAttribute[], oid: string, text: string): boolean {
  return actual.some((one) => one.oid === oid && (one.value === text || one.value === text.trim()));
}

/** One attribute as a client wrote it: its OID, and every text that the spelling may mean. */
interface WrittenAttribute {
  readonly oid: string;
  readonly readings: readonly string[];
  /** The type as written, with its blanks. */
  readonly type: string;
  /** The value as written, with its blanks and escapes. */
  readonly value: string;
  /** The character before it: empty for the first. */
  readonly separator: string;
}

/**
 * Reads a distinguished name as the common tools write it: RFC 2253, 4514 and 1779, OpenSSL's one-line form
 * (`C = NO, O = "Test, AS"`) and its slash form (`/C=NO/O=Test`). The order means nothing (rules.md G3); a multi-valued
 * part becomes several attributes. Never throws: a text says what is wrong with an unreadable name.
 */
function parseDistinguishedName(text: string): readonly WrittenAttribute[] | string {
  const slashed = text.startsWith('/');
  const parts = slashed ? splitSlashForm(text) : splitEscapedForm(text);
  const attributes: WrittenAttribute[] = [];
  for (const { part, separator } of parts) {
    const equals = part.indexOf('=');
    if (equals < 1) {
      // Of a value with a comma the rest comes as a part of its own.
      const cure = attributes.length > 0 && !slashed ? String.raw`; write a comma inside a value as \,` : '';
      return `"${clip(part.trim(), 60)}" is not of the form TYPE=value${cure}`;
    }
    const type = part.slice(0, equals);
    const oid = attributeOid(type);
    if (oid === null) return `"${type.trim()}" is not a known attribute type`;
    const value = part.slice(equals + 1);
    const readings = slashed ? readSlashValue(value) : readEscapedValue(value);
    attributes.push({ oid, readings, type, value, separator });
  }
  return attributes;
}

/** One part of a name and the character before it. */
interface NamePart {
  readonly part: string;
  readonly separator: string;
}

/** Splits at unescaped, unquoted `,` `;` newline and `+`; at `+` only when an attribute follows. */
function splitEscapedForm(text: string): NamePart[] {
  const parts: NamePart[] = [];
  let start = 0;
  let quoted = false;
  // Start of the value of this part: after its first equals sign and blanks.
  let valueAt = -1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\\') at += 1;
    else if (quoted) quoted = character !== '"';
    else if (character === '"' && at === valueAt) quoted = true;
    else if (character === '=' && valueAt < start) valueAt = at + 1;
    else if (/[,;\n]/.test(character) || (character === '+' && startsAttribute(text.slice(at + 1)))) {
      parts.push({ part: text.slice(start, at), separator: start === 0 ? '' : (text[start - 1] ?? '') });
      start = at + 1;
    } else if (at === valueAt && /\s/.test(character)) valueAt = at + 1;
  }
  return [...parts, { part: text.slice(start), separator: start === 0 ? '' : (text[start - 1] ?? '') }];
}

/** In the slash form a slash or plus separates only when a known attribute type follows: it escapes little. */
function splitSlashForm(text: string): NamePart[] {
  const parts: NamePart[] = [];
  let start = 1;
  for (const { index } of text.matchAll(/(?<!\\)[/+]/g)) {
    if (index === 0 || !startsAttribute(text.slice(index + 1))) continue;
    parts.push({ part: text.slice(start, index), separator: text[start - 1] ?? '' });
    start = index + 1;
  }
  return [...parts, { part: text.slice(start), separator: text[start - 1] ?? '' }];
}

function startsAttribute(text: string): boolean {
  const type = /^\s*([A-Za-z0-9.]+)\s*=/.exec(text)?.[1];
  return type !== undefined && attributeOid(type) !== null;
}

/**
 * Possible readings of a value in RFC 2253, 4514, 1779 or OpenSSL one-line spelling: quoted, escaped, or `#` and hex of
 * DER.
 */
function readEscapedValue(written: string): readonly string[] {
  const value = written.trimStart();
  const fromHex = readHexValue(value);
  if (fromHex !== null) return [fromHex];
  const quoted = /^"(.*)"\s*$/s.exec(value)?.[1];
  return withUtf8Reading(
    (quoted ?? value).replace(/((?:\\[0-9a-f]{2})+)|\\(.)/gis, (_escape, pairs?: string, character?: string) =>
      pairs === undefined ? (character ?? '') : decodeUtf8OrLatin1(Buffer.from(pairs.replaceAll('\\', ''), 'hex')),
    ),
  );
}

/** Possible readings of a value in OpenSSL's slash form, where only `\xC3`, `\/` and `\+` are escapes. */
function readSlashValue(written: string): readonly string[] {
  return withUtf8Reading(
    written.replace(/((?:\\x[0-9a-f]{2})+)|\\([/+])/gi, (_escape, pairs?: string, character?: string) =>
      pairs === undefined ? (character ?? '') : decodeUtf8OrLatin1(Buffer.from(pairs.replaceAll('\\x', ''), 'hex')),
    ),
  );
}

/** `#0c0254c3` is the DER of a string: one tag byte, the length, the content. Null when it is not that. */
function readHexValue(value: string): string | null {
  const hex = /^#((?:[0-9a-f]{2})+)\s*$/i.exec(value)?.[1];
  if (hex === undefined) return null;
  const [tag = 0, length = 0, ...rest] = Buffer.from(hex, 'hex');
  const longForm = length === 0x81;
  const content = longForm ? rest.slice(1) : rest;
  return content.length === (longForm ? rest[0] : length) ? decodeAsn1String(tag, Uint8Array.from(content)) : null;
}

/** Header bytes arrive as latin1 text. The client may have sent UTF-8: that is a second reading. */
function withUtf8Reading(text: string): readonly string[] {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return [text];
  const asUtf8 = decodeUtf8(Buffer.from(text, 'latin1'));
  return asUtf8 === null ? [text] : [text, asUtf8];
}
