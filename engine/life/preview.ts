import type { RunSchedule } from '../time/rules/settlement-run.ts';
import type { LocalDate } from '../values/local-date.ts';
import { formatAmount } from '../values/money.ts';
import { courseOf, personaOf } from './lives.ts';
import { ore } from './rules/event-amounts.ts';
import { amountOf, isFree } from './rules/happening.ts';
import type { Persona } from './rules/persona.ts';

/** A booking of a preview; the amount in NOK. */
type PreviewLine = readonly [day: LocalDate, amount: string, text: string];

/** What a persona has booked on an account from one day to another, both included, if it never lacks funds. */
export function previewOf(
  persona: Persona,
  { from, to, seed }: { readonly from: LocalDate; readonly to: LocalDate; readonly seed: string },
  runs: RunSchedule,
): PreviewLine[] {
  const life = { seed, account: '99870000010', holder: persona.name, role: null, others: [] };
  const happened = new Set<string>();
  return courseOf(personaOf(JSON.stringify(persona), null, runs), life, runs)
    .between(from, to)
    .flatMap((happening) => {
      const { action, key } = happening;
      if (!isFree(happening, (other) => happened.has(other))) return [];
      if (action.kind === 'reserve') happened.add(key);
      if (action.kind === 'pay')
        return [[action.date, formatAmount({ minor: amountOf(action), currency: 'NOK' }), action.event.text] as const];
      if (!('bookingDate' in action) || !('amount' in action) || (action.kind === 'book' && !happened.has(key)))
        return [];
      const { remittanceInformationUnstructured: text = '', creditorName, debtorName } = action.details;
      const other = action.amount < 0n ? creditorName : debtorName;
      const amount = formatAmount({ minor: action.amount, currency: 'NOK' });
      return [[action.bookingDate, amount, [other, text].filter((each) => each !== undefined).join(': ')] as const];
    });
}

/** What the lines of a preview come to in each month, in NOK: incomes, spending (zero or negative), and what is left, which is their sum. */
export function monthsOfPreview(lines: readonly PreviewLine[]) {
  return [...Map.groupBy(lines, ([day]) => day.slice(0, 7))].map(([month, booked]) => {
    const sum = (counts: (minor: bigint) => boolean): string => {
      const counted = booked.map(([, amount]) => ore(amount)).filter(counts);
      return formatAmount({ minor: counted.reduce((all, one) => all + one, 0n), currency: 'NOK' });
    };
    return { month, income: sum((one) => one > 0n), spending: sum((one) => one < 0n), left: sum(() => true) };
  });
}
