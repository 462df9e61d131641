import { Refusal } from '../../engine/core/fault.ts';
import type { Fault } from '../../engine/core/fault.ts';
import { shown } from './body/shown.ts';
import * as formats from './header-formats.ts';
import type { HeaderFormat } from './header-formats.ts';

/** The headers that the bank acts on. Null: not sent, or sent empty. */
export interface RequestHeaders {
  readonly requestId: string | null;
  readonly sessionId: string | null;
  readonly redirectUri: string | null;
  /** `false` asks for the biometric flow; true when left out. */
  readonly redirectPreferred: boolean;
  readonly psuId: string | null;
  readonly psuIdentity: string | null;
  readonly psuCorporateId: string | null;
  readonly psuContext: 'PRIVATE' | 'CORPORATE' | null;
  /** Null: unattended access (rules.md A8). */
  readonly psuIpAddress: string | null;
  readonly authMethodPreferred: string | null;
}

interface HeaderRow {
  readonly name: string;
  readonly expected: string;
  readonly sample: string;
  readonly check: HeaderFormat;
}

const uuidSample = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
const any: HeaderFormat = () => true;

const rows: readonly HeaderRow[] = [
  { name: 'X-Request-ID', expected: 'a UUID', sample: uuidSample, check: formats.isUuid },
  { name: 'x-accept-fix', expected: 'names of fixes, comma-separated', sample: 'longer-names', check: any },
  {
    name: 'TPP-Session-ID',
    expected: '1 to 100 printable ASCII characters',
    sample: 'session-1',
    check: formats.isSessionId,
  },
  {
    name: 'TPP-Redirect-URI',
    expected: 'an absolute address of at most 2048 characters, https or an app link',
    sample: 'https://tpp.example/callback',
    check: formats.isRedirectUri,
  },
  {
    name: 'TPP-Redirect-Preferred',
    expected: 'true or false',
    sample: 'true',
    check: formats.oneOf('true', 'false'),
  },
  { name: 'PSU-ID', expected: 'the UUID from the redirect after SCA', sample: uuidSample, check: formats.isUuid },
  { name: 'X-PSU-IDENTITY', expected: '11 digits', sample: '13039319955', check: formats.isNationalNumber },
  { name: 'X-PSU-AuthMethod-Preferred', expected: 'a method', sample: 'HA2', check: any },
  {
    name: 'PSU-Corporate-ID',
    expected: 'the UUID from the redirect after SCA',
    sample: uuidSample,
    check: formats.isUuid,
  },
  {
    name: 'PSU-Context',
    expected: 'PRIVATE or CORPORATE',
    sample: 'PRIVATE',
    check: formats.oneOf('PRIVATE', 'CORPORATE'),
  },
  { name: 'PSU-IP-Address', expected: 'an IPv4 or IPv6 address', sample: '192.0.2.1', check: formats.isIpAddress },
  { name: 'PSU-IP-Port', expected: 'a port from 1 to 65535', sample: '443', check: formats.isPort },
  {
    name: 'PSU-HTTP-Method',
    expected: 'GET, POST, PUT, PATCH or DELETE',
    sample: 'POST',
    check: formats.oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  },
  { name: 'PSU-Device-ID', expected: 'a UUID', sample: uuidSample, check: formats.isUuid },
  {
    name: 'PSU-Geo-Location',
    expected: 'GEO:<latitude>,<longitude> in degrees',
    sample: 'GEO:59.91,10.75',
    check: formats.isGeoLocation,
  },
];

/** The headers as Node gives them: lower-case names, repeated ones joined by commas. */
export type ReceivedHeaders = Readonly<Record<string, string | undefined>>;

/**
 * The interface's headers, or a Refusal with every fault in them: HTTP_HEADER_REQUIRED for each name of `required`
 * (lower case) that is not there, FORMAT_ERROR for each that has the wrong form; the path is the name in lower case. An
 * empty header counts as not sent, except x-accept-fix, whose values change nothing (rules.md E5). Under /v1/sandbox
 * X-Request-ID need not be a UUID (rules.md E2).
 */
export function readHeaders(
  headers: ReceivedHeaders,
  required: readonly string[],
  options: { readonly anyRequestId: boolean } = { anyRequestId: false },
): RequestHeaders {
  const value = (name: string): string | null => headers[name] || null;
  const judged = options.anyRequestId ? rows.filter(({ name }) => name !== 'X-Request-ID') : rows;
  const malformed = judged.flatMap((row) => malformedFault(row, value(row.name.toLowerCase())));
  const missing = required.flatMap((name) => missingFault(name, headers[name]));
  const [first, ...others] = [...missing, ...malformed];
  if (first !== undefined) throw new Refusal(first, ...others);
  const context = value('psu-context');
  return {
    requestId: value('x-request-id'),
    sessionId: value('tpp-session-id'),
    redirectUri: value('tpp-redirect-uri'),
    redirectPreferred: value('tpp-redirect-preferred') !== 'false',
    psuId: value('psu-id'),
    psuIdentity: value('x-psu-identity'),
    psuCorporateId: value('psu-corporate-id'),
    psuContext: context === 'PRIVATE' || context === 'CORPORATE' ? context : null,
    psuIpAddress: value('psu-ip-address'),
    authMethodPreferred: value('x-psu-authmethod-preferred'),
  };
}

function missingFault(name: string, value: string | undefined): readonly Fault[] {
  if (name === 'x-accept-fix' ? value !== undefined : value) return [];
  const row = rows.find((candidate) => candidate.name.toLowerCase() === name);
  const wanted = row === undefined ? name : `${row.name}: ${row.expected}, for example ${row.name}: ${row.sample}`;
  return [{ code: 'HTTP_HEADER_REQUIRED', path: name, text: `A header is missing. Send ${wanted}.` }];
}

function malformedFault({ name, expected, sample, check }: HeaderRow, value: string | null): readonly Fault[] {
  if (value === null || check(value)) return [];
  const text = `${name} is ${shown(value)}: expected ${expected}, for example ${sample}.`;
  return [{ code: 'FORMAT_ERROR', path: name.toLowerCase(), text }];
}
