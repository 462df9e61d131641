import type { Request, RequestHandler, Response } from 'express';
import { systemClock } from '../../engine/time/clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { countJsonValues } from '../../engine/values/lists.ts';
import { clip, oneLine } from '../../engine/values/text.ts';
import { formatValue } from '../bodies/rule.ts';

const kilobyte = 1024;
/** Largest body (rules.md E2), in bytes, except of bulk payments. */
const bodyLimit = 256 * kilobyte;
/** Largest body of a bulk payment (rules.md E2), in bytes: it may have many creditors. */
export const bulkBodyLimit = 8 * kilobyte * kilobyte;

/** Maximum size of all bodies that the process reads at one time (docs/spec/control-plane.md C25), in bytes. */
const maxUnderWay = 64 * kilobyte * kilobyte;
/** Their size now, in bytes. */
let underWay = 0;
/** How long a body may keep its memory from others, in ms. */
const ownMs = 1_000;

/**
 * What ends the reading of each body that has memory, and since when it has some, by the monotonic clock; the oldest
 * first.
 */
const readings = new Map<() => void, number>();

/** Makes room for so many bytes: bodies that have been under way for more than a second give way, the oldest first. */
function hasRoomFor(bytes: number): boolean {
  for (const [giveWay, since] of readings) {
    if (underWay + bytes <= maxUnderWay || systemClock.monotonic() - since < ownMs) break;
    giveWay();
  }
  return underWay + bytes <= maxUnderWay;
}

/**
 * Reads the bytes of a body as sent: the Digest is over them. Refuses a compressed body and one that broke off. Refuses
 * a body that is announced too large before it is read, one that grows too large at the limit
 * (docs/spec/control-plane.md C2), and one that the bodies under way leave no room for (C25); these answers close the
 * connection.
 */
export async function readBody(request: Request, response: Response, limit = bodyLimit): Promise<void> {
  // A request that broke off at once also looks as if it had no body.
  if (request.destroyed && !request.complete) throw brokenOff();
  // The body was read already, or the request has none.
  if (request.body !== undefined || !hasBody(request)) return;
  try {
    if (isEncoded(request)) throw encoded();
    if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
    if (expectsContinue(request)) response.writeContinue();
    request.body = await collected(request, limit);
  } catch (refusal) {
    response.setHeader('connection', 'close');
    throw refusal;
  }
}

/** {@link readBody} before the handlers that follow. */
export function readBytes(limit = bodyLimit): RequestHandler {
  return (request, response, next) => {
    readBody(request, response, limit).then(() => next(), next);
  };
}

/**
 * Maximum number of values of all bodies that the process works on at one time (C25): those of two bulk payments of the
 * largest size.
 */
const maxValues = 1_500_000;
let valuesInWork = 0;

/**
 * The JSON of a body that was read. Refuses a body with more values than any call takes, and one whose values those in
 * work leave no room for, before it makes anything of them. They count until the answer is sent. Throws the refusals of
 * {@link parseJson} too.
 */
export function readJson(request: Request, response: Response): unknown {
  const bytes = bytesOf(request);
  const values = countJsonValues(bytes);
  // The smallest item of a bulk payment has 17 bytes a value.
  if (values > maxMembers + bytes.length / 12)
    throw refusal(
      `The body has ${values} values in ${bytes.length} bytes, more than any call takes. Send those of the interface.`,
    );
  // Its end was told already, and would not be told again.
  if (response.closed) throw brokenOff();
  if (valuesInWork + values > maxValues) throw tooManyBodies('works on', 'with 1,500,000 values');
  valuesInWork += values;
  response.on('close', () => (valuesInWork -= values));
  return parseJson(bytes);
}

/** Whether the client waits for a 100 before it sends its body (C2b). */
function expectsContinue({ headers }: Request): boolean {
  return /^100-continue$/i.test(headers.expect ?? '');
}

/** Reads a form of at most `limit` bytes, for {@link fieldsOf}. A body of another type is not read. */
export function readForm(limit: number): RequestHandler {
  const read = readBytes(limit);
  return (request, response, next) => {
    const [type = ''] = (request.headers['content-type'] ?? '').split(';');
    if (type.trim().toLowerCase() === 'application/x-www-form-urlencoded') return read(request, response, next);
    return next();
  };
}

/** The fields of a form that was read; none without one. */
export function fieldsOf(request: Pick<Request, 'body'>): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(bytesOf(request)));
}

/** Checks whether a Content-Type is JSON in UTF-8 (interface: What the service does, 4). */
export function isJsonType(type: string): boolean {
  return /^application\/json *(; *charset="?utf-8"? *)?$/i.test(type);
}

