import { hash } from 'node:crypto';

/** Headers that must be signed when they are sent (rules.md G4). */
export const coveredWhenSent = [
  'date',
  'digest',
  'x-request-id',
  'psu-id',
  'psu-corporate-id',
  'tpp-redirect-uri',
] as const;

/** What is signed beside headers. */
interface RequestLine {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
}

/**
 * The text that is signed: `name: value` for each name in the order given, joined by line feeds, none at the end
 * (interface: TPP authentication and signing, item 7). `(request-target)` is the lower-case method and the target.
 * Latin1 text: one character is one byte.
 */
export function signedText(
  { method, target }: RequestLine,
  names: readonly string[],
  valueOf: (name: string) => string,
): string {
  return names
    .map((name) => `${name}: ${name === '(request-target)' ? `${method.toLowerCase()} ${target}` : valueOf(name)}`)
    .join('\n');
}

/** A header value as it is signed: without the blanks and tabs around it. In linear time. */
export function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** A Digest header value over the bytes, as in `SHA-256=X48E9q...`. */
export function digestOf(body: Uint8Array, algorithm: 'sha-256' | 'sha-512'): string {
  const value = hash(algorithm === 'sha-256' ? 'sha256' : 'sha512', body, 'base64');
  return `${algorithm.toUpperCase()}=${value}`;
}

/**
 * Decodes canonical base64: standard alphabet, padded, no blanks, not empty (rules.md G5). Null for anything else.
 * `Buffer.from` alone ignores junk, and two spellings would give the same bytes.
 */
export function decodeStrictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : null;
}
