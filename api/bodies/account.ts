import { isBban, isBbanMod11 } from '../../engine/core/bban.ts';
import { parseIban } from '../../engine/core/iban.ts';
import type { Members, RuleFault } from './rule.ts';
import { shown } from '../middleware/body/shown.ts';

const longestBban = 30;

/** rules.md P5: at least one of bban and iban. */
export function accountNamed({ bban, iban }: Members): readonly RuleFault[] {
  if (bban !== undefined || iban !== undefined) return [];
  return [{ member: '', text: 'The account has neither bban nor iban. Send one of them.' }];
}

/** A Norwegian iban ends in the bban: together they must name one account. */
export function sameAccount({ bban, iban }: Members): readonly RuleFault[] {
  const inIban = norwegianBbanIn(iban);
  if (inIban === null || typeof bban !== 'string' || !isBban(bban) || bban === inIban) return [];
  return [{ member: 'iban', text: `iban names account ${inIban}, bban names ${bban}. Send one, or two that agree.` }];
}

/** rules.md P5: a Norwegian bban has 11 digits. */
export function norwegianBban({ bban }: Members): readonly RuleFault[] {
  if (typeof bban !== 'string' || bban.length > longestBban || isBban(bban)) return [];
  const text = `${shown(bban)} is no Norwegian account number: expected 11 digits without blanks or dots, for example "86011117947".`;
  return [{ member: 'bban', text }];
}

/** rules.md P5: the check digit is judged only under the quirk `bban-mod11`. */
export function bbanMod11({ bban, iban }: Members, quirks: ReadonlySet<string>): readonly RuleFault[] {
  if (!quirks.has('bban-mod11')) return [];
  const numbers = [
    { member: 'bban', number: typeof bban === 'string' ? bban : null },
    { member: 'iban', number: norwegianBbanIn(iban) },
  ];
  return numbers.flatMap(({ member, number }) => {
    if (number === null || !isBban(number) || isBbanMod11(number)) return [];
    const text = `The check digit of account ${number} is wrong (mod-11). Correct the number, or switch the quirk bban-mod11 off.`;
    return [{ member, text }];
  });
}

function norwegianBbanIn(value: unknown): string | null {
  const iban = typeof value === 'string' ? parseIban(value) : '';
  return typeof iban !== 'string' && iban.country === 'NO' ? iban.bban : null;
}
