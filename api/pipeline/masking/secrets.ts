import { decodeUtf8OrLatin1 } from '../../signing/name/encoded-text.ts';
import {
  asItIs,
  covered,
  decoded,
  type Decoded,
  decodedAgain,
  replaced,
  type Span,
  spansIn,
} from './identity-numbers.ts';

/**
 * Replaces secrets by `***` in every spelling (docs/spec/control-plane.md C3): raw, with up to eight layers of percent or JSON escapes, and
 * in base64 and base64url at each alignment. `isCut`: the text may end inside a secret.
 */
export type Mask = (text: string, isCut?: boolean) => string;

const hidden = '***';
/** What the name of a header with a secret holds (C3b); `cookie` is the whole name. */
const secretWord = /token|secret|key|auth|password|credential|subscription|^cookie$/i;
const line = /^([\w!#$%&'*+.^`|~-]+)(:[ \t]*)[^\r\n]+/gm;
/** Minimum length of a secret that is masked everywhere. A shorter one is masked in its header only: elsewhere it may be any word. */
const minSecret = 8;
/** The same for `X-Api-Key`, whose whole value is the secret. */
const minApiKey = 4;
/** Minimum length of the beginning of a secret that is masked where a text was cut. */
const minPart = 4;
/** Maximum number of layers of escapes. */
const maxEscapes = 8;
/** Maximum numbers of secrets of one request that are looked for elsewhere: of cookies, and of other headers; of more, the longest. */
const maxSecrets = 50;

/** Whether the value of this header is a secret. */
function isSecretHeader(name: string): boolean {
  return secretWord.test(name) && name.toLowerCase() !== 'idempotency-key';
}

/** Masks the secrets of the settings, those in the headers of one request, tokens of banks, and private keys. */
export function maskOf(ofSettings: readonly string[], rawHeaders: readonly string[] = []): Mask {
  const [ofCookies, ofOthers] = [new Set<string>(), new Set<string>()];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!isSecretHeader(name)) continue;
    const shortest = name.toLowerCase() === 'x-api-key' ? minApiKey : minSecret;
    for (const secret of secretsIn(rawHeaders[at + 1] ?? '', shortest))
      (/^cookie$/i.test(name) ? ofCookies : ofOthers).add(secret);
  }
  const longest = [ofOthers, ofCookies].flatMap((all) =>
    [...all].toSorted((one, other) => other.length - one.length).slice(0, maxSecrets),
  );
  const secrets = [...ofSettings, ...longest];
  return secrets.length === 0 ? maskForms : (text, isCut = false) => masked(text, secrets, isCut);
}

/** Masks the headers of a request: the whole value of a secret header, and secrets in all others. */
export function maskedHeaders(pairs: readonly (readonly [string, string])[], mask: Mask): [string, string][] {
  return pairs.map(([name, value]) => [mask(name), isSecretHeader(name) ? hidden : mask(value)]);
}

/** Masks what is a secret by its form. */
const maskForms: Mask = (text, isCut = false) => masked(text, [], isCut);

/** The secrets in a header value: without its scheme, and of each cookie. UTF-8 bytes are also taken as their text. */
function secretsIn(value: string, shortest: number): string[] {
  const whole = value.replace(/^(?:basic|bearer|digest|negotiate|apikey|token) +/i, '').trim();
  const parts = whole.split(/; */).map((part) => part.slice(part.indexOf('=') + 1));
  const all = [value.trim(), whole, ...parts].filter((secret) => secret.length >= shortest);
  return [...new Set(all.flatMap((secret) => [secret, decodeUtf8OrLatin1(Buffer.from(secret, 'latin1'))]))];
}

function masked(text: string, secrets: readonly string[], isCut: boolean): string {
  if (text.length < minToken && secrets.length === 0 && !isCut && !/[:…]/.test(text)) return text;
  const spans: Span[] = text.includes(':') ? lineSpans(text) : [];
  let reading: Decoded = asItIs(text);
  for (let depth = 0; depth < maxEscapes; depth += 1) {
    const { text: read } = reading;
    const found = [...secretSpans(read, secrets, isCut), ...tokenSpans(read, isCut), ...keySpans(read)];
    for (const span of spansIn(reading, found)) spans.push(span);
    const next = decodedAgain(reading);
    if (next === reading) break;
    reading = next;
  }
  const joined = replaced(reading, lineBreaks, () => '');
  if (joined !== reading) {
    const found = [...secretSpans(joined.text, secrets, isCut), ...tokenSpans(joined.text, isCut)];
    for (const span of spansIn(joined, found)) spans.push(span);
  }
  return spans.length === 0 ? text : covered(text, spans, () => hidden);
}

