import { unescaped } from '../../engine/values/text.ts';

/* What the name of a member says of its value, and the forms of values: stand-ins keep them, so a recording without personal data has them. */

/** Members whose values are words of the interface, codes or settings. */
export const words =
  /^(?:transactionStatus|scaStatus|category|balanceType|currency|(?:source|target|unit)Currency|cashAccountType|frequency|executionRule|purposeCode|(?:proprietaryB|b)ankTransactionCode|referenceType|referenceIssuer|country|status|type|customerType|roles|bookingStatus)$/;
export const ids = /(?:^id|Id|Ids)$/;
export const sums = /^amount$|Amount$|Limit$|Line$/;
/** How many decimals an amount has. */
export function decimals(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

export function isDecimal(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

/** Whether two spellings are one number: `-45` and `-45.00`; or one text. */
export function isSameValue(one: unknown, other: unknown): boolean {
  const [first, second] = [String(one), String(other)];
  return first === second || (isDecimal(first) && isDecimal(second) && Number(first) === Number(second));
}

/** Length and alphabet of an id. Letters, digits, `-` and `_` are one alphabet: a short id may have no `-`. */
export function idForm(text: string): string {
  const decoded = unescaped(text);
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(decoded)) return 'uuid';
  const others = [...new Set(decoded.replaceAll(/[\w-]/g, ''))].sort().join('');
  const beginning = /^[a-z]+!!/.exec(decoded)?.[0] ?? '';
  const alphabet = /^\d*$/.test(decoded) ? 'digits' : `letters${others}`;
  return [beginning, decoded.length, alphabet, decoded.endsWith('=') ? 'padded' : ''].join(' ');
}

/** Says the form of an id of the sandbox: `an id of 49 characters that begins with enc!! and ends with =`. */
export function idWords(id: string): string {
  return `an id of ${id.length} characters that begins with enc!! and ${id.endsWith('=') ? 'ends' : 'does not end'} with =`;
}

/** The form of any value, by the name of its member: what does not change from one value to the next. */
export function formOf(value: unknown, name: string): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'string') return value === null ? 'nothing' : `a ${typeof value}`;
  if (ids.test(name)) return idForm(value);
  if (isDecimal(value)) return sums.test(name) ? `${decimals(value)} decimals` : 'a number as a text';
  if (/^\d[\d.:TZ+/-]{5,}$/.test(value)) return value.replaceAll(/\d/g, '9');
  return value.trim() === '' ? 'an empty text' : 'a text';
}
