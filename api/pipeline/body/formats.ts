import { isBic, parseIban } from '../../../engine/values/account-number.ts';
import { codePointName, firstBadCharacter } from '../../../engine/values/text.ts';
import { isCountry } from '../../../engine/values/country.ts';
import { isCurrency } from '../../../engine/values/currency.ts';
import { isEmail } from '../../../engine/tpps/rules/email.ts';
import { parseDuration } from '../../../engine/values/duration.ts';
import { frequencies } from '../../../engine/time/rules/frequency.ts';
import { parseInstant } from '../../../engine/values/instant.ts';
import { parseLocalDate } from '../../../engine/values/local-date.ts';
import { parseRate } from '../../../engine/values/rate.ts';

/** Says what is wrong with a string and what to send instead; null: the string is right. */
type FormatCheck = (text: string) => string | null;

/** The `format` values of the schemas. The code lists are in engine/values. */
export const formats: Readonly<Record<string, FormatCheck>> = {
  currency: (text) =>
    isCurrency(text) ? null : `expected one of the interface's currency codes, in capitals (for example NOK)`,
  country: (text) =>
    isCountry(text) ? null : `expected one of the interface's country codes, two capitals (for example NO)`,
  frequency: (text) =>
    frequencies.some((frequency) => frequency === text) ? null : `expected one of ${frequencies.join(', ')}`,
  iban: (text) => {
    const iban = parseIban(text);
    return typeof iban === 'string' ? `${iban}. Correct it, for example NO9386011117947` : null;
  },
  bic: (text) => (isBic(text) ? null : 'a BIC has 8 or 11 capitals and digits, for example SPTRNO22'),
  'email-address': (text) => (isEmail(text) ? null : 'expected an address such as contact@tpp.example'),
  rate: (text) =>
    parseRate(text) === null
      ? 'expected a decimal number above zero, with at most ten fraction digits (for example 11.8305)'
      : null,
  'local-date': localDateFault,
  'local-date-if-any': (text) => (text === '' ? null : localDateFault(text)),
  'bank-instant': (text) =>
    parseInstant(text) === null
      ? 'expected a date-time with Z or an offset, or a plain date (for example 2027-03-30T05:30:00+02:00)'
      : null,
  'bank-duration': (text) =>
    parseDuration(text) === null
      ? 'expected an ISO 8601 duration in whole numbers, at most a hundred years (for example P3D)'
      : null,
  'day-of-month': dayOfMonthFault,
  'clearing-text': clearingTextFault,
  'said-text': clearingTextFault,
  'well-formed': (text) =>
    text.isWellFormed() ? null : 'it has half of a character (a lone surrogate). Send all of it',
  'bank-code': (text) =>
    isBic(text) || /^[A-Z0-9]{6}$/.test(text)
      ? null
      : 'expected a BIC of 8 or 11 capitals and digits, for example SPTRNO22, or a code of 6',
};

/** rules.md P3: an existing day, never a date-time. */
function localDateFault(text: string): string | null {
  if (parseLocalDate(text) !== null) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'there is no such day. Send one that exists';
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return 'a date-time is not taken here. Send the date alone, YYYY-MM-DD';
  return 'expected a plain date, YYYY-MM-DD (for example 2027-03-30)';
}

/** rules.md R3. Null unless it is one or two digits: the schema's pattern reports the rest. */
function dayOfMonthFault(text: string): string | null {
  if (!/^\d{1,2}$/.test(text)) return null;
  const day = Number(text);
  return day >= 1 && day <= 31 ? null : 'expected a day of the month from 1 to 31 (for example "12")';
}

/** rules.md P8. Null for an empty text: the schema's minLength reports it. */
function clearingTextFault(text: string): string | null {
  if (text !== '' && isBlank(text)) return 'it has white space only. Send a text with at least one other character';
  const bad = firstBadCharacter(text);
  if (bad === null) return null;
  return `character ${bad.index + 1} (${codePointName(bad.character)}) cannot be carried: only the letters, digits and punctuation of ISO 8859-1 reach the payee. Leave it out or replace it`;
}

/** Whether a text consists of white space, no-break spaces included. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
