import type { Refusal } from '../../../engine/values/fault.ts';
import { attributeOid } from '../name/name-attribute.ts';
import { decodeEncodedWords, unreadableWord } from '../name/encoded-text.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { signingRefusal, invalidSignature } from '../signing-refusal.ts';
import { decodeStrictBase64 } from './signed-text.ts';
import { issuerMismatch } from '../name/issuer.ts';
import { normaliseSerial } from '../certificate/serial.ts';
import type { TppCertificate } from '../certificate/tpp-certificate.ts';

/** The four parts of a Signature header (interface: TPP authentication and signing, item 5). */
export interface SignatureHeader {
  readonly keyId: string;
  readonly algorithm: 'rsa-sha256';
  /** Lower-case names, in the order signed. */
  readonly headers: readonly string[];
  /** Base64, not yet checked. */
  readonly signature: string;
  /** The four parts as the client wrote them. */
  readonly written: WrittenParts;
}

/** Spelling of a Signature header, for the leniencies (rules.md G3b) and the doctor. */
interface WrittenParts {
  /** The value after RFC 2047 decoding. */
  readonly text: string;
  /** Names in their order and case. */
  readonly names: readonly string[];
  readonly algorithm: string;
  readonly headers: string;
  /** The names in `headers`. */
  readonly headerNames: readonly string[];
}

const sample = 'keyId="SN=...,CA=...",algorithm="rsa-sha256",headers="date digest x-request-id",signature="..."';
/** Maximum length in characters: many times a wrapped signature. Node reads 16,384 of all headers together. */
const maxSignatureChars = 12_288;
const partNames = ['keyId', 'algorithm', 'headers', 'signature'] as const;

/**
 * Parses a Signature header, plain or wrapped as RFC 2047 encoded words. Blanks around commas and mixed-case names and
 * algorithms are accepted; a part that is missing, repeated, unquoted or unknown is a SIGNATURE_INVALID refusal.
 * Backslashes in the keyId remain: `O=Test\, AS` is the issuer's own escape, not the header's.
 */
export function parseSignatureHeader(value: string): SignatureHeader {
  if (value.length > maxSignatureChars)
    throw invalid(`It is ${value.length} characters long, at most ${maxSignatureChars} are read.`);
  const text = value.startsWith('=?') ? decodeEncodedWords(value) : value;
  const other = otherForm(text, text === value && value.startsWith('=?'));
  if (other !== null) throw invalid(other);
  try {
    return headerIn(text);
  } catch (refusal) {
    const later = laterParts(text);
    throw later === null ? refusal : invalid(later);
  }
}

/** Reads the parts of this draft. If it refuses them, parts of a later draft are the first fault. */
function headerIn(text: string): SignatureHeader {
  const parts = readParts(text);
  const part = (name: (typeof partNames)[number]): string => {
    const found = parts.get(name.toLowerCase())?.value ?? '';
    if (found === '') throw invalid(`The part ${name} is missing or empty.`);
    return found;
  };
  const algorithm = (part('keyId'), part('algorithm'));
  if (algorithm.toLowerCase() !== 'rsa-sha256') {
    throw invalid(
      `The algorithm is "${oneLine(algorithm)}"; only rsa-sha256 is supported. ${cureOfAlgorithm(algorithm)}`,
    );
  }
  const headerNames = part('headers')
    .split(/\s+/)
    .filter((name) => name !== '');
  if (headerNames.length === 0) throw invalid('The part headers names no header.');
  const written = {
    text,
    names: [...parts.values()].map(({ name }) => name),
    algorithm,
    headers: part('headers'),
    headerNames,
  };
  const fault = faultOfNames(headerNames);
  if (fault !== null) throw invalid(fault);
  const headers = headerNames.map((name) => name.toLowerCase());
  return { keyId: part('keyId'), algorithm: 'rsa-sha256', headers, signature: part('signature'), written };
}

/** A part with its name as written. */
interface Part {
  readonly name: string;
  readonly value: string;
}

/** The parts by lower-case name, in their order. */
function readParts(text: string): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  for (let at = 0; at < text.length || parts.size === 0;) {
    const opening = matchAt(/\s*([A-Za-z]+)="/y, text, at);
    if (opening === null) throw invalid(`Expected a part name="value" ${where(text, at)}.`);
    const name = opening[1] ?? '';
    const start = at + opening[0].length;
    const end = name.toLowerCase() === 'keyid' ? endOfKeyId(text, start) : text.indexOf('"', start);
    if (end < 0) throw invalid(`The value of ${name} has no closing quote.`);
    addPart(parts, name, text.slice(start, end));
    const separator = matchAt(/\s*(?:$|,(?!\s*$))/y, text, end + 1);
    if (separator === null) throw invalid(`Expected a comma and a further part, or the end, ${where(text, end + 1)}.`);
    at = end + 1 + separator[0].length;
  }
  return parts;
}

