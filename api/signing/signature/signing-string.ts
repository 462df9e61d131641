import { oneLine } from '../../../engine/values/text.ts';
import { invalidSignature, signingRefusal } from '../signing-refusal.ts';
import { signedText, withoutBlanks } from './signed-text.ts';
import type { FaultCode } from '../../../engine/values/fault.ts';

/** What the signature check needs of a request, as plain data. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query exactly as received. */
  readonly target: string;
  /** Node's flat list of name, value, name, value, as latin1 text, duplicates included. */
  readonly rawHeaders: readonly string[];
  /** The exact bytes received; empty when there was no body. */
  readonly body: Uint8Array;
}

/**
 * The text that is signed (signed-text.ts), of a request as received. Repeated headers are joined by a comma and a
 * blank. A name whose header was not received is a SIGNATURE_INVALID refusal.
 */
export function signingString(
  request: Pick<SignedRequest, 'method' | 'target'>,
  headers: ReceivedHeaders,
  names: readonly string[],
): string {
  return signedText(request, names, (name) => {
    const values = headers.get(name);
    if (values !== undefined) return values.join(', ');
    const text = `The signature covers the header ${oneLine(name, 60)}, which was not received. Send it, or leave it out of headers="...".`;
    throw invalidSignature(text);
  });
}

/** Every value received under a lower-case name, in order, without surrounding blanks. */
export type ReceivedHeaders = ReadonlyMap<string, readonly string[]>;

/** Node's `rawHeaders`, a flat list of name and value, as pairs. */
export function headerPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []));
}

/** Groups Node's `rawHeaders` by name. Node's own `headers` joins duplicates or drops them silently. */
export function receivedHeaders(rawHeaders: readonly string[]): ReceivedHeaders {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = withoutBlanks(rawHeaders[at + 1] ?? '');
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [value]);
    else values.push(value);
  }
  return headers;
}

/**
 * The single value of a header; null when it was not sent. Throws a refusal with `code` when it was sent twice
 * (rules.md G5).
 */
export function singleHeader(headers: ReceivedHeaders, name: string, code: FaultCode): string | null {
  const values = headers.get(name) ?? [];
  if (values.length > 1) {
    throw signingRefusal(code, name, `The header ${name} was sent ${values.length} times. Send it once.`);
  }
  return values[0] ?? null;
}

const lengthOfFixdate = 29;

/**
 * Milliseconds since 1970 of an RFC 7231 IMF-fixdate (`Sun, 05 Jan 2014 21:31:40 GMT`), or null. `Date.parse` alone
 * accepts 31 February and wrong weekdays, so the printed time must equal the text too.
 */
export function parseImfFixdate(text: string): number | null {
  if (text.length !== lengthOfFixdate) return null;
  const milliseconds = Date.parse(text);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toUTCString() === text ? milliseconds : null;
}