/** Between two lines of a header or of base64. */
const lineBreaks = /\r?\n[ \t]*/g;

/** The values of secret headers in a text that holds them as lines, such as a request or a signing string. */
function lineSpans(text: string): Span[] {
  return [...text.matchAll(line)].flatMap(({ 0: whole, 1: name = '', 2: colon = '', index }): Span[] =>
    isSecretHeader(name) ? [[index + name.length + colon.length, index + whole.length]] : [],
  );
}

/** The spellings by which a secret is found. */
interface Spellings {
  /** As text. */
  readonly plain: readonly string[];
  /** The part of its base64 that does not depend on the bytes around it. */
  readonly base64: readonly string[];
  /** Whether the secret has a blank, which forms write as a plus. */
  readonly hasBlank: boolean;
}

/** The beginning of an escape at the end of a text. */
const halfEscape = /(?:\\(?:u[0-9a-f]{0,3})?|%[0-9a-f]?)$/i;
const known = new Map<string, Spellings>();
const maxKnown = 100;

function spellingsOf(secret: string): Spellings {
  const found = known.get(secret);
  if (found !== undefined) return found;
  const bytes = Buffer.from(secret);
  const plain = new Set([secret, bytes.toString('latin1')]);
  // A secret may look as if it had escapes, the last of which takes letters behind it.
  for (let [depth, before] = [0, 0]; depth < maxEscapes && plain.size > before; depth += 1) {
    before = plain.size;
    for (const each of [...plain]) plain.add(decoded(each).text).add(decoded(each.replace(halfEscape, '')).text);
  }
  // Without its NULs or its byte order mark a secret may be one letter, or an empty text.
  const long = (all: Iterable<string>): string[] => [...all].filter(({ length }) => length >= minApiKey);
  const made = { plain: long(plain), base64: long(base64Cores(bytes)), hasBlank: secret.includes(' ') };
  if (known.size >= maxKnown) known.clear();
  known.set(secret, made);
  return made;
}

function secretSpans(text: string, secrets: readonly string[], isCut: boolean): Span[] {
  const spans: Span[] = [];
  const cuts = secrets.length === 0 ? [] : cutsOf(text, isCut);
  for (const secret of secrets) {
    const { plain, base64, hasBlank } = spellingsOf(secret);
    find(text, plain, cuts, spans);
    if (hasBlank) {
      const folded = plain.map((each) => each.replaceAll('+', ' '));
      find(text.replaceAll('+', ' '), folded, cuts, spans);
    }
    const from = spans.length;
    find(text, base64, cuts, spans);
    // The characters at both ends hold some bits of the secret.
    for (let at = from; at < spans.length; at += 1) spans[at] = widened(text, spans[at] ?? [0, 0]);
  }
  return spans;
}

/** Where the text was cut: before each ellipsis, as an error text may cut a value that it repeats, and at its end if it is cut. */
function cutsOf(text: string, isCut: boolean): number[] {
  const cuts: number[] = [];
  for (let at = text.indexOf('…'); at >= 0; at = text.indexOf('…', at + 1)) cuts.push(at);
  return isCut ? [...cuts, text.length] : cuts;
}

function find(text: string, needles: readonly string[], cuts: readonly number[], into: Span[]): void {
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      into.push([at, at + needle.length]);
    }
    if (cuts.length > 0) findParts(text, needle, cuts, into);
  }
}

/** The beginnings of a secret before the places where the text was cut, each the longest. By Knuth, Morris and Pratt: linear in both texts. */
function findParts(text: string, needle: string, cuts: readonly number[], into: Span[]): void {
  const letters = new Set(needle);
  const ends = cuts.filter((cut) => letters.has(text.charAt(cut - 1)));
  if (ends.length === 0) return;
  const borders = bordersOf(needle);
  let [at, length] = [0, 0];
  for (const end of ends) {
    if (end - at >= needle.length) [at, length] = [end - needle.length + 1, 0];
    for (; at < end; at += 1) length = grown(needle, borders, length, text.charAt(at));
    if (length >= minPart) into.push([end - length, end]);
  }
}

