import { unescaped, words } from '../../../engine/values/text.ts';
import { parseImfFixdate } from '../signature/date-check.ts';
import { digestOf } from '../signature/signed-text.ts';
import { type Axis, type Change, valueChange } from './changes.ts';
import { createHash } from 'node:crypto';

/** The parts of a request that the changes of values use. */
interface ValuesSent {
  readonly target: string;
  /** By lower-case name, values of repeated headers joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** Other values of one name, each with words that say which. */
type Variants = readonly (readonly [what: string, value: string])[];

/** The variants as changes, without the value that was sent. The first `likely` of them cost less. */
function changesOf(
  name: string,
  sent: string,
  variants: Variants,
  { did, cure, likely = 0 }: { readonly did: string; readonly cure: string; readonly likely?: number },
): Axis {
  const others = variants.filter(([, value]) => value !== sent);
  return others.map(([what, value], at) =>
    valueChange(name, value, { did: `${did} ${what}`, cure, cost: at < likely ? 1 : 2 }),
  );
}

/** Mistakes in the values of the signed names, one axis for each name. */
export function valueAxes(names: readonly string[], sent: ValuesSent): readonly Axis[] {
  const others = names.filter((name) => name !== 'date' && name !== 'digest' && name !== '(request-target)');
  return [
    ...(names.includes('date') ? [dateAxis(sent.headers.get('date') ?? '')] : []),
    ...(names.includes('digest') ? [digestAxis(sent)] : []),
    ...(names.includes('(request-target)') ? [methodAxis, targetAxis(sent)] : []),
    ...others.map((name) => plainAxis(name, sent.headers.get(name) ?? '')),
  ];
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

function dateAxis(sent: string): Axis {
  const at = parseImfFixdate(sent);
  if (at === null) return [];
  const changed = (offset: number, cost: Change['cost']): Change => {
    const value = new Date(at + offset).toUTCString();
    const when = `${Math.abs(offset) / second} s ${offset < 0 ? 'earlier' : 'later'}`;
    const did = `has another Date, ${when}: ${value}`;
    return valueChange('date', value, { did, cure: 'Send the Date that you signed', cost });
  };
  const seconds = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, n) => (from + n) * second);
  return [
    ...seconds(1, 5).map((offset) => changed(-offset, 1)),
    ...changesOf('date', sent, spellingsOf(at), {
      did: 'has the date',
      cure: 'Sign the Date as it is sent',
      likely: 2,
    }),
    ...seconds(6, 60).map((offset) => changed(-offset, 2)),
    ...seconds(1, 5).map((offset) => changed(offset, 2)),
    ...[1, 2, -1, -2].map((hours) => changed(hours * hour, 2)),
    ...seconds(61, 300).map((offset) => changed(-offset, 3)),
    ...seconds(6, 120).map((offset) => changed(offset, 3)),
  ];
}

/** The instant as other formats write it, each with its name. */
function spellingsOf(at: number): Variants {
  const date = new Date(at);
  const http = date.toUTCString();
  const iso = date.toISOString();
  const [day = '', month = '', year = ''] = http.slice(5).split(' ');
  const time = http.slice(17, 25);
  return [
    ['in ISO 8601', iso],
    ['in ISO 8601 without milliseconds', iso.replace('.000Z', 'Z')],
    ['in ISO 8601 with +00:00', iso.replace('.000Z', '+00:00')],
    ['in seconds since 1970', String(at / second)],
    ['in milliseconds since 1970', String(at)],
    ['with a one-digit day', http.replace(', 0', ', ')],
    ['with +0000 for GMT', http.replace('GMT', '+0000')],
    ['with UTC for GMT', http.replace('GMT', 'UTC')],
    ['with Z for GMT', http.replace('GMT', 'Z')],
    ['without GMT', http.replace(' GMT', '')],
    ['without its weekday', http.slice(5)],
    ['without the comma', http.replace(',', '')],
    ['in the format of asctime', `${http.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`],
    ['in lower case', http.toLowerCase()],
    ['in capitals', http.toUpperCase()],
    ['in quotes', `"${http}"`],
  ];
}

const signSent = 'Sign the Digest as it is sent';

