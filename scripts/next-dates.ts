import { parseArgs } from 'node:util';
import { frequencies } from '../engine/core/frequency.ts';
import type { Frequency } from '../engine/core/frequency.ts';
import { parseLocalDate, weekday } from '../engine/core/local-date.ts';
import type { LocalDate } from '../engine/core/local-date.ts';
import { occurrences } from '../engine/core/occurrences.ts';
import type { Occurrence, Schedule } from '../engine/core/occurrences.ts';
import { norwegianCalendar } from '../engine/norwegian-calendar.ts';
import { runScript } from './run-script.ts';

const usage = `usage: npm run -s next-dates -- --start YYYY-MM-DD --frequency FREQUENCY [options]

Prints when a periodic payment would be made: nominal date, execution date, its weekday, why it was moved.
  --frequency        ${frequencies.slice(0, 5).join(', ')},
                     ${frequencies.slice(5).join(', ')}
  --day 1..31        day of execution (default: that of --start)
  --months 1,4       the months of MonthlyVariable
  --rule RULE        following (default) or preceeding
  --end YYYY-MM-DD   the last nominal date
  --count N          how many dates (default 12)`;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const options = {
  start: { type: 'string' },
  frequency: { type: 'string' },
  day: { type: 'string' },
  months: { type: 'string' },
  rule: { type: 'string', default: 'following' },
  end: { type: 'string' },
  count: { type: 'string', default: '12' },
} as const;

/** Prints when a periodic payment would be made: nominal date, execution date, its weekday, why it was moved. */
function main(): void {
  const { values } = parseArgs({ options });
  const schedule: Schedule = {
    startDate: date('start', values.start),
    endDate: values.end === undefined ? null : date('end', values.end),
    frequency: frequency(values.frequency),
    executionRule: values.rule === 'following' ? 'following' : preceding(values.rule),
    dayOfExecution: values.day === undefined ? null : whole('day', values.day, 31),
    monthsOfExecution: values.months?.split(',').map((month) => whole('months', month, 12)) ?? null,
  };
  if (schedule.endDate !== null && schedule.endDate < schedule.startDate) throw new Error('--end is before --start');
  checkMonths(schedule);
  const count = whole('count', values.count, 100_000);
  const found: string[] = [];
  for (const one of occurrences(schedule, norwegianCalendar())) {
    if (found.push(line(one)) === count) break;
  }
  if (found.length === 0) throw new Error('no execution inside the period');
  console.log(found.join('\n'));
}

function line({ nominalDate, executionDate, reason }: Occurrence): string {
  return [nominalDate, executionDate, weekdays[weekday(executionDate) - 1], reason ?? ''].join('  ').trimEnd();
}

function date(name: string, text: string | undefined): LocalDate {
  if (text === undefined) throw new Error(`--${name} is missing`);
  const found = parseLocalDate(text);
  if (found === null) throw new Error(`--${name} ${text} is not a date YYYY-MM-DD`);
  return found;
}

function frequency(text: string | undefined): Frequency {
  const found = frequencies.find((one) => one === text);
  if (found === undefined) throw new Error(text === undefined ? '--frequency is missing' : `no frequency ${text}`);
  return found;
}

function preceding(text: string): 'preceding' {
  // The wire's spelling first; nobody at a keyboard should have to know it.
  if (text !== 'preceeding' && text !== 'preceding') throw new Error(`no rule ${text}`);
  return 'preceding';
}

function whole(name: string, text: string, most: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw new Error(`--${name} ${text} is not a whole number from 1 to ${most}`);
  return value;
}

function checkMonths({ frequency, monthsOfExecution: months }: Schedule): void {
  if (frequency !== 'MonthlyVariable') return;
  if (months === null) throw new Error('MonthlyVariable needs --months');
  if (new Set(months).size < months.length) throw new Error('--months names a month twice');
}

await runScript(usage, main);
