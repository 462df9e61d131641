import { isIP } from 'node:net';
import { assert } from '../../engine/values/assert.ts';
import { type Fault, refuseAny } from '../../engine/values/fault.ts';
import { formatValue } from '../bodies/rule.ts';
import type { PsuReference } from '../../engine/parties/identify-psu.ts';

/** Schemes that a browser executes, reads from its own machine or passes to another program. */
const refusedSchemes = 'javascript data file blob vbscript intent chrome about view-source filesystem'.split(' ');
const refusedPrefix = 'ms-';
const maxLength = 2048;

/** `https`, `http` or an app's own scheme, with a host or its equivalent. */
const withAuthority = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i;
/** RFC 8252, 7.1: an app's own scheme is a reversed domain name, and its address has only a path. */
const withPath = /^([a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+):\/(?!\/)/i;
/** Printable ASCII without the backslash, which browsers read as a slash. */
const characters = /^[\x21-\x5b\x5d-\x7e]+$/;

/** Text of a refusal: what {@link isRedirectAddress} accepts and refuses. */
export const redirectAddressWords =
  `https, http or an app's own scheme (myapp://..., com.example.app:/...), at most ${maxLength} characters, ` +
  `and never ${[...refusedSchemes, `${refusedPrefix}*`].map((scheme) => `${scheme}:`).join(', ')}, ` +
  'a user name, a backslash, blanks or control characters';

/** Whether the PSU may be sent to an address after SCA (rules.md A2b). */
export function isRedirectAddress(value: string): boolean {
  // The length first, so that no pattern runs over a long text.
  if (value.length > maxLength || !characters.test(value) || !URL.canParse(value)) return false;
  const [, scheme, authority = ''] = withAuthority.exec(value) ?? withPath.exec(value) ?? [];
  if (scheme === undefined || authority.includes('@')) return false;
  const name = scheme.toLowerCase();
  return !refusedSchemes.includes(name) && !name.startsWith(refusedPrefix);
}

/** Checks the form of a header's value (interface: Request headers). */
type HeaderFormat = (value: string) => boolean;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const coordinates = /^GEO:(-?\d{1,3}(?:\.\d+)?)[,;](-?\d{1,3}(?:\.\d+)?)$/i;

/** Any version of UUID, either case. */
const isUuid: HeaderFormat = (value) => uuid.test(value);

/** 1 to 100 printable ASCII characters. */
const isSessionId: HeaderFormat = (value) => /^[\x20-\x7e]{1,100}$/.test(value);

/** IPv4 or IPv6. */
const isIpAddress: HeaderFormat = (value) => isIP(value) !== 0;

/** 1 to 65535. */
const isPort: HeaderFormat = (value) => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= 65_535;

/** 11 digits, as of a national identity number or D-number; whether the bank knows it is checked later. */
const isNationalNumber: HeaderFormat = (value) => /^\d{11}$/.test(value);

/** `GEO:<latitude>,<longitude>` in degrees; XS2A's semicolon is accepted too. */
const isGeoLocation: HeaderFormat = (value) => {
  const [, latitude, longitude] = coordinates.exec(value) ?? [];
  return latitude !== undefined && Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180;
};

/** One of the words, spelled exactly so. */
function oneOf(...words: readonly string[]): HeaderFormat {
  return (value) => words.includes(value);
}

/** One header of the interface. */
export interface HeaderRow {
  readonly name: string;
  readonly expected: string;
  readonly sample: string;
  readonly check: HeaderFormat;
  /** The name in lower case. */
  readonly key: string;
}

const uuidSample = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
const any: HeaderFormat = () => true;
const methods = oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE');

/** The headers whose form the bank checks (interface: Request headers). */
export const headerRows: readonly HeaderRow[] = [
  row('X-Request-ID', 'a UUID', uuidSample, isUuid),
  row('x-accept-fix', 'names of fixes, comma-separated', 'longer-names', any),
  row('TPP-Session-ID', '1 to 100 printable ASCII characters', 'session-1', isSessionId),
  row('TPP-Redirect-URI', redirectAddressWords, 'https://tpp.example/callback', isRedirectAddress),
  row('TPP-Redirect-Preferred', 'true or false', 'true', oneOf('true', 'false')),
  row('PSU-ID', 'the UUID from the redirect after SCA', uuidSample, isUuid),
  row('X-PSU-IDENTITY', '11 digits', '13039319955', isNationalNumber),
  row('X-PSU-AuthMethod-Preferred', 'a method', 'HA2', any),
  row('PSU-Corporate-ID', 'the UUID from the redirect after SCA', uuidSample, isUuid),
  row('PSU-Context', 'PRIVATE or CORPORATE', 'PRIVATE', oneOf('PRIVATE', 'CORPORATE')),
  row('PSU-IP-Address', 'an IPv4 or IPv6 address', '192.0.2.1', isIpAddress),
  row('PSU-IP-Port', 'a port from 1 to 65535', '443', isPort),
  row('PSU-HTTP-Method', 'GET, POST, PUT, PATCH or DELETE', 'POST', methods),
  row('PSU-Device-ID', 'a UUID', uuidSample, isUuid),
  row('PSU-Geo-Location', 'GEO:<latitude>,<longitude> in degrees', 'GEO:59.91,10.75', isGeoLocation),
];

function row(name: string, expected: string, sample: string, check: HeaderFormat): HeaderRow {
  return { name, expected, sample, check, key: name.toLowerCase() };
}

/** Headers that the bank uses. One that is not sent, or empty, is null. */
export interface RequestHeaders {
  readonly requestId: string | null;
  readonly sessionId: string | null;
  readonly redirectUri: string | null;
  readonly psuId: string | null;
  readonly psuIdentity: string | null;
  readonly psuCorporateId: string | null;
  readonly psuContext: 'PRIVATE' | 'CORPORATE' | null;
  /** Null means unattended access (rules.md A8). */
  readonly psuIpAddress: string | null;
  /** Names of changes, separated by commas. */
  readonly acceptFix: string | null;
}

/** The headers as Node gives them: lower-case names, repeated ones joined by commas; a list for `set-cookie` alone. */
type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A required header: its name in lower case; `strictly`: not required under the quirk lenient-headers (rules.md E5);
 * `psu`: PSU-ID, or X-PSU-IDENTITY with PSU-Context (rules.md A6).
 */
export type HeaderDemand = string | { readonly strictly: string };

interface HeaderOptions {
  /** True under /v1/sandbox: X-Request-ID need not be a UUID (rules.md E2), and there is no PSU. */
  readonly sandboxData?: boolean;
  /** The quirk lenient-headers. */
  readonly lenient?: boolean;
  /** Node's rawHeaders: name, value, name, value. */
  readonly raw?: readonly string[];
}

/**
 * Reads the interface's headers, or throws a Refusal with every fault: HTTP_HEADER_REQUIRED for a missing header,
 * FORMAT_ERROR for one that is malformed, repeated (rules.md G5) or contradicts another; the path is the name in lower
 * case. An empty header counts as missing, except x-accept-fix, which may name nothing (rules.md E5).
 */
export function readHeaders(
  headers: ReceivedHeaders,
  demands: readonly HeaderDemand[],
  { sandboxData = false, lenient = false, raw = [] }: HeaderOptions = {},
): RequestHeaders {
  const value = (name: string): string | null => {
    const sent = headers[name];
    return typeof sent === 'string' && sent !== '' ? sent : null;
  };
  const repeated = repeatedNames(raw);
  const checked = repeated.size === 0 ? headerRows : headerRows.filter(({ key }) => !repeated.has(key));
  const isWrong = ({ key, check }: HeaderRow): boolean => {
    const sent = value(key);
    return sent !== null && !(sandboxData && key === 'x-request-id') && !check(sent);
  };
  refuseAny([
    ...demands.flatMap((demand) => unmetFaults(demand, headers, lenient)),
    ...[...repeated].map(repeatedFault),
    ...checked.filter(isWrong).map((row) => malformedFault(row, value(row.key) ?? '')),
    ...(sandboxData ? [] : contextFault(value('psu-context'), value('psu-corporate-id'))),
  ]);
  const context = value('psu-context');
  return {
    requestId: value('x-request-id'),
    sessionId: value('tpp-session-id'),
    redirectUri: value('tpp-redirect-uri'),
    psuId: value('psu-id'),
    psuIdentity: value('x-psu-identity'),
    psuCorporateId: value('psu-corporate-id'),
    psuContext: context === 'PRIVATE' || context === 'CORPORATE' ? context : null,
    psuIpAddress: value('psu-ip-address'),
    acceptFix: value('x-accept-fix'),
  };
}

function unmetFaults(demand: HeaderDemand, headers: ReceivedHeaders, lenient: boolean): readonly Fault[] {
  if (typeof demand === 'object') return lenient ? [] : missingFault(demand.strictly, headers);
  if (demand !== 'psu') return missingFault(demand, headers);
  if (!headers['psu-id'] && !headers['x-psu-identity']) {
    return [missing('psu-id', 'Send PSU-ID, the UUID from an SCA redirect, or X-PSU-IDENTITY, 11 digits.')];
  }
  if (!headers['x-psu-identity'] || headers['psu-context']) return [];
  return [missing('psu-context', 'A single-SCA payment (X-PSU-IDENTITY) says PSU-Context: PRIVATE or CORPORATE.')];
}

function missingFault(name: string, headers: ReceivedHeaders): readonly Fault[] {
  if (name === 'x-accept-fix' ? headers[name] !== undefined : headers[name]) return [];
  const row = headerRows.find(({ key }) => key === name);
  const wanted = row === undefined ? name : `${row.name}: ${row.expected}, for example ${row.name}: ${row.sample}`;
  return [missing(name, `Send ${wanted}.`)];
}

function missing(path: string, text: string): Fault {
  return { code: 'HTTP_HEADER_REQUIRED', path, text: `A header is missing. ${text}` };
}

/** Names of headers that were sent more than once. Node joins their values or keeps the first. */
function repeatedNames(raw: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    if (seen.has(name)) repeated.add(name);
    else seen.add(name);
  }
  // In the order of the list, not of the request.
  return repeated.size === 0 ? repeated : new Set(sentOnce.filter((name) => repeated.has(name)));
}

