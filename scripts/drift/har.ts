import { createReadStream, statSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { ConfigError } from '../../api/start/config.ts';
import { quote } from '../../engine/values/text.ts';
import { reading } from '../cli/file-input.ts';

/** A header, or a parameter of a query, as HAR has it. */
export interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** The members of an entry of HAR 1.2 that a replay reads. `time` in ms; `_bankTime`: the clock of a Sandbank at the answer, ISO 8601. */
export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HarPair[];
    readonly postData?: { readonly mimeType: string; readonly text: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly HarPair[];
    readonly content: { readonly mimeType: string; readonly text?: string };
  };
  readonly _bankTime?: string;
}

/** The parts of an entry. A missing body is empty. */
interface HarParts extends Pick<HarEntry, 'startedDateTime' | 'time' | '_bankTime'> {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HarPair[];
  readonly body: string;
  readonly status: number;
  readonly answerHeaders: readonly HarPair[];
  readonly answer: string;
}

/** An entry with all members that HAR 1.2 asks for. */
export function harEntry(parts: HarParts): HarEntry {
  const { method, url, headers, body, status, answerHeaders, answer, time, ...times } = parts;
  const unknown = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  const [bodySize, size] = [body, answer].map((text) => Buffer.byteLength(text));
  const postData = { mimeType: valueOf(headers, 'content-type'), text: body };
  const content = { size, mimeType: valueOf(answerHeaders, 'content-type'), text: answer };
  const request = { method, url, ...unknown, headers, queryString: [], bodySize, ...(body !== '' && { postData }) };
  const ofStatus = { status, statusText: STATUS_CODES[status] ?? '' };
  const response = { ...ofStatus, ...unknown, headers: answerHeaders, content, redirectURL: '', bodySize: size };
  const timings = { send: 0, wait: time, receive: 0 };
  const entry = { ...times, time, request, response, cache: {}, timings };
  return entry;
}

/** The value of a header by its lower-case name; empty if it is missing. */
export function valueOf(pairs: readonly HarPair[], wanted: string): string {
  return pairs.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
}

/** The text of bytes in UTF-8; null: they are not UTF-8. */
export function utf8Of(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The part of a recording beside its entries. `_kept`: the kinds of values that were not replaced, such as `amounts`. */
export interface HarLog {
  readonly version: string;
  readonly creator: { readonly name: string; readonly version: string };
  readonly _kept?: readonly string[];
}

/** Largest file, in bytes. */
export const harLimit = 256 * 1024 * 1024;
/** Longest entry, in characters. */
const entryLimit = 32 * 1024 * 1024;
/** Longest text beside the entries, in characters. */
const frameLimit = 1024 * 1024;

/**
 * Reads a HAR file as a stream, and calls `each` with the value of each item of `log.entries`, in the order of the file. Returns what
 * stands beside the entries. Throws a WrongUse for a file that cannot be read, and a ConfigError of one line for one that is no whole
 * HAR or has more than 256 MB. The values are those of a stranger: of any JSON type.
 */
export async function readHar(file: string, each: (entry: unknown) => void): Promise<HarLog> {
  const size = reading(file, () => {
    const found = statSync(file);
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    return found.size;
  });
  if (size > harLimit) throw wrongHar(file, 'it has more than 256 MB');
  const scanner = new HarScanner(file, each);
  let read = 0;
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
      const text = chunk as string;
      read += text.length;
      if (read > harLimit) throw wrongHar(file, 'it has more than 256 MB');
      scanner.take(read === text.length ? text.replace(/^\uFEFF/, '') : text);
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    return reading(file, () => {
      throw error;
    });
  }
  return scanner.end();
}

function wrongHar(file: string, why: string): ConfigError {
  return new ConfigError(`${quote(file, 200)} is no recording: ${why}`);
}

/** Cuts the items of `log.entries` out of a text that comes in chunks. What is left is small, and is parsed at the end. */
class HarScanner {
  readonly #file: string;
  readonly #each: (entry: unknown) => void;
  /** All but the items of the list of entries. */
  #frame = '';
  /** The item that is being read; null: none. */
  #item: string[] | null = null;
  #itemLength = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The keys on the way to the place: of the whole, and of `log`. */
  readonly #keys: string[] = [];
  /** The last text that has ended, a key if a colon follows. */
  #text = '';
  #entries: 'before' | 'in' | 'behind' = 'before';

