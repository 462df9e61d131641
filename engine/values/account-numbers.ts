import { assert } from './assert.ts';
import { isBban } from './bban.ts';
import { parseIban } from './iban.ts';
import { norwegianIban } from './norwegian-iban.ts';

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
