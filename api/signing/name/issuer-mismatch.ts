import { attributeName } from './attribute-type.ts';
import { parseDistinguishedName } from './distinguished-name.ts';
import type { WrittenAttribute } from './distinguished-name.ts';
import { nameValue } from './name-attribute.ts';
import type { NameAttribute } from './name-attribute.ts';
import { oneLine } from '../../../engine/values/text.ts';

/**
 * Compares the issuer in a keyId with the certificate's, attribute by attribute (rules.md G3). Order, case, runs of blanks
 * and spelling are ignored. Attributes may be missing, but at least one is there and none differs. Null when they agree,
 * else a text that names the attribute.
 */
export function issuerMismatch(written: string, actual: readonly NameAttribute[]): string | null {
  // Blanks may be written %20, and backslash escapes may be doubled inside the quoted string.
  const readings = new Set([written, written.replaceAll('%20', ' '), written.replace(/\\(.)/gs, '$1')]);
  const problems = [...readings].map((reading) => mismatch(reading, actual));
  return problems.includes(null) ? null : (problems[0] ?? null);
}

function mismatch(reading: string, actual: readonly NameAttribute[]): string | null {
  const name = parseDistinguishedName(reading.trimStart());
  if (!name.ok) return name.problem;
  // Count of each certificate attribute that is not matched yet.
  const left = new Map<string, number>();
  for (const { oid, value } of actual) left.set(keyOf(oid, value), (left.get(keyOf(oid, value)) ?? 0) + 1);
  for (const attribute of name.attributes) {
    const keys = attribute.readings.map((reading) => keyOf(attribute.oid, reading));
    const key = keys.find((one) => (left.get(one) ?? 0) > 0);
    if (key === undefined) return contradiction(attribute, actual);
    left.set(key, (left.get(key) ?? 0) - 1);
  }
  return null;
}

function keyOf(oid: string, value: string): string {
  return `${oid}=${fold(value)}`;
}

function contradiction({ oid, readings }: WrittenAttribute, actual: readonly NameAttribute[]): string {
  const type = attributeName(oid);
  const held = nameValue(actual, oid);
  const sent = `${type} is "${oneLine(readings[0] ?? '', 60)}" in the keyId`;
  if (held === null) return `${sent}; the certificate's issuer has none`;
  const isGarbled = plainLetters(readings[0] ?? '') === plainLetters(held);
  const cure = isGarbled ? '; its letters outside ASCII were lost, wrap the Signature: =?utf-8?B?...?=' : '';
  return `${sent} and "${oneLine(held, 60)}" in the certificate${cure}`;
}

/** A name without all that encodings differ in. */
function plainLetters(text: string): string {
  return text.replace(/[^A-Za-z0-9 ]/g, '');
}

/** Folds case, compatibility forms and runs of blanks (RFC 5280 section 7.1). */
function fold(value: string): string {
  return value.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}
