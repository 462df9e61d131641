import { decodeAsn1String, decodeUtf8, decodeUtf8OrLatin1 } from './decode-text.ts';

/** The readings of a value in RFC 2253, 4514, 1779 or OpenSSL one-line spelling: quoted, escaped, or `#` and hex of DER. */
export function readEscapedValue(written: string): readonly string[] {
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

/** The readings of a value in OpenSSL's slash form, where only `\xC3`, `\/` and `\+` are escapes. */
export function readSlashValue(written: string): readonly string[] {
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

/** Header bytes arrive as latin1 text; a client may have meant them as UTF-8, so that is a second reading. */
function withUtf8Reading(text: string): readonly string[] {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return [text];
  const asUtf8 = decodeUtf8(Buffer.from(text, 'latin1'));
  return asUtf8 === null ? [text] : [text, asUtf8];
}
