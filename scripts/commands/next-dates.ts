import { frequencies } from '../../engine/time/rules/frequency.ts';
import { weekday } from '../../engine/values/local-date.ts';
import { occurrences, type Occurrence, type Schedule } from '../../engine/time/rules/occurrences.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import type { Arguments } from '../cli/arguments.ts';
import { WrongUse, type Command } from '../cli/command.ts';
import { date, frequency, whole } from '../cli/flag-values.ts';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Prints the dates of a periodic payment, without a server. */
export const nextDates: Command = {
  name: 'next-dates',
  usage: '--start YYYY-MM-DD --frequency FREQUENCY [options]',
  summary: 'Prints when a periodic payment would be made: nominal and execution date, weekday, why it was moved.',
  flags: [
    { name: 'start', value: 'YYYY-MM-DD', what: 'The first nominal date.' },
    { name: 'frequency', value: 'FREQUENCY', what: 'One of those below.' },
    { name: 'day', value: '1..31', what: 'Day of execution; left out: that of --start.' },
    { name: 'months', value: '1,4', what: 'The months of MonthlyVariable.' },
    { name: 'rule', value: 'RULE', what: 'following (the default) or preceeding.' },
    { name: 'end', value: 'YYYY-MM-DD', what: 'The last nominal date.' },
    { name: 'count', value: 'N', what: 'How many dates (12).' },
  ],
  settings: [],
  words: [0, 0],
  notes: [`FREQUENCY: ${frequencies.join(', ')}`],
  run: async (given, terminal) => {
    const found = first(whole('count', given.text('count') ?? '12', 100_000), scheduleOf(given));
    if (found.length === 0) throw new WrongUse('no execution inside the period');
    for (const one of found) terminal.out(line(one));
    return 0;
  },
};

function scheduleOf(given: Arguments): Schedule {
  const [end, day, months] = [given.text('end'), given.text('day'), given.text('months')];
  const schedule: Schedule = {
    startDate: date('start', given.text('start')),
    endDate: end === undefined ? null : date('end', end),
    frequency: frequency('frequency', given.text('frequency')),
    executionRule: rule(given.text('rule') ?? 'following'),
    dayOfExecution: day === undefined ? null : whole('day', day, 31),
    monthsOfExecution: months?.split(',').map((month) => whole('months', month, 12)) ?? null,
  };
  if (schedule.endDate !== null && schedule.endDate < schedule.startDate) throw new WrongUse('--end is before --start');
  checkMonths(schedule);
  return schedule;
}

function first(count: number, schedule: Schedule): Occurrence[] {
  const found: Occurrence[] = [];
  try {
    for (const one of occurrences(schedule, norwegianCalendar())) {
      if (found.push(one) === count) break;
    }
  } catch (error) {
    // The calendar's message says which years it covers.
    throw error instanceof RangeError ? new WrongUse(error.message) : error;
  }
  return found;
}

function line({ nominalDate, executionDate, reason }: Occurrence): string {
  return [nominalDate, executionDate, weekdays[weekday(executionDate) - 1], reason ?? ''].join('  ').trimEnd();
}

function rule(text: string): Schedule['executionRule'] {
  if (text === 'following') return text;
  // The interface misspells it; the command takes both.
  if (text !== 'preceeding' && text !== 'preceding') throw new WrongUse(`no rule ${text}`);
  return 'preceding';
}

function checkMonths({ frequency, monthsOfExecution: months }: Schedule): void {
  if (frequency !== 'MonthlyVariable') return;
  if (months === null) throw new WrongUse('MonthlyVariable needs --months');
  if (new Set(months).size < months.length) throw new WrongUse('--months names a month twice');
}