const sentOnce = ['content-type', ...headerRows.map(({ key }) => key)];

function repeatedFault(name: string): Fault {
  return { code: 'FORMAT_ERROR', path: name, text: `The header ${name} is there more than once. Send it once.` };
}

/** interface: What the service does, 9. */
function contextFault(context: string | null, corporateId: string | null): readonly Fault[] {
  if (context !== 'PRIVATE' || corporateId === null) return [];
  const text =
    'PSU-Context is PRIVATE, and PSU-Corporate-ID names an agreement. Send CORPORATE, or leave one of them out.';
  return [{ code: 'FORMAT_ERROR', path: 'psu-context', text }];
}

function malformedFault({ name, key, expected, sample }: HeaderRow, value: string): Fault {
  const text = `${name} is ${formatValue(value)}: expected ${expected}, for example ${sample}.`;
  return { code: 'FORMAT_ERROR', path: key, text };
}

/** PSU of a request, and the agreement it acts under (rules.md A6; interface: What the service does, 9). */
export function psuOf({ psuId, psuIdentity, psuCorporateId }: RequestHeaders): PsuReference {
  return {
    psuId: psuId ?? undefined,
    psuIdentity: psuIdentity ?? undefined,
    corporateId: psuCorporateId ?? undefined,
  };
}

