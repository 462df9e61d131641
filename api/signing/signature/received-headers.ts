import type { FaultCode } from '../../../engine/values/fault.ts';
import { signingRefusal } from '../signing-refusal.ts';

/** Lower-case name -> every value received under it, in order, without surrounding blanks. */
export type ReceivedHeaders = ReadonlyMap<string, readonly string[]>;

/** Groups node's flat list. Node's own `headers` would join duplicates or drop them silently. */
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

/** Without the blanks and tabs around it, which are no part of a header's value. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** The one value of a header, null when it was not sent. Sent twice: a refusal with the code given (rules.md G5). */
export function singleHeader(headers: ReceivedHeaders, name: string, code: FaultCode): string | null {
  const values = headers.get(name) ?? [];
  if (values.length > 1) {
    throw signingRefusal(code, name, `The header ${name} was sent ${values.length} times. Send it once.`);
  }
  return values[0] ?? null;
}