  constructor(file: string, each: (entry: unknown) => void) {
    this.#file = file;
    this.#each = each;
  }

  take(chunk: string): void {
    // The beginning of what was not yet kept.
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#isInString) {
        at = this.#throughString(chunk, at);
        continue;
      }
      const code = chunk.charCodeAt(at);
      if (code === quoteMark) {
        this.#isInString = true;
        this.#text = '';
      } else if (code === openBrace || code === openBracket) {
        if (this.#entries === 'in' && this.#depth === 3) {
          from = this.#keep(chunk, from, at);
          this.#item = [];
          this.#itemLength = 0;
        }
        this.#depth += 1;
        if (code === openBracket && this.#depth === 3 && this.#keys[1] === 'log' && this.#keys[2] === 'entries') {
          if (this.#entries !== 'before') throw wrongHar(this.#file, 'it has two lists of entries');
          from = this.#keep(chunk, from, at + 1);
          this.#entries = 'in';
        }
      } else if (code === closeBrace || code === closeBracket) {
        this.#depth -= 1;
        if (this.#item !== null && this.#depth === 3) {
          from = this.#keep(chunk, from, at + 1);
          this.#finish();
        } else if (this.#entries === 'in' && this.#depth === 2) {
          from = this.#keep(chunk, from, at);
          this.#entries = 'behind';
        }
      } else if (code === colon && this.#depth < 3) {
        this.#keys[this.#depth] = this.#text;
      }
    }
    this.#keep(chunk, from, chunk.length);
  }

  end(): HarLog {
    if (this.#frame.trim() === '') throw wrongHar(this.#file, 'it is empty');
    let value: unknown;
    try {
      value = JSON.parse(this.#frame);
    } catch {
      const why = /^\s*\{/.test(this.#frame) ? 'it is cut, or no JSON' : 'it is no JSON object';
      throw wrongHar(this.#file, why);
    }
    const log: unknown = typeof value === 'object' && value !== null && 'log' in value ? value.log : null;
    if (this.#entries !== 'behind' || typeof log !== 'object' || log === null)
      throw wrongHar(this.#file, 'it has no log.entries, as HAR 1.2 has them');
    const { version, creator, _kept: kept } = log as Partial<Record<keyof HarLog, unknown>>;
    const { name = '', version: made = '' } = (creator ?? {}) as Partial<Record<string, unknown>>;
    return {
      version: String(version),
      creator: { name: String(name), version: String(made) },
      ...(Array.isArray(kept) && { _kept: kept.filter((one) => typeof one === 'string') }),
    };
  }

  /** Goes to the end of a text, or of the chunk. Returns the place of the last character that was read. */
  #throughString(chunk: string, from: number): number {
    let at = from;
    for (; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === backslash) this.#isEscaped = true;
      else if (code === quoteMark) {
        this.#isInString = false;
        break;
      }
    }
    // Only keys on the way to the entries matter, and those are short.
    if (this.#depth < 3 && this.#text.length < 20) this.#text += chunk.slice(from, Math.min(at, from + 20));
    return at;
  }

  /** Keeps a part of the chunk: of an item, or of what is beside the items. Returns its end. */
  #keep(chunk: string, from: number, to: number): number {
    const part = chunk.slice(from, to);
    if (this.#item !== null) {
      this.#itemLength += part.length;
      if (this.#itemLength > entryLimit) throw wrongHar(this.#file, 'an entry has more than 32 MB');
      this.#item.push(part);
    } else if (this.#entries !== 'in') {
      this.#frame += part;
      if (this.#frame.length > frameLimit) throw wrongHar(this.#file, 'it has more than 1 MB beside its entries');
    }
    return to;
  }

  #finish(): void {
    const text = (this.#item ?? []).join('');
    this.#item = null;
    let entry: unknown;
    try {
      entry = JSON.parse(text);
    } catch {
      throw wrongHar(this.#file, 'it is cut, or no JSON');
    }
    this.#each(entry);
  }
}

const quoteMark = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Writes a recording in one piece, as the tests and `sandbank proxy --record` make them. */
export function harText(log: HarLog, entries: readonly HarEntry[]): string {
  return `${JSON.stringify({ log: { ...log, entries } })}\n`;
}
