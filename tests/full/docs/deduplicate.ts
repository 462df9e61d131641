import { addTransactions } from '../../../engine/accounts/mock-transactions.ts';
import type { KnownState } from '../../../engine/bank/known-state.ts';
import type { Quirks } from '../../../engine/bank/rules/quirk.ts';
import { advanceClock } from '../../../engine/runs/advance-clock.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import { localDate } from '../../../engine/values/local-date.ts';
import { knownState, manualClock, memoryBank } from '../../lab/bank.ts';
import { accountIdOf, consented } from '../../lab/consented.ts';
import { dayAfter, instantOf } from '../../lab/simulation/days.ts';
import { wireList, type WireTransaction } from '../../lab/simulation/wire-list.ts';

/**
 * Rules by which programs know a booked transaction again, each as a text that is equal for the same one. The first two are those of a
 * budgeting program before and after its users at SR-Bank had everything twice: it joined an id with the date and the amount, and took the
 * bank's own code for the id from then on.
 */
export const rules = {
  'its id, date and amount': ({ transactionId = '', ...one }) => joined(transactionId, dateAndAmount(one)),
  "the bank's own code, date and amount": ({ proprietaryBankTransactionCode: code = '', ...one }) =>
    joined(code, dateAndAmount(one)),
  'date, amount and text': ({ remittanceInformationUnstructured: text = '', ...one }) =>
    joined(dateAndAmount(one), text),
  'its id alone': ({ transactionId = '' }) => transactionId,
} as const satisfies Readonly<Record<string, (one: WireTransaction) => string>>;

export type Rule = keyof typeof rules;

/** What a program has booked wrongly. Both are 0 if the rule survives. */
export interface Deduplicated {
  /** Transactions that it has more than once. */
  readonly again: number;
  /** Transactions that it has not. */
  readonly missed: number;
}

const firstDay = '2027-01-04';
const days = 90;
/** Each night the program reads so many days back. */
const windowDays = 30;
/** The consent is renewed then, in a new session. */
const renewedOn = 60;

/**
 * What each rule makes of {@link days} days with a card purchase on each, and one day with two of the same amount in two shops, at a bank
 * with these quirks, after what its known state has booked. The program reads at night, the last 30 days each time.
 */
export async function deduplicate(
  quirks: Quirks,
  state: KnownState = knownState,
): Promise<Readonly<Record<Rule, Deduplicated>>> {
  const start = instantOf(`${firstDay} 12:00`) as Instant;
  const wall = manualClock(start);
  const bank = await memoryBank(firstDay, { wall, start: { mode: 'frozen', now: start }, knownState: state, quirks });
  const account = await accountIdOf(bank, 'nora');
  let request = await consented(bank, 'nora');
  const books = new Map(Object.keys(rules).map((rule) => [rule as Rule, new Map<string, number>()]));
  const listed = new Set<number>();
  let made = 0;
  for (let day = 0; day < days; day += 1) {
    const date = localDate(dayAfter(firstDay, day));
    for (const amount of day === 40 ? [-4_990n, -4_990n] : [BigInt(-10_000 - day)]) {
      made += 1;
      const details = { remittanceInformationUnstructured: `Shop ${made}` };
      await addTransactions(bank, account, [{ amount, currency: 'NOK', bookingDate: date, valueDate: date, details }]);
    }
    if (day === renewedOn) request = await consented(bank, 'nora', { sessionId: 'session-2' });
    await advanceClock(bank, instantOf(`${date} 23:00`) as Instant);
    const dateFrom = dayAfter(date, 1 - windowDays);
    const { booked, numbers } = await wireList(bank, request, account, { bookingStatus: 'booked', dateFrom });
    for (const [index, number] of numbers.entries()) {
      listed.add(number);
      const one = booked[index];
      if (one !== undefined) for (const [rule, known] of books) known.set(rules[rule](one), number);
    }
    await advanceClock(bank, instantOf(`${dayAfter(date, 1)} 12:00`) as Instant);
  }
  await bank.close();
  const found = [...books].map(([rule, known]) => [rule, judged([...known.values()], listed.size)] as const);
  return Object.fromEntries(found) as Record<Rule, Deduplicated>;
}

/** `known`: the number of each transaction that the program has; `listed`: how many there were. */
function judged(known: readonly number[], listed: number): Deduplicated {
  const once = new Set(known);
  return { again: known.length - once.size, missed: listed - once.size };
}

function dateAndAmount({ bookingDate = '', transactionAmount }: WireTransaction): string {
  return joined(bookingDate, transactionAmount.amount, transactionAmount.currency);
}

function joined(...parts: readonly string[]): string {
  return parts.join(' | ');
}
