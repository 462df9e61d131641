import { dayOf } from '../../engine/values/local-date.ts';
import type { Schedule } from '../../engine/time/rules/occurrences.ts';
import type { PageView } from './sca-page.ts';

/** A later day may be replaced by the last day of a shorter month (rules.md R3). */
const daysOfEveryMonth = 28;

type Words = Pick<PageView, 'texts' | 'format'>;

/** A frequency with its day, in words: `Every month, on day 31 or the month's last day`. */
export function frequencyWords({ texts: { schedule: texts }, format }: Words, schedule: Schedule): string {
  const step = texts.step[schedule.frequency];
  switch (schedule.frequency) {
    case 'Daily':
      return step;
    case 'Weekly':
    case 'EveryTwoWeeks':
      return texts.onWeekday(step, format.weekday(schedule.startDate));
    case 'MonthlyVariable': {
      const months = (schedule.monthsOfExecution ?? []).toSorted((a, b) => a - b).map(format.month);
      return dayWords(texts, texts.inMonths(step, format.list(months)), schedule);
    }
    case 'Monthly':
    case 'EveryTwoMonths':
    case 'Quarterly':
    case 'SemiAnnual':
    case 'Annual':
      return dayWords(texts, step, schedule);
  }
}

function dayWords(texts: Words['texts']['schedule'], step: string, schedule: Schedule): string {
  const day = schedule.dayOfExecution ?? dayOf(schedule.startDate);
  return day > daysOfEveryMonth ? texts.onDayOrLast(step, day) : texts.onDay(step, day);
}
