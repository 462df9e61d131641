import { assert } from './assert.ts';
import { norwegianIban, parseIban } from './iban.ts';

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
