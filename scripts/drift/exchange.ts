import { endpoints } from '../../api/interface/index.ts';
import { provokedBeginning } from '../../api/pipeline/struck-call.ts';
import { parseJson } from '../../api/pipeline/read-body.ts';
import { pathTable } from '../../api/pipeline/target.ts';
import { clip } from '../../engine/values/text.ts';
import { parseInstant } from '../../engine/values/instant.ts';
import { type HarEntry, type HarPair, utf8Of } from './har.ts';
import { interfacePath } from './interface-path.ts';

/** A recorded request to the interface, and its answer. */
export interface Exchange {
  /** Its place in the file, from 1. */
  readonly number: number;
  /** When it was sent, in ms since 1970, and how long it took, in ms: by the clock of the machine. */
  readonly sentAt: number;
  readonly took: number;
  /** When it was sent by the bank's clock where the recording has that, else {@link sentAt}. */
  readonly at: number;
  /** The recording has the bank's clock. */
  readonly hasClock: boolean;
  readonly method: string;
  /** Path and query, from `/v1` on. */
  readonly target: string;
  /** The path of the endpoint, such as `/accounts/:accountId`; null: the interface has none there. */
  readonly endpoint: string | null;
  /** The parameters in the path, decoded: `{accountId}`. */
  readonly params: Readonly<Record<string, string>>;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Identifies its TPP; empty if the recording has no certificate. */
  readonly tpp: string;
  /** Empty: none. */
  readonly body: string;
  readonly status: number;
  readonly answerHeaders: ReadonlyMap<string, string>;
  /** The parsed JSON, or the text of another answer; undefined: an answer without a body. */
  readonly answer: unknown;
}

/** Why an entry is not replayed. */
export interface Skipped {
  /** In words for a report, the same for all entries of a kind. */
  readonly why: string;
  /** What this one has: its address, or the member that is wrong. */
  readonly what: string;
}

/** In characters. Larger ones are cut off by the HTTP parser (rules.md G9), or while they are sent (E2). */
const maxHead = 12 * 1024;
const maxBody = 7 * 1024 * 1024;

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

const findEndpoint = pathTable(
  endpoints.map(({ path }) => path),
  (path) => path,
);

/** Refusals of G1 before the meaning of a request: what is sent anew has another certificate, date and signature. */
const ofSignature = /^(?:CERTIFICATE_|SIGNATURE_|ROLE_INVALID$|TIMESTAMP_INVALID$)/;

/** The exchange of an entry of a HAR, whatever its form; or why it is not replayed. `number`: its place in the file. */
export function exchangeOf(entry: unknown, number: number): Exchange | Skipped {
  const skipped = (why: string, what = ''): Skipped => ({ why, what });
  const broken = (member: string, value: unknown): Skipped => skipped('no whole entry', `${member} is ${shown(value)}`);
  const { startedDateTime, time, request, response, _bankTime: bankTime } = membersOf(entry) as Partial<HarEntry>;
  const { method, url, headers, postData } = membersOf(request) as Partial<HarEntry['request']>;
  if (typeof entry !== 'object' || entry === null) return broken('it', entry);
  if (typeof method !== 'string') return broken('request.method', method);
  if (typeof url !== 'string' || !URL.canParse(url)) return broken('request.url', url);
  const { pathname, search } = new URL(url);
  const base = interfacePath.exec(pathname)?.[0];
  const address = `${method} ${clip(url.split('?')[0] ?? '', 120)}`;
  if (base === undefined) return skipped('not to the interface', address);
  const sentAt = instantOf(startedDateTime);
  if (sentAt === null) return broken('startedDateTime', startedDateTime);
  if (!methods.has(method)) return broken('request.method', method);
  const { status, headers: answered, content } = membersOf(response) as Partial<HarEntry['response']>;
  if (status === 0 || response === undefined || response === null) return skipped('no answer', address);
  if (typeof status !== 'number' || !(status >= 100 && status <= 599)) return broken('response.status', status);
  const [sent, received] = [contentText(postData ?? {}), contentText(content ?? {})];
  if (sent === null || received === null) return skipped('a body that is no text', address);
  if (status >= 500) return skipped('the bank was not available', `${address} ${status}`);
  const answer = received === '' ? undefined : parsed(received);
  if (String(messageOf(answer)['text']).startsWith(provokedBeginning))
    return skipped('refused by an armed fault of a Sandbank', address);
  if (status >= 400 && ofSignature.test(codeOf(answer)))
    return skipped('refused for its signature, certificate or date', `${address} ${codeOf(answer)}`);
  const sentHeaders = byName(headers);
  const head = [...sentHeaders].reduce((sum, [name, value]) => sum + name.length + value.length + 4, url.length);
  if (head > maxHead || sent.length > maxBody) return skipped('a request larger than a bank takes', address);
  const target = pathname.slice(base.length) + search;
  const { endpoint, params } = routeOf(pathname.slice(base.length));
  const isOurs = endpoint !== null || (status >= 400 && codeOf(answer) !== '');
  if (!isOurs) return skipped('not to the interface', address);
  return {
    number,
    sentAt,
    took: typeof time === 'number' && time > 0 ? time : 0,
    at: instantOf(bankTime) ?? sentAt,
    hasClock: instantOf(bankTime) !== null,
    method,
    target,
    endpoint,
    params,
    headers: sentHeaders,
    tpp: sentHeaders.get('tpp-signature-certificate') ?? '',
    body: sent,
    status,
    answerHeaders: byName(answered),
    answer,
  };
}

