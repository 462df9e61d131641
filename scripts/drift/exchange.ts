import { endpoints } from '../../api/interface/index.ts';
import type { Endpoint } from '../../api/pipeline/endpoint.ts';
import { pathTable } from '../../api/pipeline/target.ts';
import { jsonOr } from '../../engine/values/json-text.ts';
import { memberOf } from '../../api/bodies/rule.ts';
import { clip, decodedUri } from '../../engine/values/text.ts';
import { type HarPair, utf8Of } from './har.ts';

/** A recorded request to the interface, and its whole answer. */
export interface Exchange {
  /** Its place in the file, from 1. */
  readonly entry: number;
  readonly url: string;
  readonly endpoint: Endpoint;
  /** Its path in the document: `/accounts/{accountId}`. */
  readonly template: string;
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** It went through the unsigned door of a Sandbank, which adds headers. */
  readonly isOfDoor: boolean;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Empty means none. */
  readonly body: string;
  readonly status: number;
  readonly answerHeaders: ReadonlyMap<string, string>;
  /** Without parameters; empty: unknown. */
  readonly mediaType: string;
  /** Parsed JSON, or the text of another answer. It is undefined if it has no body. */
  readonly answer: unknown;
  /** It is false if an answer of this status to this method has no body. */
  readonly canHaveBody: boolean;
}

/** An entry that is not judged. */
export interface Skipped {
  readonly entry: number;
  readonly why: string;
}

/** By which a gateway in front of a bank answers itself. */
const gatewayStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const noJson = Symbol('no JSON');

/** Paths of Sandbank that are not the interface. */
const ofControlPlane = /^(?:\/banks\/[^/]+)?\/sandbox\/(?!as\/)/;
const ofDoor = /\/sandbox\/as\/[^/]+\/v1\//;

const findEndpoints = pathTable(
  endpoints.map(({ path }) => path),
  (path) => endpoints.filter((each) => each.path === path),
);

/** Reads an entry of a HAR 1.2 file, whatever its form. `entry`: its place, from 1. */
export function exchangeOf(har: unknown, entry: number): Exchange | Skipped {
  const [request, response] = [memberOf(har, 'request'), memberOf(har, 'response')];
  const [method, url] = [memberOf(request, 'method'), memberOf(request, 'url')];
  const skipped = (why: string): Skipped => ({ entry, why });
  if (typeof method !== 'string') return skipped('it has no request.method');
  if (typeof url !== 'string' || !URL.canParse(url)) return skipped('it has no request.url');
  const { pathname, search, searchParams: query } = new URL(url);
  const place = placeOf(pathname, method);
  if (place === null) return skipped(`${method} ${clip(pathname, 100)} is no call of the interface`);
  const status = memberOf(response, 'status');
  if (typeof status !== 'number' || !(status >= 100 && status <= 599)) return skipped('it has no answer');
  const [headers, answerHeaders] = [byName(memberOf(request, 'headers')), byName(memberOf(response, 'headers'))];
  const content = memberOf(response, 'content');
  const body = recordedBody(memberOf(request, 'postData'), memberOf(request, 'bodySize'));
  if (place.endpoint.body !== null && typeof body !== 'string') return skipped(`the body of its request ${body.why}`);
  // No bank takes what is no JSON: the tool has recorded less than was sent.
  if (place.endpoint.body !== null && status < 400 && jsonOr(String(body), body) === body)
    return skipped(`the body of its request ${body === '' ? 'was not recorded' : 'is cut'}`);
  // Browsers write x-unknown where an answer has no type.
  const recorded = String(memberOf(content, 'mimeType') ?? '').replace(/^x-unknown$/, '');
  const type = answerHeaders.get('content-type') ?? recorded;
  const mediaType = (type.split(';')[0] ?? '').trim().toLowerCase();
  const isBodiless = status === 204 || method === 'HEAD' || place.endpoint.answers?.[status] === null;
  const received = recordedBody(content, isBodiless ? 0 : memberOf(content, 'size') || null);
  if (typeof received !== 'string') return skipped(`the body of its answer ${received.why}`);
  const parsed = jsonOr(received, noJson);
  const answer = received === '' ? undefined : parsed === noJson ? received : parsed;
  // A gateway answers in any form but the bank's, or with nothing, or with a page.
  const isOfGateway = gatewayStatuses.has(status)
    ? memberOf(answer, 'tppMessages') === undefined
    : status >= 500 && /^\s*(?:<|$)/.test(received);
  if (isOfGateway) return skipped(`the bank was not available (${status})`);
  if (parsed === noJson && (/json$/.test(mediaType) || /^\s*[[{]/.test(received)) && received !== '')
    return skipped('the JSON of its answer is cut');
  return {
    ...place,
    ...{ entry, url: url.slice(0, url.length - search.length + Math.min(search.length, 100)), query },
    isOfDoor: ofDoor.test(pathname),
    ...{ headers, body: typeof body === 'string' ? body : '', status, answerHeaders, mediaType, answer },
    canHaveBody: !isBodiless,
  };
}

/** The endpoint that a path ends with, whatever stands before it. Returns null if the interface has none there. */
function placeOf(pathname: string, method: string): Pick<Exchange, 'endpoint' | 'template' | 'params'> | null {
  if (ofControlPlane.test(pathname) || decodedUri(pathname) === null) return null;
  const segments = pathname.replace(/\/$/, '').split('/');
  for (let at = 1; at < segments.length; at += 1) {
    const found = findEndpoints(`/${segments.slice(at).join('/')}`);
    // Test data stand below /v1 only: /sandbox/accounts alone is the control plane.
    if (found === null || (segments[at] === 'sandbox' && segments[at - 1] !== 'v1')) continue;
    const endpoint = found.value.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
    if (endpoint === undefined) return null;
    const { params } = found;
    return { endpoint, params, template: templateOf(endpoint, params['product']) };
  }
  return null;
}

/** Its path in the document, which has an operation for each product whose body it describes. */
export function templateOf({ path, body }: Endpoint, product: string | undefined): string {
  return path.replace(':product', (name) => (body && product) ?? name).replaceAll(/:(\w+)/g, '{$1}');
}

/**
 * The text of a body, empty where there is none; or why it is not known. `size` in bytes, as far as the tool tells it:
 * 0 says that there is none.
 */
function recordedBody(content: unknown, size: unknown): string | { readonly why: string } {
  const text = memberOf(content, 'text') ?? (size === 0 ? '' : undefined);
  const isAnnounced = typeof size === 'number' && size > 0;
  if (memberOf(content, '_file') !== undefined) return { why: 'is in another file' };
  if (typeof text === 'string' && text !== '') {
    const decoded = memberOf(content, 'encoding') === 'base64' ? utf8Of(Buffer.from(text, 'base64')) : text;
    return decoded ?? { why: 'is no text' };
  }
  return text === '' && !isAnnounced ? '' : { why: 'was not recorded' };
}

/** By lower-case name, as Node joins them. Pseudo-headers of HTTP/2 and pairs of another form are left out. */
function byName(pairs: unknown): Map<string, string> {
  const found = new Map<string, string>();
  for (const pair of Array.isArray(pairs) ? (pairs as readonly Partial<HarPair>[]) : []) {
    const [name, value] = [memberOf(pair, 'name'), memberOf(pair, 'value')];
    if (typeof name !== 'string' || typeof value !== 'string' || name.startsWith(':')) continue;
    const [key, before, own] = [name.toLowerCase(), found.get(name.toLowerCase()), value.trim()];
    found.set(key, before === undefined ? own : `${before}, ${own}`);
  }
  return found;
}
