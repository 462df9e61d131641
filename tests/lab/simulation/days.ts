/*
 * Days of the auditor's own making, so that it shares no mistake with the bank: texts `YYYY-MM-DD`, counted with the
 * language's own dates in UTC, holidays from the rules that Norwegian law states.
 */

/** The day some days later, or earlier when negative. */
export function dayAfter(day: string, days: number): string {
  return dayOf(numberOf(day) + days);
}

/** Whole days from one day to the other. */
export function daysFrom(first: string, last: string): number {
  return numberOf(last) - numberOf(first);
}

/** Days since 1970. */
const numberOf = kept((day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000);
const dayOf = kept((number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10));

/** Results that {@link kept} holds at most: a campaign lives thousands of years. */
const maxKept = 100_000;

/** The function, which keeps what it found. */
export function kept<Key, Result>(find: (key: Key) => Result): (key: Key) => Result {
  const results = new Map<Key, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = find(key);
    if (results.size >= maxKept) results.clear();
    results.set(key, result);
    return result;
  };
}

/** Whether it is the wanted day (1..31) of its month, or the last day of a month that has none such (rules.md R3). */
export function isDayOfExecution(day: string, wanted: number): boolean {
  const number = Number(day.slice(8));
  return number === wanted || (number < wanted && dayAfter(day, 1).endsWith('-01'));
}

const fixedHolidays = ['01-01', '05-01', '05-17', '12-24', '12-25', '12-26'];
/** Maundy Thursday, Good Friday, Easter Day and Monday, Ascension Day, Whit Sunday and Monday. */
const fromEaster = [-3, -2, 0, 1, 39, 49, 50];

/** 0 is Sunday. */
export const weekdayOf = kept((day: string) => new Date(`${day}T00:00:00Z`).getUTCDay());

/** Whether settlement is closed (rules.md T3). */
export const isClosed = kept((day: string): boolean => {
  const weekday = weekdayOf(day);
  return weekday === 0 || weekday === 6 || isHoliday(day);
});

/** Whether a day is a holiday, on a weekday or not. */
export function isHoliday(day: string): boolean {
  if (fixedHolidays.includes(day.slice(5))) return true;
  return fromEaster.includes(daysFrom(easterDay(Number(day.slice(0, 4))), day));
}

/** Whether cafés are closed: the first days of the year, Easter, Whitsun and Christmas, and Good Friday. */
export function isHighHoliday(day: string): boolean {
  if (['01-01', '12-25'].includes(day.slice(5))) return true;
  return [-2, 0, 49].includes(daysFrom(easterDay(Number(day.slice(0, 4))), day));
}

/** The days from the first to the last on which the bank is open. */
export function openDays(first: string, last: string): string[] {
  const days = Array.from({ length: daysFrom(first, last) + 1 }, (_, index) => dayAfter(first, index));
  return days.filter((day) => !isClosed(day));
}

/** Easter Day by the anonymous Gregorian algorithm (Nature, 1876). */
export function easterDay(year: number): string {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const [d, e] = [Math.floor(b / 4), b % 4];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const [i, k] = [Math.floor(c / 4), c % 4];
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  const day = ((h + l - 7 * m + 114) % 31) + 1;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

const osloClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Oslo',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** The time that Oslo's clocks show at an instant, `YYYY-MM-DD HH:MM`. */
export const timeAt = kept((instant: number): string => osloClock.format(instant));

/** Milliseconds since 1970 at which Oslo's clocks show `YYYY-MM-DD HH:MM`, by the zone data of the platform. */
export const instantOf = kept((time: string): number => {
  const found = ['+01:00', '+02:00'].map((offset) => Date.parse(`${time.replace(' ', 'T')}:00${offset}`));
  const instant = found.find((candidate) => timeAt(candidate) === time);
  if (instant === undefined) throw new Error(`Oslo's clocks never show ${time}`);
  return instant;
});
