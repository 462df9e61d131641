import { isRedirectAddress, redirectAddressWords } from '../../engine/sca/rules/redirect-address.ts';
import * as formats from './header-formats.ts';
import type { HeaderFormat } from './header-formats.ts';

/** One header of the interface. */
export interface HeaderRow {
  readonly name: string;
  readonly expected: string;
  readonly sample: string;
  readonly check: HeaderFormat;
}

const uuidSample = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
const any: HeaderFormat = () => true;

/** The headers that the bank judges (interface: Request headers). */
export const headerRows: readonly HeaderRow[] = [
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
    expected: redirectAddressWords,
    sample: 'https://tpp.example/callback',
    check: isRedirectAddress,
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
