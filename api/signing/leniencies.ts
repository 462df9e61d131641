import { type Departure, departures, issuerSpelling } from './name/issuer.ts';
import { type TppCertificate, isPemAsBase64, createCertificateReader } from './certificate/tpp-certificate.ts';
import { coveredWhenSent } from './signature/signed-text.ts';
import { readKeyId, parseSignatureHeader, type SignatureHeader } from './signature/signature-header.ts';
import {
  receivedHeaders,
  type SignedRequest,
  type ReceivedHeaders,
  singleHeader,
  signingString,
} from './signature/signing-string.ts';
import { type FaultCode, Refusal } from '../../engine/values/fault.ts';
import { signingRefusal } from './signing-refusal.ts';

/** The headers of a verified request, as the client spelled them. */
interface Spelling {
  readonly certificate: string;
  /** Empty when it was not sent. */
  readonly digest: string;
  /** The Signature header as received, latin1. */
  readonly raw: string;
  readonly parsed: SignatureHeader;
  /** `SN=` and the serial, as written. */
  readonly serial: string;
  /** The text before the issuer: `SN=...,CA=`. */
  readonly opening: string;
  readonly issuer: ReadonlySet<Departure>;
}

/** A spelling that the bank accepts, and the interface does not promise (rules.md G3b). */
interface Leniency {
  readonly name: string;
  /** What was sent and what the interface promises, after "accepted, but". */
  readonly note: string;
  /** The header at fault, in lower case. */
  readonly header: 'tpp-signature-certificate' | 'digest' | 'signature';
  readonly isUsed: (spelling: Spelling) => boolean;
}

const parts = ['keyId', 'algorithm', 'headers', 'signature'];
const promisedNames: readonly string[] = ['(request-target)', ...coveredWhenSent];
const words = /=\?[^?\s]+\?[bq]\?[^?\s]*\?=/gi;

/** All leniencies: the one list of them. docs/signing.md has the same rows. */
export const leniencies: readonly Leniency[] = [
  of('tpp-signature-certificate', {
    'pem-as-base64': [
      'the certificate is the base64 of a PEM text; send the base64 of its DER',
      ({ certificate }) => isPemAsBase64(certificate),
    ],
  }),
  of('digest', {
    'digest-name-case': [
      'the algorithm of the Digest is in small letters; write SHA-256= or SHA-512=',
      ({ digest }) => digest.split(',').some((one) => /^(?!SHA-)[Ss][Hh][Aa]-/.test(one.trim())),
    ],
    'digest-list': [
      'the Digest has several values; send one, SHA-256= or SHA-512=',
      ({ digest }) => digest.includes(','),
    ],
  }),
  of('signature', {
    'raw-letters': ['letters outside ASCII are sent raw; wrap the whole value: =?utf-8?B?...?=', hasRawLetters],
    'partial-wrap': [
      'only a part of the Signature is wrapped as RFC 2047; wrap the whole value',
      ({ raw }) => raw.startsWith('=?') && raw.replace(words, '').trim() !== '',
    ],
    'several-words': [
      'the Signature is wrapped in several encoded words; write one',
      ({ raw }) => raw.startsWith('=?') && (raw.match(words)?.length ?? 0) > 1,
    ],
    'wrapped-as-ascii': [
      'the encoded word names the charset us-ascii; write utf-8 or iso-8859-1',
      ({ raw }) => /^=\?us-ascii\?/i.test(raw),
    ],
    'part-order': [
      'the parts of the Signature are in another order; write keyId, algorithm, headers, signature',
      ({ parsed }) => parsed.written.names.some((name, at) => name.toLowerCase() !== parts[at]?.toLowerCase()),
    ],
    'part-name-case': [
      'the name of a part of the Signature is in another case; write keyId, algorithm, headers, signature',
      ({ parsed }) => parsed.written.names.some((name) => !parts.includes(name)),
    ],
    'part-blanks': [
      'there are blanks between the parts of the Signature; write a comma alone',
      ({ parsed }) => parsed.written.text.length !== lengthWithoutBlanks(parsed),
    ],
    'algorithm-case': [
      'the algorithm is in another case; write rsa-sha256',
      ({ parsed }) => parsed.written.algorithm !== 'rsa-sha256',
    ],
    'header-name-case': [
      'headers="..." has capitals; write the names in small letters',
      ({ parsed }) => parsed.written.headers !== parsed.written.headers.toLowerCase(),
    ],
    'header-blanks': [
      'headers="..." has other white space than one blank between two names',
      ({ parsed }) => parsed.written.headers.toLowerCase() !== parsed.headers.join(' '),
    ],
    'other-headers': [
      `the signature covers other headers than the interface lists: ${promisedNames.join(', ')}`,
      ({ parsed }) => parsed.headers.some((name) => !promisedNames.includes(name)),
    ],
    'key-id-case': [
      'SN= or CA= of the keyId is in small letters; write SN=...,CA=...',
      ({ opening }) => !/^\s*SN/.test(opening) || !/CA\s*=$/.test(opening),
    ],
    'key-id-blanks': ['there are blanks around SN=, its value or CA=; write none', ({ opening }) => /\s/.test(opening)],
    'serial-case': [
      'the serial in SN= has small letters; write upper-case hexadecimal',
      ({ serial }) => /[a-f]/.test(serial),
    ],
    'serial-zeros': [
      'the serial in SN= has zeros before it; leave them out',
      ({ serial }) => /^\s*0./.test(serial.trimEnd()),
    ],
  }),
  of(
    'signature',
    Object.fromEntries(Object.entries(departures).map(([name, note]) => [name, [note, departs(name as Departure)]])),
  ),
].flat();