function digestAxis({ headers, body }: ValuesSent): Axis {
  const sent = headers.get('digest') ?? '';
  const equals = sent.indexOf('=');
  const [algorithm, value] = [sent.slice(0, equals), sent.slice(equals + 1)];
  const hash = Buffer.from(value, 'base64');
  const variants: Variants = [
    ['without SHA-256=', value],
    ['with its algorithm in lower case', `${algorithm.toLowerCase()}=${value}`],
    ['with its algorithm in capitals', `${algorithm.toUpperCase()}=${value}`],
    ['with SHA256= for SHA-256=', `SHA256=${value}`],
    ['with a colon, as Content-Digest has it', `${algorithm.toLowerCase()}=:${value}:`],
    ['in hexadecimal', `${algorithm}=${hash.toString('hex')}`],
    ['in base64url', `${algorithm}=${hash.toString('base64url')}`],
    ['without its padding', sent.replaceAll('=', '').replace(algorithm, `${algorithm}=`)],
    ['in base64 twice', `${algorithm}=${Buffer.from(value).toString('base64')}`],
    ['in base64 of its hexadecimal', `${algorithm}=${Buffer.from(hash.toString('hex')).toString('base64')}`],
    ['empty', ''],
    ['in SHA-512', digestOf(body, 'sha-512')],
    ['in SHA-256', digestOf(body, 'sha-256')],
  ];
  return changesOf('digest', sent, variants, { did: 'has the Digest', cure: signSent, likely: 2 });
}

/** The Digest of another body than the one sent, one variant after the other: making them takes long for a large body. */
export function* bodyChanges(body: Uint8Array): Generator<Change> {
  for (const { what, bytes } of bodyVariants(body)) {
    yield valueChange('digest', digestOf(bytes, 'sha-256'), { did: `has the Digest of ${what}`, cure: signSent });
  }
}

const signTarget = 'Sign (request-target) as the method in lower case, then path and query as they are sent';

function otherMethod(did: string, cost: Change['cost'], methodOf: (sent: string) => string): Change {
  return { did, cure: signTarget, cost, apply: (draft) => ({ ...draft, method: methodOf(draft.method) }) };
}

const methodAxis: Axis = [
  otherMethod('has the method in capitals', 1, (sent) => sent.toUpperCase()),
  ...['get', 'post', 'put', 'delete'].map((method) => otherMethod(`has the method ${method}`, 2, () => method)),
];

/** Prefixes that a gateway before the bank often takes away. */
const usualPrefixes = words([
  '/api /sandbox /sandbank /bank /psd2 /xs2a',
  '/openbanking /open-banking /proxy /gateway /api-sandbox',
]);
/** In characters: of a longer path no part is taken away. */
const maxPathChars = 2_000;

function targetAxis({ target, headers }: ValuesSent): Axis {
  const host = headers.get('host') ?? '';
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  const forwarded = headers.get('x-forwarded-prefix') ?? '';
  const variants: Variants = [
    ['without its query', path],
    ['with the host before it', host + target],
    ['as a whole address', `http://${host}${target}`],
    ['as a whole address', `https://${host}${target}`],
    ['with HTTP/1.1 behind it', `${target} HTTP/1.1`],
    ['with percent escapes decoded', unescaped(target)],
    ['with a slash at its end', `${path}/${query === -1 ? '' : target.slice(query)}`],
    ['in lower case', target.toLowerCase()],
    ['without the slash at its start', target.slice(1)],
    ['with a host and without its query', host + path],
    ...shorter(target).map(
      (rest) => [`without ${target.slice(0, target.length - rest.length)}, as behind a proxy`, rest] as const,
    ),
    ...[forwarded, ...usualPrefixes]
      .filter((prefix) => prefix !== '')
      .map((prefix) => [`with ${prefix} before it, as before a proxy`, prefix + target] as const),
  ];
  return changesOf('(request-target)', target, variants, { did: 'has the path', cure: signTarget, likely: 4 });
}

/** The path without its first parts, one more each time. */
function shorter(target: string): string[] {
  const rests: string[] = [];
  if (target.length > maxPathChars) return rests;
  for (let at = target.indexOf('/', 1); at > 0 && rests.length < 4; at = target.indexOf('/', at + 1))
    rests.push(target.slice(at));
  return rests;
}

function plainAxis(name: string, sent: string): Axis {
  const variants: Variants = [
    ['in lower case', sent.toLowerCase()],
    ['in capitals', sent.toUpperCase()],
    ['empty', ''],
    ['in quotes', `"${sent}"`],
    ['with a slash at its end', `${sent}/`],
    ['without the slash at its end', sent.endsWith('/') ? sent.slice(0, -1) : sent],
    ['without its query', sent.split('?')[0] ?? ''],
    ['with percent escapes', encodeURIComponent(sent.toWellFormed())],
    ['with percent escapes decoded', unescaped(sent)],
    ['without hyphens', sent.replaceAll('-', '')],
    ['with a blank at its end', `${sent} `],
    ['as null', 'null'],
    ['as undefined', 'undefined'],
  ];
  return changesOf(name, sent, variants, { did: `has ${name}`, cure: `Sign ${name} as it is sent` });
}