/** A value of a damaged entry, in a few words. */
function shown(value: unknown): string {
  return value === undefined ? 'missing' : clip(JSON.stringify(value), 60);
}

/** The endpoint of the interface at this path, and its parameters. */
function routeOf(path: string): Pick<Exchange, 'endpoint' | 'params'> {
  try {
    const { value: endpoint = null, params = {} } = findEndpoint(path.slice('/v1'.length)) ?? {};
    return { endpoint, params };
  } catch {
    return { endpoint: null, params: {} };
  }
}

/** The code of the first message of a refusal; empty: it has none. */
export function codeOf(answer: unknown): string {
  const { code } = messageOf(answer);
  return typeof code === 'string' ? code : '';
}

/** The first message of an answer; without members: it has none. */
export function messageOf(answer: unknown): Members {
  return membersOf(listOf(answer, 'tppMessages')[0]);
}

/** Members of an object of JSON, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of an object; no members of another value. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

/** The items of a list that is a member of an object; no items of another value. */
export function listOf(value: unknown, member: string): readonly unknown[] {
  return itemsOf(membersOf(value)[member]);
}

/** The items of a list; no items of another value. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The links of an answer, by name; none if it has none. */
export function linksOf(answer: unknown): Members {
  return membersOf(membersOf(answer)['_links']);
}

/** The path of an address, and its query. */
export function pathAndQueryOf(target: string): readonly [path: string, query: URLSearchParams] {
  const [path = '', query = ''] = target.split('?');
  return [path, new URLSearchParams(query)];
}

/** Whether an exchange asks for a payment. */
export function isInitiation({ endpoint, method }: Pick<Exchange, 'endpoint' | 'method'>): boolean {
  return method === 'POST' && /^\/(?:payments|periodic-payments|bulk-payments)\/:product$/.test(endpoint ?? '');
}

function instantOf(text: unknown): number | null {
  return typeof text === 'string' ? parseInstant(text) : null;
}

/** The headers of an entry of a HAR, whatever their form: what is no pair of texts is left out. */
function headersIn(pairs: unknown): HarPair[] {
  return itemsOf(pairs).flatMap((pair) => {
    const { name, value } = membersOf(pair);
    return typeof name === 'string' && typeof value === 'string' ? [{ name, value }] : [];
  });
}

/** By lower-case name; the values of a name that is there twice are joined, as Node joins them. */
function byName(pairs: unknown): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, value } of headersIn(pairs)) {
    const before = found.get(name.toLowerCase());
    found.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return found;
}

/** The text of a body; empty: it has none. Null: it is no UTF-8. */
function contentText(content: object): string | null {
  const { text, encoding } = membersOf(content);
  if (text === undefined || text === null) return '';
  if (typeof text !== 'string') return null;
  if (encoding !== 'base64') return text;
  return utf8Of(Buffer.from(text, 'base64'));
}

/** The value of a JSON text; the text itself if the bank would not read it as JSON, for example because it is nested too deep. */
export function parsed(text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    return text;
  }
}

/** The parsed body of a request; undefined: it is no object or list of JSON. */
export function parsedBody({ body }: Pick<Exchange, 'body'>): unknown {
  const value = parsed(body);
  return typeof value === 'object' ? value : undefined;
}
