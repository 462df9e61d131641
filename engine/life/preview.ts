import type { RunSchedule } from '../time/rules/settlement-run.ts';
import type { LocalDate } from '../values/local-date.ts';
import { formatAmount } from '../values/money.ts';
import { courseOf, personaOf } from './lives.ts';
import { ore } from './rules/event-amounts.ts';
import { amountOf, type Happening } from './rules/happening.ts';
import { bookedFrom } from './rules/past.ts';
import type { Persona } from './rules/persona.ts';

/** A booking of a preview; the amount in NOK. */
type PreviewLine = readonly [day: LocalDate, amount: string, text: string];

/** What a persona has booked on an account from one day to another, both included, if it never lacks funds. */
export function previewOf(
  persona: Persona,
  { from, to, seed }: { readonly from: LocalDate; readonly to: LocalDate; readonly seed: string },
  schedule: RunSchedule,
): PreviewLine[] {
  const life = { seed, account: '99870000010', holder: persona.name, role: null, others: [] };
  const course = courseOf(personaOf(JSON.stringify(persona), null, schedule), life, schedule);
  return bookedFrom(course.between(from, to).map(withSalaries)).map(({ amount: minor, bookingDate, details }) => {
    const { remittanceInformationUnstructured: text = '', creditorName, debtorName } = details;
    const other = minor < 0n ? creditorName : debtorName;
    const said = [other, text].filter((each) => each !== undefined).join(': ');
    return [bookingDate, formatAmount({ minor, currency: 'NOK' }), said];
  });
}

/** Salaries as one booking. */
function withSalaries(happening: Happening): Happening {
  const { action } = happening;
  if (action.kind !== 'pay') return happening;
  const { date, event } = action;
  const booking = { bookingDate: date, valueDate: date, details: { remittanceInformationUnstructured: event.text } };
  return { ...happening, action: { kind: 'post', needsFunds: false, amount: amountOf(action), ...booking } };
}

/**
 * What the lines of a preview come to in each month, in NOK: incomes, spending (zero or negative), and what is left,
 * which is their sum.
 */
export function monthsOfPreview(lines: readonly PreviewLine[]) {
  return [...Map.groupBy(lines, ([day]) => day.slice(0, 7))].map(([month, booked]) => {
    const sum = (counts: (minor: bigint) => boolean): string => {
      const counted = booked.map(([, amount]) => ore(amount)).filter(counts);
      return formatAmount({ minor: counted.reduce((all, one) => all + one, 0n), currency: 'NOK' });
    };
    return { month, income: sum((one) => one > 0n), spending: sum((one) => one < 0n), left: sum(() => true) };
  });
}
