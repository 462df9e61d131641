import type { Instant } from '../../engine/values/instant.ts';
import { type Amount, formatAmount } from '../../engine/values/money.ts';
import { epochDay, epochDayOf, type LocalDate } from '../../engine/values/local-date.ts';
import type { Language } from './language.ts';

const noBreak = '\u00a0';
const dayLength = 86_400_000;

/** How a language writes amounts, numbers, dates and lists. */
export type Formats = ReturnType<typeof makeFormats>;

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', nb: 'nb-NO' };
const made = new Map<Language, Formats>();

/** The formats of a language. */
export function formatsIn(language: Language): Formats {
  const formats = made.get(language) ?? makeFormats(locales[language]);
  made.set(language, formats);
  return formats;
}

function makeFormats(locale: string) {
  // Each is made when it is first used: Intl reads tables for it.
  const format = (timeZone: 'UTC' | 'Europe/Oslo', options: Intl.DateTimeFormatOptions) => {
    let made: Intl.DateTimeFormat | undefined;
    return (time: number) => (made ??= new Intl.DateTimeFormat(locale, { timeZone, ...options })).format(time);
  };
  const dates = (options: Intl.DateTimeFormatOptions): ((date: LocalDate) => string) => {
    const ofDates = format('UTC', options);
    return (date) => ofDates(epochDay(date) * dayLength);
  };
  const weekday = dates({ weekday: 'long' });
  const day = dates({ dateStyle: 'long' });
  const shortDay = dates({ weekday: 'short', day: 'numeric', month: 'short' });
  const moment: (instant: Instant) => string = format('Europe/Oslo', { dateStyle: 'long', timeStyle: 'short' });
  const dayOfMonth: (instant: Instant) => string = format('Europe/Oslo', { day: 'numeric', month: 'long' });
  const time: (instant: Instant) => string = format('Europe/Oslo', { hour: '2-digit', minute: '2-digit' });
  const months = format('UTC', { month: 'long' });
  const numbers = numbersOf(locale);
  return {
    /** `NOK 1,234.50`, `1 234,50 kr`. Keeps all digits; nothing in it breaks over a line. */
    amount: (amount: Amount) => numbers(formatAmount(amount), amount.currency),
    /** A decimal string with all its digits: `11.4500`, `11,4500`. */
    number: (decimal: string) => numbers(decimal, null),
    /** `Thursday 25 March 2027`, `torsdag 25. mars 2027`. */
    date: (date: LocalDate) => `${weekday(date)} ${day(date)}`,
    /** Date and time in Oslo: `24 March 2027 at 12:00`, `24. mars 2027 kl. 12:00`. */
    moment,
    /** `Thu 25 Mar`, `tor. 25. mars`. */
    shortDay: (date: LocalDate) => shortDay(date).replace(',', ''),
    /** The day in Oslo without its year: `25 March`, `25. mars`. */
    dayOfMonth,
    /** The time of day in Oslo: `12:00`. */
    time,
    /** `Thursday`, `torsdag`. */
    weekday,
    /** The name of month 1..12. */
    month: (month: number) => months(epochDayOf({ year: 2000, month, day: 1 }) * dayLength),
    /** `a, b and c`, `a, b og c`. */
    list: (texts: readonly string[]) => new Intl.ListFormat(locale).format(texts),
  };
}

/** Formats decimal strings with the digits that they have: Intl's digits of some currencies are wrong. */
function numbersOf(locale: string): (decimal: string, currency: string | null) => string {
  const formats = new Map<string, Intl.NumberFormat>();
  return (decimal, currency) => {
    const digits = decimal.split('.')[1]?.length ?? 0;
    const key = `${currency} ${digits}`;
    const format =
      formats.get(key) ??
      new Intl.NumberFormat(locale, {
        ...(currency !== null && { style: 'currency', currency }),
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        useGrouping: 'always',
      });
    formats.set(key, format);
    // Intl takes the text as a decimal; it would first round a number to binary.
    return format.format(decimal as Intl.StringNumericLiteral);
  };
}

/** An account number in groups, the BBAN if there is one: `0923 29 11044`, else `NO78 0923 2911 044`. */
export function accountText(account: { readonly bban?: string | null; readonly iban?: string | null }): string {
  const bban = account.bban ?? '';
  if (/^\d{11}$/.test(bban)) return [bban.slice(0, 4), bban.slice(4, 6), bban.slice(6)].join(noBreak);
  if (bban !== '') return bban;
  return (account.iban ?? '').replaceAll(' ', '').replace(/.{4}(?=.)/g, `$&${noBreak}`);
}
