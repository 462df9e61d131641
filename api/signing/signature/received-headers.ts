import type { FaultCode } from '../../../engine/values/fault.ts';
import { signingRefusal } from '../signing-refusal.ts';
import { withoutBlanks } from './signed-text.ts';

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

/** The single value of a header; null when it was not sent. Throws a refusal with `code` when it was sent twice (rules.md G5). */
export function singleHeader(headers: ReceivedHeaders, name: string, code: FaultCode): string | null {
  const values = headers.get(name) ?? [];
  if (values.length > 1) {
    throw signingRefusal(code, name, `The header ${name} was sent ${values.length} times. Send it once.`);
  }
  return values[0] ?? null;
}
