import { X509Certificate } from 'node:crypto';
import type { Instant } from '../../engine/values/instant.ts';
import { oneLine } from '../../engine/values/text.ts';
import { checkCertificate, type CertificateStatus, type SecurityClock } from './certificate/certificate-check.ts';
import { createCertificateReader, type Tpp } from './certificate/tpp-certificate.ts';
import { checkDigest, checkSignatureValue, readSignature } from './signature/check-signature-and-digest.ts';
import {
  parseImfFixdate,
  type ReceivedHeaders,
  receivedHeaders,
  singleHeader,
  type SignedRequest,
} from './signature/signing-string.ts';
import { leniencyOf, strictRefusal } from './leniencies.ts';
import { signingRefusal } from './signing-refusal.ts';

export interface SignatureCheckOptions {
  /** rules.md G6. */
  readonly trust: 'any' | 'ca';
  /**
   * PEM, one certificate each; used with `ca` only. Read for each request: a bank makes its CA when it first needs it.
   */
  readonly trustedCas?: readonly string[];
  /** Status of a certificate, by its normalised serial. By default none is blocked or revoked. */
  readonly statusOf?: (serial: string) => CertificateStatus | Promise<CertificateStatus>;
  /** Whether `now` is the bank clock, not the wall clock (rules.md T1c). Left out: the wall clock. */
  readonly followsClock?: boolean;
  /** The quirk strict-signing (rules.md G3b). */
  readonly isStrict?: boolean;
}

/**
 * Returns the TPP that signed the request. `now` is that of the bank's security (rules.md T1, T1c); `role` is the one
 * the call needs.
 */
export type SignatureCheck = (request: SignedRequest, now: Instant, role: 'PSP_PI' | 'PSP_AI' | null) => Promise<Tpp>;

/**
 * Creates the signature check of rules.md G1-G8, with its own bounded cache of parsed certificates. The check rejects
 * with a Refusal for the first fault in the order of G1: nothing sent, certificate, date, digest, signature; under the
 * quirk strict-signing a leniency comes last (rules.md G3b). Throws a plain Error when a trusted CA cannot be read.
 */
export function createSignatureCheck(options: SignatureCheckOptions): SignatureCheck {
  const readCertificate = createCertificateReader();
  const trusted = trustedBy(options);
  const clock = options.followsClock === true ? 'bank clock' : 'wall clock';
  return async (request, now, role) => {
    const headers = receivedHeaders(request.rawHeaders);
    const certificateHeader = singleHeader(headers, 'tpp-signature-certificate', 'CERTIFICATE_INVALID') ?? '';
    const inAuthorization = (headers.get('authorization') ?? []).some((value) => /^signature\s/i.test(value));
    const sent = (headers.get('signature') ?? []).some((value) => value !== '');
    if (certificateHeader === '') throw certificateMissing(sent, inAuthorization);
    const certificate = readCertificate(certificateHeader);
    const status = (await options.statusOf?.(certificate.tpp.serial)) ?? null;
    checkCertificate(certificate, { trusted: trusted(), status, clock }, now, role);
    checkDate(headers, now, clock);
    checkDigest(headers, request.body);
    if (!sent) throw signatureMissing(inAuthorization ? elsewhere : 'The header Signature is missing.');
    const signature = singleHeader(headers, 'signature', 'SIGNATURE_INVALID') ?? '';
    await checkSignatureValue(readSignature(signature, request, headers, certificate));
    const [leniency] = options.isStrict === true ? leniencyOf(request, certificate) : [];
    if (leniency !== undefined) throw strictRefusal(leniency);
    return certificate.tpp;
  };
}

/**
 * The certificates of the trusted CAs, each read once, or null if every certificate is trusted. Throws a plain Error if
 * one cannot be read.
 */
function trustedBy(options: SignatureCheckOptions): () => readonly X509Certificate[] | null {
  if (options.trust === 'any') return () => null;
  const known = new Map<string, X509Certificate>();
  const read = (pem: string): X509Certificate => {
    const certificate = known.get(pem) ?? new X509Certificate(pem);
    known.set(pem, certificate);
    return certificate;
  };
  const trusted = (): readonly X509Certificate[] => (options.trustedCas ?? []).map(read);
  trusted();
  return trusted;
}

const elsewhere =
  'The signature is in the header Authorization. Send it in the header Signature, without the word "Signature" before it.';

function certificateMissing(isSigned: boolean, inAuthorization: boolean) {
  if (isSigned) {
    const text = `The header TPP-Signature-Certificate is missing. Send the signing certificate: base64 of its DER. ${howToSign}`;
    return signingRefusal('CERTIFICATE_MISSING', 'tpp-signature-certificate', text);
  }
  return signatureMissing(
    inAuthorization
      ? `${elsewhere} The header TPP-Signature-Certificate is missing too.`
      : 'The request is not signed: the headers Signature and TPP-Signature-Certificate are missing.',
  );
}