function addPart(parts: Map<string, Part>, name: string, value: string): void {
  const key = name.toLowerCase();
  if (!partNames.some((known) => known.toLowerCase() === key))
    throw invalid(`The part ${oneLine(name, 40)} is unknown. Leave it out.`);
  if (parts.has(key)) throw invalid(`The part ${name} is given twice.`);
  parts.set(key, { name, value });
}

/**
 * End of the keyId, or -1. Issuer names may contain bare quotes (`O="Test, AS", C=NO`): a quote ends the keyId only
 * before the end of the header or before another part. No part has the name of an attribute type.
 */
function endOfKeyId(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') {
      const after = matchAt(/\s*(?:$|,\s*(?:$|([A-Za-z]+)="))/y, text, at + 1);
      if (after !== null && (after[1] === undefined || attributeOid(after[1]) === null)) return at;
    }
  }
  return -1;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function where(text: string, at: number): string {
  return `at character ${at + 1}, before "${oneLine(text.slice(at), 40)}"`;
}

function invalid(problem: string): Refusal {
  return signingRefusal(
    'SIGNATURE_INVALID',
    'signature',
    `The Signature header cannot be read. ${problem} Expected: ${sample}`,
  );
}

/**
 * Names the form of a Signature header that the bank does not read, and says what to send instead. Returns null if it
 * has the bank's own form, or an unknown one. `isWrapped`: it begins as an RFC 2047 encoded word, and could not be
 * decoded.
 */
export function otherForm(value: string, isWrapped: boolean): string | null {
  if (isWrapped) {
    const fault = unreadableWord(value);
    return fault === null ? null : `${fault} Write =?utf-8?B?...?= around the base64 of the whole value in UTF-8.`;
  }
  // The usual form; what follows decodes and reads the whole value.
  if (/^keyid="/i.test(value)) return null;
  if (/^signature\s/i.test(value)) {
    return 'It begins with the word "Signature", which belongs to the header Authorization. Leave that word out.';
  }
  if (/^[a-z*][\w.*-]{0,80}=:/.test(value)) {
    return 'It is a signature of RFC 9421. The bank wants the older draft (draft-cavage-http-signatures): sign Date, and send no Signature-Input.';
  }
  const decoded = decodeStrictBase64(value);
  if (decoded !== null) {
    return decoded.includes('keyId=')
      ? 'It is base64 without the wrap of an encoded word. Write =?utf-8?B? before it and ?= behind it.'
      : 'It is the signature value alone. Send the four parts keyId, algorithm, headers and signature.';
  }
  if (/^\s*keyid\s*='/i.test(value)) return 'Its values are in single quotes. Put them in double quotes.';
  if (/^\s*"?keyid"?\s*:/i.test(value) || value.startsWith('{')) {
    return 'It is written as JSON. Write each part as name="value", with commas between them.';
  }
  return /^\s*keyid\s*=[^"]/i.test(value) ? 'Its values have no quotes. Put each in double quotes.' : null;
}

const laterPart = /,\s*(created|expires|nonce|tag)\s*=|^\s*(created|expires|nonce|tag)\s*=/gi;

/**
 * Names the parts of a later draft in a Signature header, with quotes or without, and says what to do, or null if it
 * has none.
 */
function laterParts(text: string): string | null {
  const bare = text.replace(/"[^"]*"/g, '""');
  const names = [...new Set([...bare.matchAll(laterPart)].map(([, behind, first]) => behind ?? first ?? ''))];
  const [only, ...others] = names;
  if (only === undefined) return null;
  const [parts, them] = others.length === 0 ? ['part', 'it'] : ['parts', 'them'];
  return `It has the ${parts} ${names.join(' and ')} of a later draft, which the bank does not read: leave ${them} out, and sign Date.`;
}

/** What to do about an algorithm that is not rsa-sha256. */
function cureOfAlgorithm(name: string): string {
  const plain = name.toLowerCase();
  if (plain === 'hs2019') {
    return 'That name is of a later draft: write rsa-sha256, and sign with RSA PKCS#1 v1.5 and SHA-256.';
  }
  if (['sha256withrsa', 'sha256rsa', 'rs256', 'rsa-sha-256', 'rsa-v1_5-sha256', 'sha-256', 'sha256'].includes(plain)) {
    return 'Write it as rsa-sha256.';
  }
  return 'Sign with RSA PKCS#1 v1.5 and SHA-256.';
}

/** What is wrong with the names of headers="...", and what to do, or null. */
function faultOfNames(names: readonly string[]): string | null {
  if (names.some((name) => name.includes(','))) {
    return 'The names in headers="..." have commas between them. Put blanks there, not commas: headers="date digest".';
  }
  if (names.some((name) => name.includes(';'))) {
    return 'The names in headers="..." have semicolons in them. Put blanks between them: headers="date digest".';
  }
  const later = names.find((name) => /^\((?:created|expires)\)$/i.test(name));
  return later === undefined
    ? null
    : `headers="..." names ${later}, which is of a later draft and which the bank does not read. Sign date in its place.`;
}

export const inHexadecimal = 'It is in hexadecimal. Write its bytes in base64.';

/** Whether a signature value is written in hexadecimal, which is base64 of other bytes too. */
export function isHexadecimal(value: string): boolean {
  return value.length >= 256 && value.length % 2 === 0 && /^[0-9a-f]+$/i.test(value);
}

/** Says how a part `signature` is written that is not strict base64, and what to do. */
export function otherEncoding(value: string): string {
  if (isHexadecimal(value)) return inHexadecimal;
  if (/^:.*:$/.test(value)) return 'It has colons around it, as in RFC 9421. Leave them out.';
  if (/[%]/.test(value)) return 'It has percent escapes. Send the base64 itself, with + / and =.';
  if (/\s/.test(value)) return 'It has blanks or line breaks in it. Write the base64 in one line.';
  if (/^[\w-]+={0,2}$/.test(value) && /[-_]/.test(value)) {
    return 'It is base64url. Write + and / in place of - and _, and pad it with =.';
  }
  if (/^[A-Za-z0-9+/]+$/.test(value))
    return 'It lacks its padding. Put = behind it until the length is a multiple of four.';
  return 'Send the base64 of its bytes.';
}

/** The serial and the issuer of a keyId, as written. Null if the keyId lacks the form `SN=...,CA=...`. */
export function readKeyId(keyId: string): { readonly serial: string; readonly issuer: string } | null {
  const [, serial, issuer] = /^\s*SN\s*=([^,]*),\s*CA\s*=(.*)$/is.exec(keyId) ?? [];
  return serial === undefined || issuer === undefined ? null : { serial, issuer };
}

/**
 * Checks that the keyId (`SN=<hexadecimal serial>,CA=<issuer>`) names the sent certificate (rules.md G3). Compares the
 * serial as a number and the issuer attribute by attribute. Throws a SIGNATURE_INVALID refusal with both values if they
 * differ. `instead` says that the certificate belongs to another key than the signing key; null if it fits or if nobody
 * can tell.
 */
export function checkKeyId(
  keyId: string,
  certificate: Pick<TppCertificate, 'tpp' | 'issuer'>,
  instead: () => string | null = () => null,
): void {
  if (agreed.get(certificate) === keyId) return;
  const { tpp, issuer } = certificate;
  const written = readKeyId(keyId);
  if (written === null) {
    throw invalidSignature(
      `The keyId is "${oneLine(keyId, 120)}".${cureOfForm(keyId)} Expected SN=<hexadecimal serial>,CA=<issuer in RFC 2253 form>.`,
    );
  }
  const serial = written.serial.trim();
  if (normaliseSerial(serial) !== tpp.serial) {
    const spelling = cureOfSpelling(serial, tpp.serial);
    const wrong = spelling === null ? instead() : null;
    if (wrong !== null) {
      throw invalidSignature(
        `The certificate sent is the wrong one: its serial is ${oneLine(tpp.serial)}, the keyId names "${oneLine(serial)}". ${wrong}`,
      );
    }
    const cure = spelling ?? 'Write the serial of the certificate that is sent.';
    throw invalidSignature(
      `The serial in the keyId is "${oneLine(serial)}", the certificate's is ${oneLine(tpp.serial)}. ${cure}`,
    );
  }
  const mismatch = issuerMismatch(written.issuer, issuer);
  if (mismatch !== null) {
    const wrong = instead();
    const what =
      wrong === null
        ? 'The issuer in the keyId does not match the certificate'
        : 'The certificate sent is the wrong one';
    throw invalidSignature(`${what}: ${oneLine(mismatch, 240)}.${wrong === null ? '' : ` ${wrong}`}`);
  }
  agreed.set(certificate, keyId);
}

/** The last keyId that named a certificate. A TPP sends the same keyId each time, and parsing names is slow. */
const agreed = new WeakMap<object, string>();

function cureOfForm(keyId: string): string {
  if (/^\s*CA\s*=/i.test(keyId)) return ' The issuer stands before the serial: put SN= first.';
  if (/^\s*SN\s*=/i.test(keyId)) return ' The issuer is missing: add ,CA= and its name.';
  return '';
}

/** The advice on another spelling of this serial. Null if the serial is a different one. */
function cureOfSpelling(sent: string, serial: string): string | null {
  const isSerial = (text: string): boolean => normaliseSerial(text) === serial;
  if (isSerial(sent.replaceAll(':', ''))) return 'Write it without colons.';
  if (isSerial(sent.replace(/^0x/i, ''))) return 'Write it without 0x.';
  if (isSerial(sent.replace(/[\s-]/g, ''))) return 'Write it without blanks and hyphens.';
  if (isDecimalOf(sent, serial)) return 'What was sent is the serial in decimal; write it in hexadecimal.';
  if (isSerial((sent.match(/../g) ?? []).reverse().join(''))) {
    return "Its bytes are in reverse order, as .NET's GetSerialNumber gives them: use SerialNumber.";
  }
  return null;
}

function isDecimalOf(text: string, serial: string): boolean {
  return /^\d{1,60}$/.test(text) && BigInt(text) === BigInt(`0x${serial}`);
}
