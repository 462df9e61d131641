import { escaped, inAscii, jsonOr } from '../../../engine/values/json-text.ts';
import { createHash } from 'node:crypto';

/** Other bytes that a TPP may have hashed instead of the body that it sent. */
interface BodyVariant {
  /** As in "the digest of ...". */
  readonly what: string;
  readonly bytes: Buffer;
}

/** Maximum length of a body whose variants are made, in bytes: they take some 15 ms. */
const maxBytes = 128 * 1024;

/** Yields the variants of a body, likeliest first; those equal to the body are left out. Never throws. */
export function* bodyVariants(body: Uint8Array): Generator<BodyVariant> {
  const sent = Buffer.from(body);
  for (const variant of everyVariant(sent)) if (!variant.bytes.equals(sent)) yield variant;
}

function* everyVariant(sent: Buffer): Generator<BodyVariant> {
  yield { what: 'an empty body', bytes: Buffer.alloc(0) };
  yield { what: 'the text [object Object]', bytes: Buffer.from('[object Object]') };
  if (sent.length === 0 || sent.length > maxBytes) return;
  yield { what: 'the body and a line break', bytes: Buffer.concat([sent, Buffer.from('\n')]) };
  const text = sent.toString();
  yield { what: 'the body without the white space at its ends', bytes: Buffer.from(text.trim()) };
  yield { what: 'the body with CRLF line breaks', bytes: Buffer.from(text.replace(/\r?\n/g, '\r\n')) };
  yield { what: 'the body with \\n line breaks', bytes: Buffer.from(text.replaceAll('\r\n', '\n')) };
  yield* serialised(text);
  const hash = createHash('sha256').update(sent).digest();
  yield { what: 'the hash of the body: it was hashed twice', bytes: hash };
  yield { what: 'the hash of the body in hexadecimal: it was hashed twice', bytes: Buffer.from(hash.toString('hex')) };
  yield { what: 'the base64 of the body', bytes: Buffer.from(sent.toString('base64')) };
  yield { what: 'the body in ISO-8859-1', bytes: Buffer.from(text, 'latin1') };
}

/** The same JSON as other tools write it. */
function* serialised(text: string): Generator<BodyVariant> {
  const value = parsed(text);
  if (value === undefined) return;
  const variant = (what: string, json: string): BodyVariant => ({ what, bytes: Buffer.from(json) });
  const pretty = JSON.stringify(value, null, 2);
  const compact = JSON.stringify(value);
  yield variant('the pretty-printed body', pretty);
  yield variant('the body, parsed and written anew', compact);
  yield variant('the pretty-printed body', JSON.stringify(value, null, 4));
  yield variant('the pretty-printed body with CRLF line breaks', pretty.replaceAll('\n', '\r\n'));
  yield variant('the body written with blanks after commas and colons, as Python does', spaced(pretty));
  yield variant('the body with blanks, and letters escaped as \\u00e5, as Python writes it', inAscii(spaced(pretty)));
  yield variant('the body as a JSON string, written as JSON twice', JSON.stringify(text));
  yield variant('the body with escaped slashes, as PHP writes them', compact.replaceAll('/', String.raw`\/`));
  yield variant('the body with escaped <, > and &, as Go writes them', compact.replace(/[<>&]/g, escaped));
}

/**
 * One level of pretty-printing taken back: line breaks inside strings are escaped, so that each one is the printer's.
 */
function spaced(pretty: string): string {
  return pretty
    .split('\n')
    .map((line, at) => (at > 0 && !/^\s*[\]}]/.test(line) ? ` ${line.trimStart()}` : line.trimStart()))
    .join('')
    .replaceAll('{ ', '{')
    .replaceAll('[ ', '[');
}

/** In levels: more than any body of the interface has. Pretty-printing costs depth times length. */
const deepest = 16;

/** Undefined when the text is no JSON, or nested deeper than 16 levels. */
function parsed(text: string): unknown {
  let depth = 0;
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > deepest) return undefined;
  }
  return jsonOr(text, undefined);
}
