import type { ReceivedHeaders } from './received-headers.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { signingRefusal } from '../signing-refusal.ts';

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
 * The text that is signed: `name: value` for each name in the order given, joined by line feeds, none at the end
 * (interface: TPP authentication and signing, item 7). Repeated headers are joined by a comma and a blank.
 * `(request-target)` is the lower-case method and the target. Latin1 text: one character is one byte. A name whose header
 * was not received is a SIGNATURE_INVALID refusal.
 */
export function signingString(
  request: Pick<SignedRequest, 'method' | 'target'>,
  headers: ReceivedHeaders,
  names: readonly string[],
): string {
  return names
    .map((name) => {
      if (name === '(request-target)') return `${name}: ${request.method.toLowerCase()} ${request.target}`;
      const values = headers.get(name);
      if (values === undefined) {
        const text = `The signature covers the header ${oneLine(name, 60)}, which was not received. Send it, or leave it out of headers="...".`;
        throw signingRefusal('SIGNATURE_INVALID', 'signature', text);
      }
      return `${name}: ${values.join(', ')}`;
    })
    .join('\n');
}
