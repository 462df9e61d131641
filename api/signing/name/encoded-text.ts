import { oneLine } from '../../../engine/values/text.ts';
import { decodeStrictBase64 } from '../signature/signed-text.ts';

const encodedWord = /=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=/gi;
const blanksBetweenWords = /(=\?[^?\s]+\?[bq]\?[^?\s]*\?=)\s+(?==\?[^?\s]+\?[bq]\?[^?\s]*\?=)/gi;

/**
 * Decodes RFC 2047 encoded words (B or Q; utf-8, iso-8859-1 or us-ascii, in any case) and drops the blanks between two
 * words. Returns the text unchanged if a word cannot be read. Never throws.
 */
export function decodeEncodedWords(text: string): string {
  let readable = true;
  const decoded = text
    .replace(blanksBetweenWords, '$1')
    .replace(encodedWord, (_word, charset: string, encoding: string, payload: string) => {
      const bytes = encoding.toLowerCase() === 'b' ? decodeStrictBase64(payload) : decodeQ(payload);
      const content = bytes === null ? null : decodeCharset(charset, bytes);
      readable &&= content !== null;
      return content ?? '';
    });
  return readable ? decoded : text;
}

/** Says why the text cannot be read as encoded words. Returns null if it can. */
export function unreadableWord(text: string): string | null {
  const words = [...text.matchAll(encodedWord)];
  if (words.length === 0) return 'It begins as an encoded word and is none to its end.';
  for (const [, charset = '', encoding = '', payload = ''] of words) {
    const bytes = encoding.toLowerCase() === 'b' ? decodeStrictBase64(payload) : decodeQ(payload);
    if (bytes === null)
      return `The encoded word's ${encoding.toLowerCase() === 'b' ? 'base64' : 'Q encoding'} cannot be read.`;
    if (decodeCharset(charset, bytes) !== null) continue;
    return charset.toLowerCase() === 'utf-8'
      ? 'The encoded word says utf-8, and its bytes are not UTF-8.'
      : `The encoded word's charset is ${oneLine(charset, 40)}, or its bytes are not of that charset.`;
  }
  return null;
}

function decodeQ(payload: string): Buffer | null {
  if (/=(?![0-9a-f]{2})/i.test(payload)) return null;
  const bytes = payload
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_pair, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

function decodeCharset(charset: string, bytes: Buffer): string | null {
  switch (charset.toLowerCase()) {
    case 'utf-8':
      return decodeUtf8(bytes);
    case 'iso-8859-1':
      return bytes.toString('latin1');
    case 'us-ascii':
      return bytes.every((byte) => byte < 0x80) ? bytes.toString('latin1') : null;
    default:
      return null;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const utf16 = new TextDecoder('utf-16be');
const tagOfBmpString = 30;

/** The text of UTF-8 bytes, or null when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes bytes of unknown encoding: as UTF-8 when they are valid UTF-8, else as latin1. */
export function decodeUtf8OrLatin1(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? Buffer.from(bytes).toString('latin1');
}

/**
 * Text of an ASN.1 string, by its tag number. Issuers put UTF-8 and latin1 bytes into every string type: only BMPString
 * (two bytes a character) is decoded by its type, the others as UTF-8 or else latin1.
 */
export function decodeAsn1String(tag: number, bytes: Uint8Array): string {
  return tag === tagOfBmpString ? utf16.decode(bytes) : decodeUtf8OrLatin1(bytes);
}
