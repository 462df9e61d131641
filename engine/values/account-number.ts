import { assert } from './assert.ts';
import { words } from './text.ts';

const weights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** True for 11 digits without blanks or dots, the form of a Norwegian account number (rules.md P5). */
export function isBban(text: string): boolean {
  return /^\d{11}$/.test(text);
}

/**
 * True when the last of the 11 digits is the mod-11 check digit of the others. Checked only under the quirk
 * `bban-mod11` (rules.md P5). Eleven zeros have a valid check digit but are not an account number.
 */
export function isBbanMod11(text: string): boolean {
  if (!isBban(text) || text === '00000000000') return false;
  const sum = weights.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return (11 - (sum % 11)) % 11 === Number(text[10]);
}

/** BBAN and IBAN of one account; null for a missing one. */
export interface AccountNumbers {
  readonly bban: string | null;
  readonly iban: string | null;
}

/**
 * BBAN and IBAN of an account from at least one of them (rules.md P5): a Norwegian IBAN ends in the BBAN, and a BBAN
 * has exactly one IBAN. Removes blanks from the IBAN, and writes it in capitals. Throws for an IBAN that parseIban
 * refuses.
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

/** International account number (ISO 13616-1:2007), without blanks and in capitals. */
interface Iban {
  readonly iban: string;
  readonly country: string;
  /** The national account number; in Norway 11 digits. */
  readonly bban: string;
}

const structure = /^([A-Z]{2})(\d{2})([A-Z0-9]+)$/i;
const minLength = 15;
const maxLength = 34;
/** Longest IBAN as it is sent, in characters: with a blank after each four (rules.md P5d). */
export const maxIbanSent = 42;
// SEPA countries, from the IBAN registry. Other countries are only checked for the shortest and the longest length.
const ibanLengths: ReadonlyMap<string, number> = new Map(
  words([
    'AD24 AL28 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IS26 IT27',
    'LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MT31 NL18 NO15 PL28 PT25 RO24 RS22 SE24 SI19 SK24 SM27 VA22',
  ]).map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/**
 * Parses an IBAN, removes the blanks inside it and writes it in capitals. Returns a string with the problem when it is
 * invalid (rules.md P5, P5d).
 */
export function parseIban(text: string): Iban | string {
  if (text !== text.trim()) return 'it starts or ends with a blank; take it away';
  if (text.length > maxIbanSent)
    return `it has ${text.length} characters; an IBAN has at most ${maxIbanSent} with its blanks`;
  const written = text.replaceAll(' ', '');
  if (!structure.test(written)) return 'an IBAN is a country code, two check digits, then letters and digits';
  const iban = written.toUpperCase();
  const [, country = '', checkDigits = '', bban = ''] = structure.exec(iban) ?? [];
  const wanted = ibanLengths.get(country);
  if (wanted !== undefined && iban.length !== wanted) {
    return `it has ${iban.length} characters without blanks; an IBAN of ${country} has ${wanted}`;
  }
  if (iban.length < minLength || iban.length > maxLength) {
    return `it has ${iban.length} characters without blanks; an IBAN has ${minLength} to ${maxLength}`;
  }
  if (country === 'NO' && !/^\d{11}$/.test(bban)) return 'a Norwegian IBAN has 11 digits after its check digits';
  if (remainderBy97(iban) !== 1n || !inCheckDigitRange(checkDigits)) {
    return 'its check digits do not fit the rest (mod-97); one character or more is wrong';
  }
  return { iban, country, bban };
}

/**
 * ISO 7064: moves the first four characters to the end, reads letters as numbers from A = 10, and divides the result.
 */
function remainderBy97(iban: string): bigint {
  const digits = Array.from(iban.slice(4) + iban.slice(0, 4), (character) => Number.parseInt(character, 36));
  return BigInt(digits.join('')) % 97n;
}

/** Check digits 00, 01 and 99 give the same remainder as 97, 98 and 02; no bank issues them. */
function inCheckDigitRange(digits: string): boolean {
  return digits >= '02' && digits <= '98';
}

/** `NO00` in the digits of ISO 7064: N is 23, O is 24. */
const countryAndNoCheckDigits = '232400';

/** IBAN of a Norwegian account number of 11 digits (ISO 13616-1:2007, ISO 7064 mod-97). Throws for any other text. */
export function norwegianIban(bban: string): string {
  assert(isBban(bban), `a Norwegian account number: ${bban}`);
  const checkDigits = 98n - (BigInt(bban + countryAndNoCheckDigits) % 97n);
  return `NO${checkDigits.toString().padStart(2, '0')}${bban}`;
}

// ISO 9362:2022: party (4), country (2), location (2), optional branch (3).
const bicStructure = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** True for the form of a business identifier code: 8 or 11 capitals and digits. */
export function isBic(text: string): boolean {
  return bicStructure.test(text);
}

/** Country code of a BIC. */
export function bicCountry(bic: string): string {
  return bic.slice(4, 6);
}
