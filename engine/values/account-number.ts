import { assert } from './assert.ts';
import { words } from './text.ts';

const weights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** Whether the text is a Norwegian account number in form: 11 digits, no blanks or dots (rules.md P5). */
export function isBban(text: string): boolean {
  return /^\d{11}$/.test(text);
}

/**
 * Whether the last of the 11 digits is the mod-11 check digit of the others. Judged only under the quirk `bban-mod11`
 * (rules.md P5). Eleven zeros fit the sum and are no account.
 */
export function isBbanMod11(text: string): boolean {
  if (!isBban(text) || text === '00000000000') return false;
  const sum = weights.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return (11 - (sum % 11)) % 11 === Number(text[10]);
}

/** The two numbers of one account; null where it has none. */
export interface AccountNumbers {
  readonly bban: string | null;
  readonly iban: string | null;
}

/**
 * Both numbers of an account of which at least one is given (rules.md P5): a Norwegian IBAN ends in the BBAN, and a
 * BBAN has one IBAN. Blanks in the IBAN are taken out. Throws for an IBAN that parseIban refuses.
 */
export function accountNumbers(given: {
  readonly bban?: string | undefined;
  readonly iban?: string | undefined;
}): AccountNumbers {
  const parsed = given.iban === undefined ? null : parseIban(given.iban);
  assert(typeof parsed !== 'string', `${given.iban} was checked with the body`);
  const bban = given.bban ?? (parsed?.country === 'NO' ? parsed.bban : null);
  const iban = parsed?.iban ?? (bban !== null && isBban(bban) ? norwegianIban(bban) : null);
  return { bban, iban };
}

/** An account number that names its country (ISO 13616-1:2007), without blanks. */
export interface Iban {
  readonly iban: string;
  readonly country: string;
  /** The national account number inside it; in Norway the 11 digits of the account. */
  readonly bban: string;
}

// ISO 20022 IBAN2007Identifier: letters after the check digits may be of either case.
const structure = /^([A-Z]{2})(\d{2})([A-Za-z0-9]+)$/;
const shortest = 15;
const longest = 34;
// From the IBAN registry, the countries of the SEPA scheme. Elsewhere only the shortest and the longest length hold.
const lengths: ReadonlyMap<string, number> = new Map(
  words([
    'AD24 AL28 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IS26 IT27',
    'LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MT31 NL18 NO15 PL28 PT25 RO24 RS22 SE24 SI19 SK24 SM27 VA22',
  ]).map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** The IBAN, blanks between its characters left out, or what is wrong with it (rules.md P5). */
export function parseIban(text: string): Iban | string {
  if (text !== text.trim()) return 'it starts or ends with a blank; take it away';
  const iban = text.replaceAll(' ', '');
  const [, country = '', checkDigits = '', bban = ''] = structure.exec(iban) ?? [];
  if (country === '') return 'an IBAN is a country code in capitals, two check digits, then letters and digits';
  const wanted = lengths.get(country);
  if (wanted !== undefined && iban.length !== wanted) {
    return `it has ${iban.length} characters without blanks; an IBAN of ${country} has ${wanted}`;
  }
  if (iban.length < shortest || iban.length > longest) {
    return `it has ${iban.length} characters without blanks; an IBAN has ${shortest} to ${longest}`;
  }
  if (country === 'NO' && !/^\d{11}$/.test(bban)) return 'a Norwegian IBAN has 11 digits after its check digits';
  if (remainderBy97(iban) !== 1n || !inCheckDigitRange(checkDigits)) {
    return 'its check digits do not fit the rest (mod-97); one character or more is wrong';
  }
  return { iban, country, bban };
}

/** ISO 7064: the first four characters go last, letters count from A = 10, the whole is one number. */
function remainderBy97(iban: string): bigint {
  const digits = Array.from(iban.slice(4) + iban.slice(0, 4), (character) => Number.parseInt(character, 36));
  return BigInt(digits.join('')) % 97n;
}

/** 00, 01 and 99 leave the same remainder as 97, 98 and 02, and are never given out. */
function inCheckDigitRange(digits: string): boolean {
  return digits >= '02' && digits <= '98';
}

/** `NO` and the check digits 00 as ISO 7064 counts them: N is 23, O is 24. */
const countryAndNoCheckDigits = '232400';

/** The IBAN of a Norwegian account number of 11 digits (ISO 13616-1:2007, ISO 7064 mod-97). Throws for anything else. */
export function norwegianIban(bban: string): string {
  assert(isBban(bban), `a Norwegian account number: ${bban}`);
  const checkDigits = 98n - (BigInt(bban + countryAndNoCheckDigits) % 97n);
  return `NO${checkDigits.toString().padStart(2, '0')}${bban}`;
}
