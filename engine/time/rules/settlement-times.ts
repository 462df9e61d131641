/** Oslo times of a banking day's runs, `HH:MM`, ascending (rules.md T4). */
export type SettlementTimes = readonly string[];

/** The clearings of NICS. */
export const defaultSettlementTimes: SettlementTimes = ['05:30', '09:30', '11:30', '13:30', '15:30'];

export type ParsedSettlementTimes =
  { readonly ok: true; readonly times: SettlementTimes } | { readonly ok: false; readonly problem: string };

const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * A comma-separated list, blanks around the times allowed. The problem is a sentence for whoever starts the bank. From
 * 02:00 up to but without 03:00 no run is allowed: there a clock shows some times twice a year, and some never.
 */
export function parseSettlementTimes(text: string): ParsedSettlementTimes {
  const times = text.split(',').map((time) => time.trim());
  const problem = problemOf(times);
  return problem === null ? { ok: true, times } : { ok: false, problem };
}

function problemOf(times: SettlementTimes): string | null {
  if (times.length === 1 && times[0] === '') return 'settlement times are empty; expected HH:MM,HH:MM,...';
  for (const [index, time] of times.entries()) {
    const previous = times[index - 1];
    if (!clockTime.test(time)) return `settlement time "${time}" is not HH:MM from 00:00 to 23:59`;
    if (time >= '02:00' && time < '03:00') return `settlement time ${time} is inside 02:00-03:00, when clocks change`;
    if (time === previous) return `settlement time ${time} is given twice`;
    if (previous !== undefined && time < previous) return `settlement time ${time} follows ${previous}; sort them`;
  }
  return null;
}
