import type { ExecutionRule } from '../../engine/time/rules/execution-date.ts';
import type { Frequency } from '../../engine/time/rules/frequency.ts';
import { dayOf, formatMonth, formatWeekday } from '../../engine/values/local-date.ts';
import type { Schedule } from '../../engine/time/rules/occurrences.ts';

const steps: Readonly<Record<Frequency, string>> = {
  Daily: 'Every day',
  Weekly: 'Every week',
  EveryTwoWeeks: 'Every two weeks',
  Monthly: 'Every month',
  EveryTwoMonths: 'Every two months',
  Quarterly: 'Every three months',
  SemiAnnual: 'Every six months',
  Annual: 'Every year',
  MonthlyVariable: 'Every year',
};

/** A later day may be replaced by the last day of a shorter month (rules.md R3). */
const daysOfEveryMonth = 28;

/** A frequency with its day, in words: `Every month, on day 31 or the month's last day`. */
export function frequencyWords(schedule: Schedule): string {
  const step = steps[schedule.frequency];
  switch (schedule.frequency) {
    case 'Daily':
      return step;
    case 'Weekly':
    case 'EveryTwoWeeks':
      return `${step}, on ${formatWeekday(schedule.startDate)}`;
    case 'MonthlyVariable':
      return `${step}, in ${monthsWords(schedule.monthsOfExecution ?? [])}, ${dayWords(schedule)}`;
    case 'Monthly':
    case 'EveryTwoMonths':
    case 'Quarterly':
    case 'SemiAnnual':
    case 'Annual':
      return `${step}, ${dayWords(schedule)}`;
  }
}

/** What happens to a date on which the bank is closed, in words (rules.md R6). */
export function ruleWords(rule: ExecutionRule): string {
  return rule === 'following' ? 'Paid on the next banking day' : 'Paid on the banking day before';
}

function dayWords(schedule: Schedule): string {
  const day = schedule.dayOfExecution ?? dayOf(schedule.startDate);
  return day > daysOfEveryMonth ? `on day ${day} or the month’s last day` : `on day ${day}`;
}

/** `March, June and September`. */
function monthsWords(months: readonly number[]): string {
  const names = months.toSorted((a, b) => a - b).map(formatMonth);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}
