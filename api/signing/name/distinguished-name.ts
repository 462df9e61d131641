import { clip } from '../../../engine/values/text.ts';
import { attributeOid } from './name-attribute.ts';
import { decodeAsn1String, decodeUtf8, decodeUtf8OrLatin1 } from './encoded-text.ts';

/** One attribute as a client wrote it: its OID, and every text that the spelling may mean. */
export interface WrittenAttribute {
  readonly oid: string;
  readonly readings: readonly string[];
  /** The type as written, with its blanks. */
  readonly type: string;
  /** The value as written, with its blanks and escapes. */
  readonly value: string;
  /** The character before it: empty for the first. */
  readonly separator: string;
}

type ParsedName =
  | { readonly ok: true; readonly attributes: readonly WrittenAttribute[] }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a distinguished name as the common tools write it: RFC 2253, 4514 and 1779, OpenSSL's one-line form
 * (`C = NO, O = "Test, AS"`) and its slash form (`/C=NO/O=Test`). The order means nothing (rules.md G3); a multi-valued
 * part becomes several attributes. Never throws: an unreadable name is returned as `problem`.
 */
export function parseDistinguishedName(text: string): ParsedName {
  const slashed = text.startsWith('/');
  const parts = slashed ? splitSlashForm(text) : splitEscapedForm(text);
  const attributes: WrittenAttribute[] = [];
  for (const { part, separator } of parts) {
    const equals = part.indexOf('=');
    if (equals < 1) {
      // Of a value with a comma the rest comes as a part of its own.
      const cure = attributes.length > 0 && !slashed ? String.raw`; write a comma inside a value as \,` : '';
      return { ok: false, problem: `"${clip(part.trim(), 60)}" is not of the form TYPE=value${cure}` };
    }
    const type = part.slice(0, equals);
    const oid = attributeOid(type);
    if (oid === null) return { ok: false, problem: `"${type.trim()}" is not a known attribute type` };
    const value = part.slice(equals + 1);
    const readings = slashed ? readSlashValue(value) : readEscapedValue(value);
    attributes.push({ oid, readings, type, value, separator });
  }
  return { ok: true, attributes };
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

/** Possible readings of a value in RFC 2253, 4514, 1779 or OpenSSL one-line spelling: quoted, escaped, or `#` and hex of DER. */
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
