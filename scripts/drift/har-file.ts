import { STATUS_CODES } from 'node:http';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { Instant } from '../../engine/values/instant.ts';
import { headerPairs } from '../../api/signing/signature/signing-string.ts';
import { harLimit, type HarPair, utf8Of } from './har.ts';

/** A request that passed a proxy, and its whole answer. */
export interface Passed {
  readonly method: string;
  /** The whole address that it went to. */
  readonly url: string;
  /** Name, value, name, value, as they were sent on. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly status: number;
  readonly answerHeaders: readonly string[];
  readonly answer: Buffer;
  /** By the clock of the machine; `took` in ms. */
  readonly startedAt: Instant;
  readonly took: number;
}

/** The part of a recording beside its entries. */
export interface HarLog {
  readonly version: string;
  readonly creator: { readonly name: string; readonly version: string };
}

/** An entry of HAR 1.2. */
export type HarEntry = Exclude<ReturnType<typeof entryOf>, string>;

/** Writes a recording in one piece. */
export function harText(log: HarLog, entries: readonly HarEntry[]): string {
  return `${JSON.stringify({ log: { ...log, entries } })}\n`;
}

/** The end of a file behind its last entry. */
const tail = '\n]}}\n';

/**
 * A HAR file that grows entry by entry, each as `rewrite` makes it. After each entry it is whole: a kill loses nothing
 * that was written.
 */
export class HarFile {
  readonly #handle: number;
  readonly #rewrite: (entry: HarEntry) => HarEntry;
  /** Where the tail begins. */
  #end: number;
  #entries = 0;

  /** Makes the file. Throws the error of the file system where it cannot be, also if it is there already. */
  constructor(file: string, log: HarLog, rewrite: (entry: HarEntry) => HarEntry) {
    this.#handle = openSync(file, 'wx');
    this.#rewrite = rewrite;
    const [head = ''] = harText(log, []).split(']}}');
    writeSync(this.#handle, head + tail);
    this.#end = Buffer.byteLength(head);
  }

  /** How many entries it has. */
  get entries(): number {
    return this.#entries;
  }

  /** Writes an entry behind the others. Returns why it did not, in words, or null if it did. */
  add(passed: Passed): string | null {
    const entry = entryOf(passed);
    if (typeof entry === 'string') return entry;
    const text = `${this.#entries === 0 ? '\n' : ',\n'}${JSON.stringify(this.#rewrite(entry))}`;
    const bytes = Buffer.from(text + tail);
    if (this.#end + bytes.length > harLimit) return 'the file has 256 MB';
    try {
      writeSync(this.#handle, bytes, 0, bytes.length, this.#end);
    } catch {
      ftruncateSync(this.#handle, this.#end);
      writeSync(this.#handle, tail, this.#end);
      return 'the file cannot be written';
    }
    this.#end += bytes.length - tail.length;
    this.#entries += 1;
    return null;
  }

  close(): void {
    closeSync(this.#handle);
  }
}

/** Makes the entry of a request, with all members that HAR 1.2 requires. Returns a reason in words if it cannot. */
export function entryOf(passed: Passed) {
  const { method, url, status, startedAt, took: time } = passed;
  const [body, answer] = [utf8Of(passed.body), utf8Of(passed.answer)];
  const [headers, answerHeaders] = [pairsOf(passed.rawHeaders), pairsOf(passed.answerHeaders)];
  if (/[^ ]/.test(valueOf(answerHeaders, 'content-encoding').replace('identity', ''))) return 'its answer was encoded';
  if (body === null || answer === null) return 'a body that is no text';
  const unknown = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  const [bodySize, size] = [body, answer].map((text) => Buffer.byteLength(text));
  const postData = { mimeType: valueOf(headers, 'content-type'), text: body };
  const content = { size, mimeType: valueOf(answerHeaders, 'content-type'), text: answer };
  const request = { method, url, ...unknown, headers, queryString: [], bodySize, ...(body !== '' && { postData }) };
  const ofStatus = { status, statusText: STATUS_CODES[status] ?? '' };
  const response = { ...ofStatus, ...unknown, headers: answerHeaders, content, redirectURL: '', bodySize: size };
  const times = { startedDateTime: new Date(startedAt).toISOString(), time };
  return { ...times, request, response, cache: {}, timings: { send: 0, wait: time, receive: 0 } };
}

/** The value of a header by its lower-case name; empty if it is missing. */
function valueOf(pairs: readonly HarPair[], wanted: string): string {
  return pairs.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
}

function pairsOf(raw: readonly string[]): HarPair[] {
  return headerPairs(raw).map(([name, value]) => ({ name, value }));
}
