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
  const problems = readingsOf(written).map(({ text }) => mismatch(text, actual));
  return problems.includes(null) ? null : (problems[0] ?? null);
}

/** How the text of an issuer is read: as it is, with `%20` for blanks, or with the escapes doubled in the quoted string. */
type IssuerReading = 'plain' | 'percent' | 'doubled';

/** The first reading of an issuer that agrees with the certificate's; null when none does. */
export function agreedReading(
  written: string,
  actual: readonly NameAttribute[],
): { readonly reading: IssuerReading; readonly attributes: readonly WrittenAttribute[] } | null {
  const agreed = readingsOf(written).find(({ text }) => mismatch(text, actual) === null);
  const name = agreed === undefined ? null : parseDistinguishedName(agreed.text.trimStart());
  return agreed !== undefined && name?.ok === true ? { reading: agreed.reading, attributes: name.attributes } : null;
}

function readingsOf(written: string): readonly { readonly reading: IssuerReading; readonly text: string }[] {
  const others = [
    { reading: 'percent', text: written.replaceAll('%20', ' ') },
    { reading: 'doubled', text: written.replace(/\\(.)/gs, '$1') },
  ] as const;
  return [{ reading: 'plain', text: written }, ...others.filter(({ text }) => text !== written)];
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

/** An attribute as text: equal keys mean the same (rules.md G3). */
export function keyOf(oid: string, value: string): string {
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

/** The letters, digits and blanks of a name that every encoding writes alike. */
function plainLetters(text: string): string {
  return text.replace(/[^A-Za-z0-9 ]/g, '');
}

/** Folds case, compatibility forms and runs of blanks (RFC 5280 section 7.1). */
function fold(value: string): string {
  return value.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}
