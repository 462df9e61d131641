import type { ReceivedHeaders } from './received-headers.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { invalidSignature } from '../signing-refusal.ts';
import { signedText } from './signed-text.ts';

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
 * The text that is signed (signed-text.ts), of a request as received. Repeated headers are joined by a comma and a blank. A
 * name whose header was not received is a SIGNATURE_INVALID refusal.
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