type Rows = Readonly<Record<string, readonly [note: string, isUsed: Leniency['isUsed']]>>;

function of(header: Leniency['header'], rows: Rows): Leniency[] {
  return Object.entries(rows).map(([name, [note, isUsed]]) => ({ name, note, header, isUsed }));
}

/** Letters that are sent raw are read twice too, and are told as such. */
function departs(name: Departure): Leniency['isUsed'] {
  return (spelling) => spelling.issuer.has(name) && (name !== 'issuer-twice' || !hasRawLetters(spelling));
}

/** The leniencies that an accepted request needs. If there are none, it is written as the interface promises. */
export function leniencyOf(
  { rawHeaders }: Pick<SignedRequest, 'rawHeaders'>,
  { issuer: actual }: Pick<TppCertificate, 'issuer'>,
): readonly Leniency[] {
  const headers = receivedHeaders(rawHeaders);
  const one = (name: string): string => headers.get(name)?.[0] ?? '';
  const raw = one('signature');
  const parsed = parseSignatureHeader(raw);
  const written = readKeyId(parsed.keyId);
  if (written === null) return [];
  const spelling: Spelling = {
    certificate: one('tpp-signature-certificate'),
    digest: one('digest'),
    raw,
    parsed,
    serial: written.serial,
    opening: parsed.keyId.slice(0, parsed.keyId.length - written.issuer.length),
    issuer: issuerSpelling(written.issuer, actual),
  };
  return leniencies.filter(({ isUsed }) => isUsed(spelling));
}

const codes: Readonly<Record<Leniency['header'], FaultCode>> = {
  'tpp-signature-certificate': 'CERTIFICATE_INVALID',
  digest: 'FORMAT_ERROR',
  signature: 'SIGNATURE_INVALID',
};

/** Refusal of a request under the quirk strict-signing (rules.md G3b). */
export function strictRefusal({ name, note, header }: Leniency): Refusal {
  const text = `Refused under the quirk strict-signing (${name}): ${note}.`;
  return signingRefusal(codes[header], header, text);
}

function hasRawLetters({ raw }: Spelling): boolean {
  return /[^\x20-\x7e\t]/.test(raw);
}

/** Length of the four parts with their names, quotes and commas. */
function lengthWithoutBlanks({ keyId, signature, written }: SignatureHeader): number {
  const values = keyId.length + written.algorithm.length + written.headers.length + signature.length;
  return values + parts.join('').length + parts.length * '=""'.length + parts.length - 1;
}

/** What the signing headers of a request say, whether they are accepted or not. */
export interface ReadSigning {
  /** Id of the TPP that the certificate names (rules.md G8), if it can be read. */
  readonly tpp: string | null;
  /** Its name in the certificate: the organisation, else the common name. */
  readonly tppName: string | null;
  /**
   * What the bank verifies the signature against, latin1. Null if the Signature header names no headers, or headers
   * that were not sent.
   */
  expected(): string | null;
  /** Of an accepted request. */
  leniencies(): readonly Leniency[];
}

/**
 * Reads signing headers. The reader returned caches up to 1000 certificates: use one for all banks, or one for a number
 * of requests, and drop it.
 */
export function signingReader(): (request: Pick<SignedRequest, 'method' | 'target' | 'rawHeaders'>) => ReadSigning {
  const readCertificate = createCertificateReader();
  return (request) => {
    const headers = receivedHeaders(request.rawHeaders);
    const certificate = readable(() => readCertificate(theOne(headers, 'tpp-signature-certificate')));
    return {
      tpp: certificate?.tpp.id ?? null,
      tppName: certificate?.tpp.name ?? null,
      expected: () =>
        readable(() => signingString(request, headers, parseSignatureHeader(theOne(headers, 'signature')).headers)),
      leniencies: () => (certificate === null ? [] : leniencyOf(request, certificate)),
    };
  };
}

function theOne(headers: ReceivedHeaders, name: string): string {
  return singleHeader(headers, name, 'SIGNATURE_INVALID') ?? '';
}

/** Null where the signature check refuses. */
function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
