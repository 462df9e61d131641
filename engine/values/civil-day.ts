/** A day of the Gregorian calendar in numbers: month 1..12, day 1..31. */
export interface CivilDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

// Both functions count in eras of 400 years that begin on 1 March: the leap day is then the last day of
// its year, and no month needs a table (Howard Hinnant, "chrono-compatible low-level date algorithms").
const daysInEra = 146_097;
const epochFromEra0 = 719_468;

/** Days from 1970-01-01 to a real civil day; negative before it. */
export function epochDayOf({ year, month, day }: CivilDay): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * daysInEra + dayOfEra - epochFromEra0;
}

/** The civil day that lies a whole number of days after 1970-01-01. */
export function civilDayOf(epochDay: number): CivilDay {
  const shifted = epochDay + epochFromEra0;
  const era = Math.floor(shifted / daysInEra);
  const dayOfEra = shifted - era * daysInEra;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** ISO weekday of a day counted from 1970-01-01 (a Thursday): Monday 1 to Sunday 7. */
export function weekdayOf(epochDay: number): number {
  return ((((epochDay + 3) % 7) + 7) % 7) + 1;
}

/** 28 to 31; `month` is 1..12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
