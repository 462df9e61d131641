import { isIP } from 'node:net';

/** Whether a header's value has the form that the interface gives it (interface: Request headers). */
export type HeaderFormat = (value: string) => boolean;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const coordinates = /^GEO:(-?\d{1,3}(?:\.\d+)?)[,;](-?\d{1,3}(?:\.\d+)?)$/i;

/** Any version of UUID, either case. */
export const isUuid: HeaderFormat = (value) => uuid.test(value);

/** 1 to 100 printable ASCII characters. */
export const isSessionId: HeaderFormat = (value) => /^[\x20-\x7e]{1,100}$/.test(value);

/** IPv4 or IPv6. */
export const isIpAddress: HeaderFormat = (value) => isIP(value) !== 0;

/** 1 to 65535. */
export const isPort: HeaderFormat = (value) => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= 65_535;

/** A national identity or D-number in form; whether the bank knows it is judged later. */
export const isNationalNumber: HeaderFormat = (value) => /^\d{11}$/.test(value);

/** `GEO:<latitude>,<longitude>` in degrees; a semicolon, as XS2A has it, is taken too. */
export const isGeoLocation: HeaderFormat = (value) => {
  const [, latitude, longitude] = coordinates.exec(value) ?? [];
  return latitude !== undefined && Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180;
};

/** One of the words, spelled exactly so. */
export function oneOf(...words: readonly string[]): HeaderFormat {
  return (value) => words.includes(value);
}
