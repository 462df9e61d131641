/** Times of a day in Oslo, `HH:MM`, ascending. */
export type DayTimes = readonly string[];

/** A text that was read. `problem` is an error text for the user. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Splits a comma-separated list; blanks around the times are left out. */
export function timesIn(text: string): DayTimes {
  return text.split(',').map((time) => time.trim());
}

/** Says what is wrong with a list of times; `what` names one of them. Null: nothing. Clocks change between 02:00 and 03:00 (rules.md T4). */
export function problemOfTimes(times: DayTimes, what: string): string | null {
  if (times.length === 1 && times[0] === '') return `${what}: the list is empty; expected HH:MM,HH:MM,...`;
  for (const [index, time] of times.entries()) {
    const previous = times[index - 1];
    const problem = problemOfTime(time, what);
    if (problem !== null) return problem;
    if (time === previous) return `${what} ${time} is given twice`;
    if (previous !== undefined && time < previous) return `${what} ${time} follows ${previous}; sort them`;
  }
  return null;
}

/** Says what is wrong with a time, see {@link problemOfTimes}. */
export function problemOfTime(time: string, what: string): string | null {
  if (!clockTime.test(time)) return `${what} "${time}" is not HH:MM from 00:00 to 23:59`;
  return time >= '02:00' && time < '03:00' ? `${what} ${time} is inside 02:00-03:00, when clocks change` : null;
}
