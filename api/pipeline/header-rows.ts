import { isIP } from 'node:net';
import { isRedirectAddress, redirectAddressWords } from '../../engine/sca/rules/redirect-address.ts';

/** Checks the form of a header's value (interface: Request headers). */
export type HeaderFormat = (value: string) => boolean;

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
}

const uuidSample = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
const any: HeaderFormat = () => true;

/** Headers whose form the bank checks (interface: Request headers). */
export const headerRows: readonly HeaderRow[] = [
  { name: 'X-Request-ID', expected: 'a UUID', sample: uuidSample, check: isUuid },
  { name: 'x-accept-fix', expected: 'names of fixes, comma-separated', sample: 'longer-names', check: any },
  {
    name: 'TPP-Session-ID',
    expected: '1 to 100 printable ASCII characters',
    sample: 'session-1',
    check: isSessionId,
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
    check: oneOf('true', 'false'),
  },
  { name: 'PSU-ID', expected: 'the UUID from the redirect after SCA', sample: uuidSample, check: isUuid },
  { name: 'X-PSU-IDENTITY', expected: '11 digits', sample: '13039319955', check: isNationalNumber },
  { name: 'X-PSU-AuthMethod-Preferred', expected: 'a method', sample: 'HA2', check: any },
  {
    name: 'PSU-Corporate-ID',
    expected: 'the UUID from the redirect after SCA',
    sample: uuidSample,
    check: isUuid,
  },
  {
    name: 'PSU-Context',
    expected: 'PRIVATE or CORPORATE',
    sample: 'PRIVATE',
    check: oneOf('PRIVATE', 'CORPORATE'),
  },
  { name: 'PSU-IP-Address', expected: 'an IPv4 or IPv6 address', sample: '192.0.2.1', check: isIpAddress },
  { name: 'PSU-IP-Port', expected: 'a port from 1 to 65535', sample: '443', check: isPort },
  {
    name: 'PSU-HTTP-Method',
    expected: 'GET, POST, PUT, PATCH or DELETE',
    sample: 'POST',
    check: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  },
  { name: 'PSU-Device-ID', expected: 'a UUID', sample: uuidSample, check: isUuid },
  {
    name: 'PSU-Geo-Location',
    expected: 'GEO:<latitude>,<longitude> in degrees',
    sample: 'GEO:59.91,10.75',
    check: isGeoLocation,
  },
];