/** For each beginning of a text, the length of the longest shorter one with which it ends too. */
function bordersOf(needle: string): number[] {
  const borders = [0];
  for (let at = 1; at < needle.length; at += 1) {
    borders.push(grown(needle, borders, borders[at - 1] ?? 0, needle.charAt(at)));
  }
  return borders;
}

/** Length of the longest beginning of the needle that a text ends with, after one more letter; `length`: before it. */
function grown(needle: string, borders: readonly number[], length: number, letter: string): number {
  let left = length;
  while (left > 0 && (left === needle.length || needle.charAt(left) !== letter)) left = borders[left - 1] ?? 0;
  return needle.charAt(left) === letter ? left + 1 : left;
}

function widened(text: string, [from, to]: Span): Span {
  return [isBase64(text, from - 1) ? from - 1 : from, isBase64(text, to) ? to + 1 : to];
}

/** The characters of base64 and base64url that depend on these bytes alone, at each alignment. */
function base64Cores(bytes: Uint8Array): string[] {
  const cores = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  return [...new Set(cores.flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]))];
}

/** Length of a text with the token of a bank. */
const minToken = 47;
/** The token of a bank (docs/spec/control-plane.md H): as text, and in base64 at each alignment, whose last bits may be in one character more. */
const tokenForm = /sbt_[\w-]{43}|(?:c2J0X|zYnRf)[\w+/-]{57}|NidF[\w+/-]{58}/g;
/** The beginning of one before the place where a text was cut. */
const cutToken = /(?:sbt_[\w-]{0,42}|(?:c2J0X|zYnRf|NidF)[\w+/-]{0,57})(?=…|$)/g;

function tokenSpans(text: string, isCut: boolean): Span[] {
  const spans: Span[] = [];
  for (const { 0: found, index } of text.matchAll(tokenForm)) {
    const span: Span = [index, index + found.length];
    spans.push(found.startsWith('sbt_') ? span : widened(text, span));
  }
  if (!isCut && !text.includes('…')) return spans;
  for (const { 0: found, index } of text.matchAll(cutToken)) {
    const end = index + found.length;
    if (isCut || end < text.length) spans.push([index, end]);
  }
  return spans;
}

