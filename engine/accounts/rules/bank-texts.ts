import type { LocalDate } from '../../engine/values/local-date.ts';

/* The day in the text of a card purchase: `12.03 KIOSK`, `*1044 12.03 NOK 49.90 Kiosk Kurs: 1.0000`. */
const dated = /^(\*\d{4} )?(\d\d\.\d\d)(?:\.(?:\d{4}|\d\d))? /;

/** `DD.MM`; null: the text has no day. */
export function dayIn(text: string): string | null {
  return dated.exec(text)?.[2] ?? null;
}

/** The text without its day. */
export function withoutDay(text: string): string {
  return text.replace(dated, '$1');
}

/** `DD.MM` */
export function dayOf(date: LocalDate): string {
  return `${date.slice(8)}.${date.slice(5, 7)}`;
}

/** `DD.MM` of a card purchase: the earlier of its dates. `bookingDate` is null while it is pending. */
export function purchaseDay(bookingDate: LocalDate | null, otherDate: LocalDate): string {
  return dayOf(bookingDate !== null && bookingDate < otherDate ? bookingDate : otherDate);
}
