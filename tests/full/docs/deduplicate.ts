import { readFileSync, writeFileSync } from 'node:fs';
import { live } from '../../../api/harness/judge-reader.ts';
import type { Bank, BookEntry, Night, ReadBookedTransaction } from '../../../api/harness/types.ts';
import { dayAfter } from '../../lab/simulation/days.ts';

/**
 * Rules by which programs know a booked transaction again, each as a text that is equal for the same one. The first two are those of a
 * budgeting program before and after its users at SR-Bank had everything twice: it joined an id with the date and the amount, and took the
 * bank's own code for the id from then on.
 */
export const rules = {
  'its id, date and amount': (one) => joined(one.transactionId, dateAndAmount(one)),
  "the bank's own code, date and amount": (one) => joined(one.proprietaryBankTransactionCode, dateAndAmount(one)),
  'date, amount and text': (one) => joined(dateAndAmount(one), one.remittanceInformationUnstructured),
  'its id alone': ({ transactionId }) => joined(transactionId),
} as const satisfies Readonly<Record<string, (one: ReadBookedTransaction) => string>>;

export type Rule = keyof typeof rules;

/** What the books of a program with a rule have in the end: `each once`, or `30 doubled, 1 lost`. */
export type Cells = Readonly<Record<Rule, string>>;

/** Each night the programs read so many days back. */
const windowDays = 30;

/** What a program with each rule makes of some days of a family at the bank of a profile, as the judge of a reader finds it. */
export async function deduplicate(profile: string, days: number): Promise<Cells> {
  let last: { readonly night: string; readonly booked: readonly ReadBookedTransaction[] } | null = null;
  const listIn = async ({ reader, account, day }: Night<object>): Promise<readonly ReadBookedTransaction[]> => {
    if (last?.night !== day) {
      const { booked } = await reader.transactions(account, { from: dayAfter(day, 1 - windowDays) });
      last = { night: day, booked };
    }
    return last.booked;
  };
  const programs = Object.values(rules).map((keyOf) => async (night: Night<{ books: Map<string, BookEntry> }>) => {
    const books = (night.state.books ??= new Map());
    for (const one of await listIn(night)) books.set(keyOf(one), one);
    return [...books.values()];
  });
  const plan = { persona: 'family', days, from: '2027-01-04', happens: buyTwice };
  const lived = await live(programs, profile, plan);
  const cells = Object.keys(rules).map((rule, at) => {
    const { lost = [], doubled = [], changed = [] } = lived[at]?.compared ?? {};
    const told = Object.entries({ lost, doubled, changed }).filter(([, { length }]) => length > 0);
    return [rule, told.map(([kind, { length }]) => `${length} ${kind}`).join(', ') || 'each once'];
  });
  return Object.fromEntries(cells) as Cells;
}

/** On one day the family buys for the same amount in two shops, and twice in one shop. */
async function buyTwice(bank: Bank, day: string): Promise<void> {
  if (day !== '2027-01-20') return;
  const tpp = bank.tpp({ name: 'test-data' });
  const accounts = await (await tpp.consent({ psu: '13039319955' })).accounts();
  const id = accounts.find(({ bban }) => bban === '09232911044')?.resourceId;
  const body = ['Bokhandel', 'Blomster', 'Kiosk', 'Kiosk'].map((text) => ({
    ...{ amount: -49.9, currency: 'NOK', bookingDate: day, valueDate: day },
    remittanceInformationUnstructured: text,
  }));
  const { status } = await tpp.fetch(`/v1/sandbox/accounts/${id}/transactions`, { method: 'POST', body });
  if (status !== 201) throw new Error(`the purchases were refused with ${status}`);
}

function dateAndAmount({ bookingDate, transactionAmount }: BookEntry): string {
  return joined(bookingDate, transactionAmount.amount, transactionAmount.currency);
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.map((part = '') => part).join(' | ');
}

/** The columns of the table: profiles by their names in it. */
export const columns: Readonly<Record<string, string>> = {
  'the default': 'fana-sparebank',
  ...Object.fromEntries(
    ['bien-sparebank', 'every-habit', 'sparebank1-ostlandet', 'sparebank1-sor-norge-sr'].map((id) => [`\`${id}\``, id]),
  ),
};

/** Number of days of the table. */
const tableDays = 90;
export const page = 'docs/account-information.md';
const heading = '| a transaction is known by';

/** The page with this table. */
export function pageWith(text: string, found: ReadonlyMap<string, Cells>): string {
  const rows = (Object.keys(rules) as Rule[]).map((rule) => [rule, ...[...found.values()].map((cells) => cells[rule])]);
  const table = [['a transaction is known by', ...found.keys()], ...rows];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0))) ?? [];
  const lineOf = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...others] = table;
  const lines = [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...others.map(lineOf)];
  const begin = text.indexOf(heading);
  return text.slice(0, begin) + lines.join('\n') + text.slice(text.indexOf('\n\n', begin));
}

/** What each column has. */
export async function computed(): Promise<Map<string, Cells>> {
  const found = new Map<string, Cells>();
  for (const [name, profile] of Object.entries(columns)) found.set(name, await deduplicate(profile, tableDays));
  return found;
}

// `node tests/full/docs/deduplicate.ts` writes the table again.
if (import.meta.main) writeFileSync(page, pageWith(readFileSync(page, 'utf8'), await computed()));
