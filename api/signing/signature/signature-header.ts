import type { Refusal } from '../../../engine/values/fault.ts';
import { attributeOid } from '../name/attribute-type.ts';
import { decodeEncodedWords } from '../name/encoded-word.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { cureOfAlgorithm, faultOfNames, laterParts, otherForm } from './other-forms.ts';
import { signingRefusal } from '../signing-refusal.ts';

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
/** In characters: many times the length of a wrapped signature; Node reads 16,384 of all headers together. */
const longest = 12_288;
const partNames = ['keyId', 'algorithm', 'headers', 'signature'] as const;

/**
 * Parses a Signature header, plain or wrapped as RFC 2047 encoded words. Blanks around commas and mixed-case names and
 * algorithms are accepted; a part that is missing, repeated, unquoted or unknown is a SIGNATURE_INVALID refusal.
 * Backslashes in the keyId remain: `O=Test\, AS` is the issuer's own escape, not the header's.
 */
export function parseSignatureHeader(value: string): SignatureHeader {
  if (value.length > longest) throw invalid(`It is ${value.length} characters long, at most ${longest} are read.`);
  const text = value.startsWith('=?') ? decodeEncodedWords(value) : value;
  const other = otherForm(text, text === value && value.startsWith('=?')) ?? laterParts(text);
  if (other !== null) throw invalid(other);
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
 * End of the keyId, or -1. Issuer names may contain bare quotes (`O="Test, AS", C=NO`): a quote ends the keyId only before
 * the end of the header or before another part. No part has the name of an attribute type.
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