/** Other bytes that a TPP may have hashed instead of the body that it sent. */
interface BodyVariant {
  /** As in "the digest of ...". */
  readonly what: string;
  readonly bytes: Buffer;
}

/** Maximum length of a body that is parsed and serialised again, in bytes. */
const maxSearchedBytes = 256 * 1024;

/** Yields the variants of a body, likeliest first; those equal to the body are left out. Never throws. */
export function* bodyVariants(body: Uint8Array): Generator<BodyVariant> {
  const sent = Buffer.from(body);
  for (const variant of everyVariant(sent)) if (!variant.bytes.equals(sent)) yield variant;
}

function* everyVariant(sent: Buffer): Generator<BodyVariant> {
  yield { what: 'an empty body', bytes: Buffer.alloc(0) };
  for (const text of ['[object Object]', '{}', 'null', 'undefined'])
    yield { what: `the text ${text}`, bytes: Buffer.from(text) };
  if (sent.length === 0 || sent.length > maxSearchedBytes) return;
  yield { what: 'the body and a line break', bytes: Buffer.concat([sent, Buffer.from('\n')]) };
  yield { what: 'the body and a CRLF', bytes: Buffer.concat([sent, Buffer.from('\r\n')]) };
  const text = sent.toString();
  yield { what: 'the body without the white space at its ends', bytes: Buffer.from(text.trim()) };
  yield { what: 'the body with CRLF line breaks', bytes: Buffer.from(text.replace(/\r?\n/g, '\r\n')) };
  yield { what: 'the body with \\n line breaks', bytes: Buffer.from(text.replaceAll('\r\n', '\n')) };
  yield* serialised(text);
  const hash = createHash('sha256').update(sent).digest();
  yield { what: 'the hash of the body: it was hashed twice', bytes: hash };
  yield { what: 'the hash of the body in hexadecimal: it was hashed twice', bytes: Buffer.from(hash.toString('hex')) };
  yield { what: 'the hash of the body in base64: it was hashed twice', bytes: Buffer.from(hash.toString('base64')) };
  yield { what: 'the base64 of the body', bytes: Buffer.from(sent.toString('base64')) };
  yield { what: 'the body in ISO-8859-1', bytes: Buffer.from(text, 'latin1') };
  yield { what: 'the body in UTF-16', bytes: Buffer.from(text, 'utf16le') };
  yield { what: 'the body with a byte order mark', bytes: Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), sent]) };
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
  yield variant('the pretty-printed body', JSON.stringify(value, null, '\t'));
  yield variant('the pretty-printed body and a line break', `${pretty}\n`);
  yield variant('the pretty-printed body with CRLF line breaks', pretty.replaceAll('\n', '\r\n'));
  yield variant('the body written with blanks after commas and colons, as Python does', spaced(pretty));
  yield variant('the body as a JSON string, written as JSON twice', JSON.stringify(compact));
  yield variant('the body as a JSON string, written as JSON twice', JSON.stringify(text));
  yield variant('the body with escaped slashes, as PHP writes them', compact.replaceAll('/', String.raw`\/`));
  yield variant('the body with letters escaped as \\u00e5', ascii(compact));
  yield variant('the body with blanks, and letters escaped as \\u00e5, as Python writes it', ascii(spaced(pretty)));
  yield variant('the body with escaped <, > and &, as Go writes them', compact.replace(/[<>&]/g, escaped));
  yield variant(
    'the body with escaped <, >, &, = and quotes, as Gson writes them',
    compact.replace(/[<>&=']/g, escaped),
  );
  yield variant('the body with its members sorted by name', JSON.stringify(sorted(value)));
}

/** One level of pretty-printing taken back: line breaks inside strings are escaped, so that each one is the printer's. */
function spaced(pretty: string): string {
  return pretty
    .split('\n')
    .map((line, at) => (at > 0 && !/^\s*[\]}]/.test(line) ? ` ${line.trimStart()}` : line.trimStart()))
    .join('')
    .replaceAll('{ ', '{')
    .replaceAll('[ ', '[');
}

function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
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
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
