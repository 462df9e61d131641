import { assert } from './assert.ts';
import { isBban } from './bban.ts';

/** `NO` and the check digits 00 as ISO 7064 counts them: N is 23, O is 24. */
const countryAndNoCheckDigits = '232400';

/** The IBAN of a Norwegian account number of 11 digits (ISO 13616-1:2007, ISO 7064 mod-97). Throws for anything else. */
export function norwegianIban(bban: string): string {
  assert(isBban(bban), `a Norwegian account number: ${bban}`);
  const checkDigits = 98n - (BigInt(bban + countryAndNoCheckDigits) % 97n);
  return `NO${checkDigits.toString().padStart(2, '0')}${bban}`;
}