function signatureMissing(what: string) {
  return signingRefusal('SIGNATURE_MISSING', 'signature', `${what} ${howToSign}`);
}

const howToSign =
  'docs/signing.md, served at /docs/signing.md, tells how to sign; without a certificate, /sandbox/as/shop/v1/... signs a plain request for you.';

/** Allowed deviation of Date, in ms. */
export const maxDeviationMs = 60_000;

/**
 * Checks the Date header (rules.md G1, G2): present (HTTP_HEADER_REQUIRED), well-formed (FORMAT_ERROR) and within 60 s
 * of the clock that decides on security, before or after (TIMESTAMP_INVALID).
 */
export function checkDate(headers: ReceivedHeaders, now: Instant, clock: SecurityClock = 'wall clock'): void {
  const date = singleHeader(headers, 'date', 'FORMAT_ERROR');
  const bankTime = (): string => new Date(now).toUTCString();
  if (date === null) {
    throw signingRefusal(
      'HTTP_HEADER_REQUIRED',
      'date',
      `The header Date is missing. Send the time of signing, as in: ${bankTime()}`,
    );
  }
  const sent = parseImfFixdate(date);
  if (sent === null) {
    const text = `The header Date is "${oneLine(date)}". ${cureOfDate(date)} Expected an RFC 7231 date in GMT with the right weekday, as in: ${bankTime()}`;
    throw signingRefusal('FORMAT_ERROR', 'date', text);
  }
  const deviation = sent - now;
  if (Math.abs(deviation) > maxDeviationMs) {
    const seconds = (Math.abs(deviation) / 1000).toFixed(1);
    const text = `The header Date is "${date}"; the bank's ${clock === 'wall clock' ? clock : 'clock, which it follows,'} shows ${bankTime()}: ${seconds} s ${deviation < 0 ? 'behind' : 'ahead'}, 60 s are allowed. ${clock === 'wall clock' ? cureOfDeviation(deviation) : signByBank}`;
    throw signingRefusal('TIMESTAMP_INVALID', 'date', text);
  }
}

const signByBank = 'Sign by the time of the bank, not by the wall clock: docs/one-clock.md shows how.';

const hour = 3_600_000;
/** Largest offset of a time zone, in hours. */
const maxOffsetHours = 14;

function cureOfDeviation(deviation: number): string {
  const hours = Math.round(Math.abs(deviation) / hour);
  const isWhole = Math.abs(Math.abs(deviation) - hours * hour) <= maxDeviationMs;
  if (!isWhole || hours < 1 || hours > maxOffsetHours) return 'Sign when sending, and check the clock.';
  return `${hours === 1 ? 'One hour' : `${hours} hours`} off: is it local time labelled GMT? Format the time in UTC.`;
}

const shortMonths = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const shortDays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Explains why a Date is no IMF-fixdate, and what to do. */
function cureOfDate(text: string): string {
  if (text === '') return 'It is empty.';
  if (/^[^\d,]{2,10}, \d{1,2}\.? \S{3,10} \d{4} \d\d:\d\d:\d\d$/.test(text)) {
    const whole = `${text} GMT`;
    return `GMT is missing at its end.${parseImfFixdate(whole) === null ? ` ${cureOfDate(whole)}` : ''}`;
  }
  if (/^[A-Za-z]{3}, \d [A-Za-z]{3} /.test(text)) {
    return "Write the day with two digits: Java's DateTimeFormatter.RFC_1123_DATE_TIME writes one.";
  }
  if (/^\d{4}-\d\d-\d\d/.test(text)) return 'It is in ISO 8601.';
  if (/^\d{1,16}(?:\.\d{1,9})?$/.test(text)) return 'It is a number of seconds or milliseconds.';
  const otherDay = shortDays.map((day) => `${day}${text.slice(3)}`).find((one) => parseImfFixdate(one) !== null);
  if (otherDay !== undefined) return `The weekday of that day is ${otherDay.slice(0, 3)}.`;
  const zone = /^(.{25}) (?:UTC|UT|Z|[A-Z]{3,4}|[+-]\d\d:?\d\d)$/.exec(text)?.[1];
  if (zone !== undefined && parseImfFixdate(`${zone} GMT`) !== null)
    return 'Convert it to GMT, and write GMT at its end.';
  if (/^[A-Za-z]{6,9}, \d\d-[A-Za-z]{3}-\d\d /.test(text)) return 'It is in the format of RFC 850.';
  if (/^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d /.test(text)) return 'It is in the format of asctime.';
  const [, day = '', month = ''] = /^([^\d,]{2,10}),? \d{1,2}\.? ([^\d ]{3,10}) /.exec(text) ?? [];
  if (day !== '' && !(shortDays.includes(day) && shortMonths.includes(month))) {
    return 'Write weekday and month in English, whatever the locale.';
  }
  return 'It is no such date.';
}
