import * as Type from 'typebox';
import type { Frequency } from '../../../engine/time/rules/occurrences.ts';
import { parseLocalDate } from '../../../engine/values/local-date.ts';
import { formatValue, type Members, type RuleFault, type SwitchedOn } from '../../bodies/rule.ts';
import { choice, closed, meaning, integer, text } from '../../bodies/schema.ts';
import { storyDays, storyPayment } from '../../bodies/story.ts';
import { date } from '../../bodies/values.ts';
import { debtor, norwegianCreditor, purpose, said } from './transfer-members.ts';

/** interface: Periodic payment initiation request body; rules.md R1 to R7. */
export const periodicPaymentBody = closed(
  {
    ...norwegianCreditor,
    ...debtor,
    ...said,
    ...purpose,
    startDate: meaning(
      'The first day on which a payment may be made; the day of execution follows from it when dayOfExecution is left out.',
      date,
    ),
    executionRule: Type.Optional(
      choice('what to do when the day is no banking day; the second word is spelled as the interface spells it', [
        'following',
        'preceeding',
      ]),
    ),
    endDate: Type.Optional(meaning('The last day on which a payment may be made; left out: it has no end.', date)),
    frequency: Type.Unsafe<Frequency>({
      description: 'how often to pay',
      type: 'string',
      format: 'frequency',
      examples: ['Monthly'],
    }),
    monthsOfExecution: Type.Optional(
      Type.Array(integer('the number of a month, a whole number from 1', { examples: [2] }), {
        description:
          'The months of a payment with the frequency MonthlyVariable, 1 to 11; other frequencies ignore them.',
        expected: 'a list of months, whole numbers',
        maxItems: 12,
      }),
    ),
    dayOfExecution: Type.Optional(
      text('a day of the month, one or two digits', {
        pattern: '^\\d{1,2}$',
        format: 'day-of-month',
        examples: ['12'],
      }),
    ),
  },
  {
    title: 'PeriodicPaymentInitiation',
    description: 'A standing order: one payment after the other, as often as its frequency says.',
    examples: [{ ...storyPayment, startDate: storyDays.nextBankingDay, frequency: 'Monthly', dayOfExecution: '12' }],
    rules: [period, monthsOfExecution],
  },
);

/** rules.md R7: endDate is not before startDate. */
function period({ startDate, endDate }: Members): readonly RuleFault[] {
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return [];
  const [start, end] = [parseLocalDate(startDate), parseLocalDate(endDate)];
  if (start === null || end === null || start <= end) return [];
  const text = `endDate ${end} is before startDate ${start}. Send a later one, or none for a payment without end.`;
  return [{ member: 'endDate', text }];
}

/** rules.md R5: months 1 to 11 (12 by quirk); MonthlyVariable needs at least one, all different. */
function monthsOfExecution({ frequency, monthsOfExecution: months }: Members, quirks: SwitchedOn) {
  const variable = frequency === 'MonthlyVariable';
  if (!Array.isArray(months)) return variable && months === undefined ? [monthsMissing] : [];
  if (variable && months.length === 0) return [monthsMissing];
  const seen = new Set<number>();
  return months.flatMap((month: unknown, index): RuleFault[] => {
    // The schema refuses other values.
    if (typeof month !== 'number' || !Number.isInteger(month)) return [];
    const text = monthFault(month, quirks) ?? (variable && seen.has(month) ? repeated(month) : null);
    seen.add(month);
    return text === null ? [] : [{ member: `monthsOfExecution[${index}]`, text }];
  });
}

const monthsMissing: RuleFault = {
  member: 'monthsOfExecution',
  text: 'Frequency MonthlyVariable needs monthsOfExecution with at least one month. Send for example [2, 5, 8, 11].',
};

function monthFault(month: number, quirks: SwitchedOn): string | null {
  const last = quirks.has('december-month') ? 12 : 11;
  if (month >= 1 && month <= last) return null;
  if (month === 12)
    return 'Month 12 is outside the bounds 1 to 11 of the interface. The quirk december-month accepts it.';
  return `${formatValue(month)} is no month: expected a whole number from 1 to ${last}.`;
}

function repeated(month: number): string {
  return `Month ${month} is listed twice. Send each month once.`;
}