/** Whether a request has a body, of a stated length or of none. */
export function hasBody({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The bytes of the body; empty without one. */
export function bytesOf(request: Pick<Request, 'body'>): Uint8Array {
  return Buffer.isBuffer(request.body) ? request.body : new Uint8Array();
}

/** The whole body. Rejects with the refusal of it. */
function collected(request: Request, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // One buffer for all chunks: a chunk may be one byte, and takes a hundred as an object of its own.
    let body = Buffer.alloc(0);
    let length = 0;
    const finish = (end: () => void): void => {
      request.off('data', add).off('end', whole).off('close', gone).off('error', gone);
      readings.delete(giveWay);
      underWay -= body.length;
      end();
    };
    const refuse = (refusal: Refusal): void => {
      request.pause();
      finish(() => reject(refusal));
    };
    const add = (chunk: Buffer): void => {
      const needed = length + chunk.length;
      if (needed > limit) {
        refuse(tooLarge(limit));
        return;
      }
      if (needed > body.length) {
        if (body.length === 0) readings.set(giveWay, systemClock.monotonic());
        // Twice as much as before, so that no byte is copied often.
        const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * body.length, limit)));
        const hasRoom = hasRoomFor(larger.length - body.length);
        // It was the oldest itself, and gave way.
        if (!readings.has(giveWay)) return;
        if (!hasRoom) {
          giveWay();
          return;
        }
        underWay += larger.length - body.length;
        body.copy(larger, 0, 0, length);
        body = larger;
      }
      chunk.copy(body, length);
      length = needed;
    };
    const giveWay = (): void => refuse(tooManyBodies('is reading', '64 MB'));
    const whole = (): void => finish(() => resolve(body.subarray(0, length)));
    const gone = (): void => finish(() => reject(brokenOff()));
    request.on('data', add).on('end', whole).on('close', gone).on('error', gone);
  });
}

function isEncoded({ headers }: Request): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding.toLowerCase() !== 'identity';
}

function tooLarge(limit: number): Refusal {
  const most =
    limit > 2 * bulkBodyLimit
      ? `${limit / kilobyte / kilobyte} MB`
      : limit >= bodyLimit
        ? '256 KB, for a bulk payment 8 MB'
        : `${Math.floor(limit / kilobyte)} KB, as this is a form`;
  return new Refusal({ code: 'BAD_REQUEST', place: 'size', text: `The body is too large: at most ${most}.` });
}

function tooManyBodies(does: string, most: string): Refusal {
  const text = `The server ${does} too many bodies: ${most} at one time. Send the request again in a second.`;
  return new Refusal({ code: 'SYSTEM_ERROR', place: 'unavailable', text, retryAfter: 1 });
}

function encoded(): Refusal {
  const text = 'The body is sent with a Content-Encoding. Send it as it is: the Digest is over the bytes sent.';
  return new Refusal({ code: 'FORMAT_ERROR', place: 'content-type', path: 'content-encoding', text });
}

function brokenOff(): Refusal {
  return new Refusal({ code: 'BAD_REQUEST', text: 'The request cannot be read: it broke off.' });
}

/** Refusal for a request that express could not read (rules.md E2); null for any other error. */
export function unreadBody(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  const { status } = error as Error & { readonly status?: number };
  if (status === undefined || status < 400 || status > 499) return null;
  return new Refusal({ code: 'BAD_REQUEST', text: `The request cannot be read: ${clip(error.message, 200)}.` });
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const maxReason = 200;

/**
 * Parses a JSON body. Throws a Refusal (FORMAT_ERROR) when it is empty, not UTF-8, not JSON, nested deeper than 64
 * levels, or has a repeated member, a member `__proto__` or more than 1000 members in one object.
 */
export function parseJson(body: Uint8Array): unknown {
  if (body.length === 0) throw refusal('The body is empty. Send a JSON body, as application/json.');
  const text = decode(body);
  if (text.trim() === '[object Object]') {
    throw refusal(
      'The body is the text [object Object]: an object was written as text. Send it through JSON.stringify.',
    );
  }
  requireUnambiguous(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? oneLine(error.message, maxReason) : 'no reason given';
    throw refusal(`The body is not JSON: ${reason}. Correct it and send it again.`);
  }
}

function decode(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch {
    throw refusal('The body is not UTF-8. Encode it as UTF-8.');
  }
}

function refusal(text: string): Refusal {
  return new Refusal({ code: 'FORMAT_ERROR', text });
}

const maxDepth = 64;
/** Maximum number of members of one object: more than any body of the interface has. */
const maxMembers = 1000;
const blanks = /[ \t\r\n]*/y;

/**
 * Refuses what JSON.parse accepts and the bank does not: nesting deeper than 64 levels, more than 1000 members in one
 * object, a repeated member (the last would win silently), and `__proto__` (a copy would take it as its prototype).
 * Reads any text, JSON or not, once and without recursion.
 */
function requireUnambiguous(text: string): void {
  /** The names of each list or object that is open. */
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') {
      open.push(new Set());
      if (open.length > maxDepth) throw refusal(`The body is nested deeper than ${maxDepth} levels. Flatten it.`);
    } else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      const name = nameIn(text, at, end);
      if (name !== null) addName(open.at(-1) ?? new Set(), name);
      at = end;
    }
  }
}

/** Adds the name of a member to those of its object. Throws a Refusal for a name that the bank refuses. */
function addName(names: Set<string>, name: string): void {
  if (name === '__proto__') throw refusal('No member may be named "__proto__". Leave it out.');
  if (names.has(name)) throw refusal(`The member ${formatValue(name)} is there twice in one object. Send it once.`);
  names.add(name);
  if (names.size > maxMembers)
    throw refusal(`One object has more than ${maxMembers} members. Send those of the interface.`);
}

/** Index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** The name between these quotes, or null if no colon follows. */
function nameIn(text: string, start: number, end: number): string | null {
  blanks.lastIndex = end + 1;
  blanks.test(text);
  return text[blanks.lastIndex] === ':' ? unescaped(text.slice(start, end + 1)) : null;
}

/** Decodes a name: `"a"` and `"\u0061"` are the same. Text that is no JSON string is returned unchanged. */
function unescaped(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