/**
 * Whether an Accept header takes a media type in UTF-8 (rules.md E7). Only two parameters count: `charset`, which must
 * be UTF-8, and `q`. The most specific range decides; among equally specific ones, one that accepts is enough. A header
 * without ranges accepts everything.
 */
export function acceptsType(header: string | undefined, type: string): boolean {
  const ranges = splitOutsideQuotes(header ?? '', ',').flatMap((text) => (text.trim() === '' ? [] : [rangeIn(text)]));
  if (ranges.length === 0) return true;
  const matching = ranges.flatMap((range) => {
    const specificity = specificityOf(range, type);
    return specificity === 0 ? [] : [{ specificity, isTaken: range.isTaken }];
  });
  const highest = Math.max(...matching.map(({ specificity }) => specificity));
  return matching.some(({ specificity, isTaken }) => specificity === highest && isTaken);
}

interface MediaRange {
  /** Lower case, such as `application/*`. */
  readonly name: string;
  /** In lower case, if the range names one. */
  readonly charset: string | null;
  /** False for `q=0`. */
  readonly isTaken: boolean;
}

function rangeIn(text: string): MediaRange {
  const [name = '', ...parameters] = splitOutsideQuotes(text, ';').map((part) => part.trim().toLowerCase());
  const values = new Map(parameters.map(parameterIn));
  const weight = values.get('q') ?? '';
  return { name, charset: values.get('charset') || null, isTaken: weight === '' || Number(weight) !== 0 };
}

/** Name and value of `name=value` or `name="value"`. */
function parameterIn(text: string): readonly [string, string] {
  const end = text.indexOf('=');
  if (end < 0) return [text, ''];
  const value = text.slice(end + 1).trim();
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return [text.slice(0, end).trim(), isQuoted ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value];
}

/** How exactly a range names the type, from 1 to 4; 0: the range does not contain the type in UTF-8. */
function specificityOf({ name, charset }: MediaRange, type: string): number {
  if (charset !== null && charset !== 'utf-8' && charset !== 'utf8') return 0;
  if (name === type) return charset === null ? 3 : 4;
  if (name === `${type.slice(0, type.indexOf('/'))}/*`) return 2;
  // Old Java clients send a single `*`.
  return name === '*/*' || name === '*' ? 1 : 0;
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (isQuoted && text[at] === '\\') at += 1;
    else if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && text[at] === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

/** Where the PSU returns to, of a call that requires TPP-Redirect-URI. */
export function returnTo({ redirectUri, sessionId }: RequestHeaders) {
  assert(redirectUri !== null, 'TPP-Redirect-URI is required');
  return { redirectUri, sessionId };
}
