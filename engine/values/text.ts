/** How much of a received value an error text repeats, in UTF-16 units. */
const defaultLimit = 80;

/** Cuts a text to `limit` UTF-16 units, with `…` at the end of a longer one. Never splits a surrogate pair. */
export function clip(text: string, limit = defaultLimit): string {
  if (text.length <= limit) return text.toWellFormed();
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`.toWellFormed();
}

/** A text with a capital at its beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A clipped text as a JSON string, with control and line-breaking characters escaped. */
export function quote(text: string, limit = defaultLimit): string {
  return JSON.stringify(clip(text, limit)).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, escapedCharacter);
}

/** A clipped text on one line, with characters that control a terminal or end a line escaped. */
export function oneLine(text: string, limit = defaultLimit): string {
  return clip(text, limit).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapedCharacter);
}

/** A percent-encoded text decoded, or null if it is not percent-encoded UTF-8. */
export function decodedUri(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Decodes percent escapes. A text with an escape that is none of UTF-8 stays as it is. */
export function unescaped(text: string): string {
  return decodedUri(text) ?? text;
}

/** A text as a word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w./\\:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function escapedCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Removes every occurrence of the character at the end of the text. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** An address with `***` in place of a user name and a password: what comes before its last @. */
export function withoutUser(address: string): string {
  return address.replace(/^(\w+:\/\/)?[^]*@/, '$1***@');
}

/** Union of the words of a text, split at blanks, as literal types. */
export type Word<Text extends string, Words = never> = Text extends `${infer First} ${infer Rest}`
  ? Word<Rest, Words | First>
  : Words | Text;

/** The words of every line, in order. Keeps long code lists short in the source. */
export function words<const Text extends string>(lines: readonly Text[]): readonly Word<Text>[] {
  return lines.flatMap((line) => line.split(' ')) as Word<Text>[];
}

/** A character that clearing does not support; `index` counts characters from 0. */
interface BadCharacter {
  readonly character: string;
  readonly index: number;
}

/**
 * First character that Norwegian clearing does not support, or null (rules.md P8). Supported: the printable characters
 * of ISO 8859-1 and the blank. Not supported: control characters, the no-break space, the soft hyphen, and everything
 * outside ISO 8859-1 (emoji, lone surrogates, combining characters).
 */
export function firstBadCharacter(text: string): BadCharacter | null {
  const characters = Array.from(text);
  const index = characters.findIndex((character) => !isSupported(character.codePointAt(0) ?? 0));
  const character = characters[index];
  return character === undefined ? null : { character, index };
}

/** `U+1F600`: names a character in an error text without repeating it. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function isSupported(codePoint: number): boolean {
  const ascii = codePoint >= 0x20 && codePoint <= 0x7e;
  const latin = codePoint >= 0xa1 && codePoint <= 0xff && codePoint !== 0xad;
  return ascii || latin;
}

/** Maximum length of an SMTP path (RFC 5321, 4.5.3.1.3, without the angle brackets). */
const maxEmailLength = 254;

const mailbox = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainLabel = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether a text is an address like `name@domain.example`: ASCII, no quotes, a domain of at least two labels. */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@');
  if (text.length > maxEmailLength || at > 64 || !mailbox.test(text.slice(0, Math.max(at, 0)))) return false;
  const labels = text.slice(at + 1).split('.');
  return labels.length > 1 && labels.every((one) => domainLabel.test(one));
}
