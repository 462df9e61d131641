import type { RunSchedule } from '../time/rules/settlement-run.ts';
import type { LocalDate } from '../values/local-date.ts';
import { formatAmount } from '../values/money.ts';
import { courseOf, personaOf } from './lives.ts';
import { ore } from './rules/event-amounts.ts';
import { amountOf, type Booking } from './rules/happening.ts';
import { interpret, type Reserve, type Teller } from './rules/interpret.ts';
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
  const account = { balance: 0n, reserved: 0n, line: null, open: new Map<string, Reserve>() };
  const happened = new Set<string>();
  const lines: PreviewLine[] = [];
  const print = (day: LocalDate, minor: bigint, text: string) =>
    lines.push([day, formatAmount({ minor, currency: 'NOK' }), text]);
  const book = ({ amount, bookingDate, details }: Booking): void => {
    const { remittanceInformationUnstructured: text = '', creditorName, debtorName } = details;
    const other = amount < 0n ? creditorName : debtorName;
    print(bookingDate, amount, [other, text].filter((each) => each !== undefined).join(': '));
  };
  const teller: Teller<typeof account, Reserve, never> = {
    hasHappened: (_, key) => happened.has(key),
    book: (_account, { action }, booking) => {
      if (action.kind !== 'left over') book(booking);
    },
    reserve: (_, { key }, action) => {
      happened.add(key);
      return action;
    },
    release: () => undefined,
    leaves: () => 0n,
    byBank: (_, { action }) => {
      if (action.kind === 'order') book(action);
      if (action.kind === 'pay') print(action.date, amountOf(action), action.event.text);
      return null;
    },
  };
  const course = courseOf(personaOf(JSON.stringify(persona), null, runs), life, runs);
  for (const happening of course.between(from, to)) interpret(account, happening, teller);
  return lines;
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
