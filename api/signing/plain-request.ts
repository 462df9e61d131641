import type { IncomingHttpHeaders } from 'node:http';
import type { Instant } from '../../engine/values/instant.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { headerPairs, receivedHeaders, type SignedRequest } from './signature/signing-string.ts';
import { type Credentials, signHeaders } from './signature/sign-request.ts';
import { usualHeaders } from './test-tpp.ts';

/**
 * The header that shows that a request is already signed. Undefined if there is none. An empty header only leaves ours
 * out.
 */
export function signatureSent(headers: IncomingHttpHeaders): string | undefined {
  return ['signature', 'tpp-signature-certificate'].find((name) => (headers[name] ?? '') !== '');
}

/** The headers of a plain request, as they are to be signed. */
export interface PlainHeaders {
  /** Flat list of name, value, as Node's rawHeaders. */
  readonly raw: readonly string[];
  /** Lower-case names of headers that were sent empty. */
  readonly leftOut: readonly string[];
}

/**
 * Completes the headers of a plain request. Adds X-Request-ID if it is missing, and outside /v1/sandbox
 * TPP-Redirect-URI and PSU-IP-Address. Keeps what was sent, and leaves out a header that was sent empty.
 */
export function completeHeaders(
  { method, target, rawHeaders }: Omit<SignedRequest, 'body'>,
  redirectUri: string,
): PlainHeaders {
  const received = receivedHeaders(rawHeaders);
  const leftOut = [...received].filter(([, values]) => values.every((value) => value === '')).map(([name]) => name);
  const raw = headerPairs(rawHeaders).filter(([name]) => !leftOut.includes(name.toLowerCase()));
  const usual = usualHeaders(method, target, Buffer.alloc(0), redirectUri);
  const offered = {
    'X-Request-ID': randomIds.uuid(),
    'TPP-Redirect-URI': usual['tpp-redirect-uri'],
    'PSU-IP-Address': usual['psu-ip-address'],
  };
  for (const [name, value] of Object.entries(offered)) {
    if (value !== undefined && !received.has(name.toLowerCase())) raw.push([name, value]);
  }
  return { raw: raw.flat(), leftOut };
}

/**
 * Signs a request whose headers are complete, at this time of the wall clock. Returns all its headers, with Date and
 * Digest where they were missing, as Node's rawHeaders.
 */
export function signPlainRequest(
  request: Omit<SignedRequest, 'rawHeaders'>,
  { raw, leftOut }: PlainHeaders,
  tpp: Credentials,
  now: Instant,
): string[] {
  const headers = Object.fromEntries([...receivedHeaders(raw)].map(([name, values]) => [name, values.join(', ')]));
  // The list has one already, unless it was sent empty.
  const requestId = headers['x-request-id'] ?? '';
  const added = signHeaders({ ...request, ...tpp, headers, leaveOut: leftOut, date: now, requestId });
  return [...raw, ...Object.entries(added).flat()];
}
