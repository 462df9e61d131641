import {
  epochDay,
  epochDayOf,
  formatDate,
  formatMonth,
  formatWeekday,
  fromEpochDay,
  type LocalDate,
  monthOf,
  parseLocalDate,
} from '../../engine/values/local-date.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { type Amount, formatAmount } from '../../engine/values/money.ts';
import type { Language } from './language.ts';

/*
 * The one form of each date, amount and account number, in English and in Norwegian, on all pages (control-plane.md
 * C37).
 */

const noBreak = '\u00a0';
const dayLength = 86_400_000;

/** How a language writes amounts, numbers, dates and lists. */
export type Formats = ReturnType<typeof makeFormats>;

const made = new Map<Language, Formats>();

/** The formats of a language. */
export function formatsIn(language: Language): Formats {
  const formats = made.get(language) ?? makeFormats(language);
  made.set(language, formats);
  return formats;
}

function makeFormats(language: Language) {
  const isEnglish = language === 'en';
  const locale = isEnglish ? 'en-GB' : 'nb-NO';
  const datesBy = (options: Intl.DateTimeFormatOptions): ((date: LocalDate) => string) => {
    const format = whenUsed(() => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }));
    return (date) => format().format(epochDay(date) * dayLength);
  };
  const lists = whenUsed(() => new Intl.ListFormat(locale));
  const weekday = datesBy({ weekday: 'long' });
  const norwegianDay = datesBy({ day: 'numeric', month: 'long' });
  const monthOfYear = datesBy({ month: 'long' });
  const number = numbersOf(locale);
  const day = isEnglish ? shortDateText : (date: LocalDate) => `${weekday(date)} ${norwegianDay(date)}`;
  const date = isEnglish ? dateText : (of: LocalDate) => `${day(of)} ${Number(of.slice(0, 4))}`;
  const withTime = (of: string, time: string): string => `${of}${isEnglish ? ', ' : ' kl. '}${time}`;
  return {
    /** `1,234.50 NOK`, `1 234,50 kr`. Keeps all digits; nothing in it breaks over a line. */
    amount: (amount: Amount) => {
      if (isEnglish) return moneyText({ amount: formatAmount(amount), currency: amount.currency });
      return `${number(formatAmount(amount))}${noBreak}${amount.currency === 'NOK' ? 'kr' : amount.currency}`;
    },
    /** A decimal string with all its digits: `11.4500`, `11,4500`. */
    number,
    /** `Thu 25 Mar 2027`, `torsdag 25. mars 2027`. */
    date,
    /** The same without its year, which the reader knows: `Thu 25 Mar`, `torsdag 25. mars`. */
    day,
    /** A day with a time of it: `Thu 25 Mar, 05:30`, `torsdag 25. mars kl. 05:30`. */
    withTime,
    /** Date and time in Oslo: `Wed 24 Mar 2027, 12:00`, `onsdag 24. mars 2027 kl. 12:00`. */
    moment: (instant: Instant) => {
      const text = formatInstant(instant);
      return withTime(date(text.slice(0, 10) as LocalDate), text.slice(11, 16));
    },
    /** `Thursday`, `torsdag`. */
    weekday,
    /** The name of month 1..12. */
    month: (month: number) => monthOfYear(fromEpochDay(epochDayOf({ year: 2000, month, day: 1 }))),
    /** `a, b and c`, `a, b og c`. */
    list: (texts: readonly string[]) => lists().format(texts),
  };
}

/** Makes something when it is first used: Intl reads tables for each of its formats. */
function whenUsed<Made>(make: () => Made): () => Made {
  let one: Made | undefined;
  return () => (one ??= make());
}

/** Formats decimal strings with the digits that they have: Intl's digits of some currencies are wrong. */
function numbersOf(locale: string): (decimal: string) => string {
  const formats = new Map<number, Intl.NumberFormat>();
  return (decimal) => {
    const digits = decimal.split('.')[1]?.length ?? 0;
    const format =
      formats.get(digits) ??
      new Intl.NumberFormat(locale, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        useGrouping: 'always',
      });
    formats.set(digits, format);
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

/** A BBAN or an IBAN of an answer in groups. */
export function numberText(number: string): string {
  return accountText(/^[A-Z]{2}\d\d/.test(number) ? { iban: number } : { bban: number });
}

/** An amount of an answer in English: `1,234.50 NOK`, with a no-break space. */
export function moneyText({ amount, currency }: { readonly amount: string; readonly currency: string }): string {
  return `${formatsIn('en').number(amount)}${noBreak}${currency}`;
}

/* Dates and instants of answers, which have Oslo's offset, in English. */

/** `Tue 30 Mar 2027, 05:30`, with the seconds that are not zero. */
export function instantText(text: string): string {
  return `${dateText(text.slice(0, 10))}, ${timeText(text)}`;
}

/** The time of day of an instant, `05:30`, with the seconds that are not zero. */
export function timeText(text: string): string {
  const [time = '', seconds = ''] = [text.slice(11, 16), text.slice(16, 19)];
  return seconds === ':00' ? time : time + seconds;
}

/** `Tue 30 Mar 2027` */
export function dateText(text: string): string {
  const day = parseLocalDate(text);
  if (day === null) return text;
  const [, number = '', month = '', year = ''] = formatDate(day).split(' ');
  return `${formatWeekday(day).slice(0, 3)} ${number} ${month.slice(0, 3)} ${year}`;
}

/** The same without the year: `Tue 30 Mar`. */
export function shortDateText(text: string): string {
  return dateText(text).replace(/ \d+$/, '');
}

/** `Tue 30 Mar, 05:30`, without seconds; `Tue 30 Mar` for a date. */
export function momentText(at: string): string {
  return [shortDateText(at.slice(0, 10)), at.slice(11, 16)].filter(Boolean).join(', ');
}

/** A text of others, with its dates in this form: `recorded on Fri 7 Feb 2025`. */
export function withDates(text: string): string {
  return text.replaceAll(/\b\d{4}-\d\d-\d\d\b/g, (date) => dateText(date));
}

/** The month of a date of an answer: `March 2027`. */
export function monthText(text: string): string {
  const day = parseLocalDate(text);
  return day === null ? text : `${formatMonth(monthOf(day))} ${text.slice(0, 4)}`;
}