/** Minimum length of a text with a private key. */
const minKey = 60;
/** A run of base64 as each line of a key has it. */
const runOfKey = /[\w+/-]{40}/;
const pem = /-----BEGIN[A-Z +]{0,30}PRIVATE[ +]KEY-----[^]*?(?:-----END[A-Z +]{0,30}PRIVATE[ +]KEY-----|$)/g;
/** The private members of a key as JWK (RFC 7517). */
const jwkMember = /"(?:d|p|q|dp|dq|qi)"\s{0,10}:\s{0,10}"[\w-]{20,}"/g;
/** The rest of a key after its mark: base64, perhaps on several lines. */
const restOfKey =
  /[\w+/-]*(?:\s{1,40}[\w+/-]{16,})*(?:\s{1,40}[\w+/-]{1,75}={0,2}(?=\s{0,40}(?:$|-----|["'\\])))?={0,2}/y;

function keySpans(text: string): Span[] {
  if (text.length < minKey) return [];
  const spans: Span[] = [];
  if (text.includes('-----BEGIN')) {
    for (const { 0: found, index } of text.matchAll(pem)) spans.push([index, index + found.length]);
  }
  if (text.includes('"kty"')) {
    for (const { 0: found, index } of text.matchAll(jwkMember)) {
      const from = found.lastIndexOf('"', found.length - 2) + 1;
      spans.push([index + from, index + found.length - 1]);
    }
  }
  if (!runOfKey.test(text)) return spans;
  let end = 0;
  const keyMark = keyMarkPattern();
  keyMark.lastIndex = 0;
  for (let mark = keyMark.exec(text); mark !== null; mark = keyMark.exec(text)) {
    let from = mark.index;
    while (from > end && isBase64(text, from - 1)) from -= 1;
    restOfKey.lastIndex = keyMark.lastIndex;
    restOfKey.exec(text);
    end = Math.max(keyMark.lastIndex, restOfKey.lastIndex);
    keyMark.lastIndex = end;
    spans.push([from, end]);
  }
  return spans;
}

function isBase64(text: string, at: number): boolean {
  return /^[\w+/-]$/.test(text.charAt(at));
}

/** Possible values of a byte. */
type ByteSet = readonly number[];

const base64Digits = [...Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')];

/** DER bytes near the beginning of each kind of private key, as hexadecimal digits; a dot is any digit. */
const keyMarks = [
  // PKCS#8: version 0 and the OID of an algorithm, whose parameters may be long; version 1 of Edwards and Montgomery curves.
  ...['..', '81..', '82....'].map((length) => `02010030${length}060.`),
  '020101300506032b65',
  // Encrypted PKCS#8: by PBES1 or PBES2 (PKCS#5), or by PKCS#12.
  '06092a864886f70d01050.',
  '060a2a864886f70d010c01',
  // PKCS#1, and DSA as OpenSSL has it: version 0 and a number. SEC1: version 1 and bytes.
  ...['81..', '82....'].map((length) => `30${length}02010002`),
  ...['..', '81..', '82....'].map((length) => `30${length}02010104`),
];

let mark: RegExp | null = null;

/**
 * Finds the beginning of a private key in a text: in the base64 of its bytes, of its text without PEM lines, and of its text with them.
 * The pattern takes milliseconds to make: a start does not wait for it.
 */
function keyMarkPattern(): RegExp {
  mark ??= new RegExp(allKeyTexts(), 'g');
  return mark;
}

function allKeyTexts(): string {
  const keyTexts = keyMarks.map(bytesOf).flatMap(base64Of);
  const pemLine = [...Buffer.from('PRIVATE KEY-----')].map((byte) => [byte]);
  return patternOf([...keyTexts, ...[...keyTexts, pemLine].flatMap(base64Of)]);
}

/** A pattern of all these texts. No text begins another. Texts that begin alike share their beginning, which is faster. */
function patternOf(texts: readonly (readonly ByteSet[])[]): string {
  const alike = Map.groupBy(texts, ([first]) => (first === undefined ? '' : classOf(first)));
  const all = [...alike].map(([first, some]) => {
    return first === '' ? '' : first + patternOf(some.map((text) => text.slice(1)));
  });
  return all.length === 1 ? all.join('') : `(?:${all.join('|')})`;
}

/** The bytes of hexadecimal digits, where a dot is any digit. */
function bytesOf(digits: string): readonly ByteSet[] {
  const any = Array.from({ length: 16 }, (_, digit) => digit);
  const each = [...digits].map((digit) => (digit === '.' ? any : [Number.parseInt(digit, 16)]));
  const high = each.filter((_, at) => at % 2 === 0);
  return high.map((of, at) => of.flatMap((digit) => (each[2 * at + 1] ?? []).map((low) => (digit << 4) | low)));
}

/** The characters of their base64 that depend on these bytes alone, at each alignment: for each character those that it can be. */
function base64Of(bytes: readonly ByteSet[]): (readonly ByteSet[])[] {
  return [0, 1, 2].map((shift) => {
    const end = Math.floor(((shift + bytes.length) * 8) / 6);
    const texts: ByteSet[] = [];
    for (let at = Math.ceil((shift * 8) / 6); at < end; at += 1) {
      const first = Math.floor((at * 6) / 8);
      const drop = 10 - ((at * 6) % 8);
      // Each half for itself, as a pair of unknown bytes has 65,536 values.
      const ends = new Set((bytes[first - shift + 1] ?? [0]).map((next) => (next >> drop) & 63));
      const begins = new Set((bytes[first - shift] ?? []).map((one) => ((one << 8) >> drop) & 63));
      const values = new Set([...begins].flatMap((begin) => [...ends].map((end) => begin | end)));
      texts.push([...values].map((value) => base64Digits[value] ?? 0));
    }
    return texts;
  });
}

/** A pattern of one character of base64 or base64url. */
function classOf(codes: ByteSet): string {
  if (codes.length === base64Digits.length) return '[\\w+/-]';
  const text = String.fromCharCode(...codes);
  return codes.length === 1 && /\w/.test(text) ? text : `[${text.replace('+', '+\\-').replace('/', '/_')}]`;
}
