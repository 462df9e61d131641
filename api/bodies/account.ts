import * as Type from 'typebox';
import { isBban, isBbanMod11, maxIbanSent, parseIban } from '../../engine/values/account-number.ts';
import { faultAt, formatValue, type Members, type RuleFault, type SwitchedOn } from './rule.ts';
import { closed, optional, type Static, titled } from './schema.ts';
import { currency } from './values.ts';

const maxBbanLength = 30;
const withNumber = 'an object with currency and bban or iban';

export const bban = Type.String({
  title: 'Bban',
  description: 'an account number of at most 30 characters',
  maxLength: maxBbanLength,
  examples: ['86011117947'],
});

/** BBAN of an account in Norway. */
export const norwegianNumber = Type.String({
  ...bban,
  title: 'NorwegianBban',
  description: 'an account number of 11 digits',
  documented: { pattern: '^\\d{11}$' },
});

/** rules.md P5d: blanks are taken away before it is checked, and letters become capitals. */
export const iban = Type.String({
  title: 'Iban',
  description: 'an IBAN of at most 34 characters, 42 with blanks',
  maxLength: maxIbanSent,
  format: 'iban',
  examples: ['NO9386011117947'],
});

/** bban of an account abroad. */
const foreignBban = Type.String({
  title: 'ForeignBban',
  description: 'an account number of at most 30 characters',
  maxLength: maxBbanLength,
  format: 'clearing-text',
  examples: ['0532013000'],
});

const numbers = { bban: optional(bban), iban: optional(iban) };

export const norwegianAccount = titled('NorwegianAccount', 'A Norwegian account, by bban, iban or both.', {
  expected: withNumber,
  rules: [accountNamed, sameAccount, norwegianBban, bbanMod11],
}).closed({
  ...numbers,
  bban: optional(norwegianNumber),
  currency,
});

export const ibanAccount = titled('IbanAccount', 'An account by its IBAN.', {
  rules: [sameAccount],
}).closed({ bban: optional(foreignBban), iban, currency });

export const foreignAccount = titled('ForeignAccount', 'An account in any country, by bban or iban.', {
  expected: withNumber,
  rules: [accountNamed, sameAccount],
}).closed({ ...numbers, bban: optional(foreignBban), currency });

/** Members of an account; the currency is optional. */
const accountMembers = { ...numbers, currency: optional(currency) };

/** An account of this bank, in sandbox data. */
export const ownAccount = closed(accountMembers, {
  expected: 'an object with iban or bban',
  rules: [accountNamed, sameAccount, norwegianBban],
});

/** The other side of a mock transaction. */
export const counterparty = titled('Counterparty', {
  expected: 'an object with bban or iban',
  rules: [accountNamed, sameAccount],
}).closed(accountMembers);

export type Counterparty = Static<typeof counterparty>;

/** rules.md P5: at least one of bban and iban. */
export function accountNamed({ bban, iban }: Members): readonly RuleFault[] {
  if (bban !== undefined || iban !== undefined) return [];
  return faultAt('', 'The account has neither bban nor iban. Send one of them.');
}

/** A Norwegian iban contains the bban: when both are sent they must name the same account. */
export function sameAccount({ bban, iban }: Members): readonly RuleFault[] {
  const inIban = norwegianBbanIn(iban);
  if (inIban === null || typeof bban !== 'string' || !isBban(bban) || bban === inIban) return [];
  return faultAt('iban', `iban names account ${inIban}, bban names ${bban}. Send one, or two that agree.`);
}

/** rules.md P5: a Norwegian bban has 11 digits. */
export function norwegianBban({ bban }: Members): readonly RuleFault[] {
  if (typeof bban !== 'string' || bban.length > maxBbanLength || isBban(bban)) return [];
  const text = `${formatValue(bban)} is no Norwegian account number: expected 11 digits without blanks or dots, for example "86011117947".`;
  return faultAt('bban', text);
}

/** rules.md P5: the check digit is checked only under the quirk `bban-mod11`. */
function bbanMod11({ bban, iban }: Members, quirks: SwitchedOn): readonly RuleFault[] {
  if (!quirks.has('bban-mod11')) return [];
  const numbers = [
    { member: 'bban', number: typeof bban === 'string' ? bban : null },
    { member: 'iban', number: norwegianBbanIn(iban) },
  ];
  return numbers.flatMap(({ member, number }) => {
    if (number === null || !isBban(number) || isBbanMod11(number)) return [];
    const text = `The check digit of account ${number} is wrong (mod-11). Correct the number, or switch the quirk bban-mod11 off.`;
    return faultAt(member, text);
  });
}

function norwegianBbanIn(value: unknown): string | null {
  const iban = typeof value === 'string' ? parseIban(value) : '';
  return typeof iban !== 'string' && iban.country === 'NO' ? iban.bban : null;
}
