import { readFileSync, writeFileSync } from 'node:fs';
import { wireIdsOf } from '../../../api/quirks/encrypted-ids.ts';
import { bankServer } from '../../../api/harness/bank-server.ts';
import { harnessBank } from '../../../api/harness/harness-bank.ts';
import type { AccountReader, Bank, ReadBookedTransaction } from '../../../api/harness/index.ts';
import { dayAfter } from '../../lab/simulation/days.ts';

/**
 * Rules by which programs know a booked transaction again, each as a text that is equal for the same one. The first two are those of a
 * budgeting program before and after its users at SR-Bank had everything twice: it joined an id with the date and the amount, and took the
 * bank's own code for the id from then on.
 */
export const rules = {
  'its id, date and amount': (one) => joined(one.transactionId, dateAndAmount(one)),
  "the bank's own code, date and amount": (one) => joined(one.proprietaryBankTransactionCode, dateAndAmount(one)),
  'date, amount and text': (one) => contentOf(one),
  'its id alone': ({ transactionId }) => joined(transactionId),
} as const satisfies Readonly<Record<string, (one: ReadBookedTransaction) => string>>;

export type Rule = keyof typeof rules;

/** What the books of a program with a rule have in the end: `each once`, or `30 doubled, 1 lost`. */
export type Cells = Readonly<Record<Rule, string>>;

/** Each night the programs read so many days back. */
const windowDays = 30;

const [psu, account] = ['13039319955', '09232911044'];
const firstDay = '2027-01-04';
/** Shorter than any consent lasts. */
const daysOfConsent = 89;

/** What a program with each rule makes of some days of a family at the bank of a profile. The programs read each night at 23:30. */
export async function deduplicate(profile: string, days: number): Promise<Cells> {
  const server = await bankServer({ profile, now: `${firstDay}T23:30:00+01:00`, idSeed: 'deduplicate' });
  await using bank = harnessBank(server);
  const { status } = await bank.fetch('/sandbox/life', {
    method: 'POST',
    body: { account, persona: 'family', months: 1 },
  });
  if (status !== 200) throw new Error(`the life was refused with ${status}`);
  const tpp = bank.tpp({ name: 'reader', roles: ['PSP_AI'] });
  const books = Object.values(rules).map((keyOf) => ({ keyOf, entries: new Map<string, ReadBookedTransaction>() }));
  let reader = await tpp.consent({ psu, accounts: [account] });
  for (let night = 0; night < days; night += 1) {
    if (night > 0) await bank.clock.advance('P1D');
    if (night % daysOfConsent === 0) reader = await tpp.consent({ psu, accounts: [account] });
    const day = dayAfter(firstDay, night);
    await buyTwice(bank, day);
    const { booked } = await reader.transactions(account, { from: dayAfter(day, 1 - windowDays) });
    for (const { keyOf, entries } of books) for (const one of booked) entries.set(keyOf(one), one);
  }
  const ids = await wireIdsOf(server.bank);
  const idOf = ({ transactionId = '' }: ReadBookedTransaction): string => {
    const { id } = ids.read('transaction', transactionId) ?? {};
    return id ?? transactionId;
  };
  const shown = await allBooked(bank);
  const cells = books.map(({ entries }) => cellOf([...entries.values()], shown, idOf));
  return Object.fromEntries(Object.keys(rules).map((rule, at) => [rule, cells[at]])) as Cells;
}

/** All that is booked since the first day, as the bank shows it now to a TPP with a consent of its own. */
async function allBooked(bank: Bank): Promise<readonly ReadBookedTransaction[]> {
  const tpp = bank.tpp({ name: 'truth', roles: ['PSP_AI'] });
  const { headers, accounts }: AccountReader = await tpp.consent({ psu, accounts: [account] });
  const [own] = await accounts();
  const all: ReadBookedTransaction[] = [];
  for (;;) {
    // By offset: a quirk hides the link to the next page.
    const query = `bookingStatus=booked&dateFrom=${firstDay}&limit=200&offset=${all.length}`;
    const answer = await tpp.fetch(`/v1/accounts/${own?.resourceId}/transactions?${query}`, { headers });
    const { transactions } = await answer.json<{ transactions: { booked: readonly ReadBookedTransaction[] } }>();
    if (transactions.booked.length === 0) return all;
    all.push(...transactions.booked);
  }
}

/** How the entries of books since the first day differ from what the bank shows. `idOf`: the id that a transaction keeps. */
function cellOf(
  entries: readonly ReadBookedTransaction[],
  shown: readonly ReadBookedTransaction[],
  idOf: (one: ReadBookedTransaction) => string,
): string {
  const bookedAs = Map.groupBy(
    entries.filter(({ bookingDate }) => bookingDate >= firstDay),
    idOf,
  );
  const told = { lost: 0, doubled: 0, changed: 0 };
  for (const one of shown) {
    const own = bookedAs.get(idOf(one)) ?? [];
    if (own.length === 0) told.lost += 1;
    if (own.length > 1) told.doubled += 1;
    if (own.length > 0 && own.every((entry) => contentOf(entry) !== contentOf(one))) told.changed += 1;
  }
  const parts = Object.entries(told).flatMap(([kind, count]) => (count === 0 ? [] : [`${count} ${kind}`]));
  return parts.join(', ') || 'each once';
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

function contentOf(one: ReadBookedTransaction): string {
  return joined(dateAndAmount(one), one.remittanceInformationUnstructured);
}

function dateAndAmount({ bookingDate, transactionAmount }: ReadBookedTransaction): string {
  return joined(bookingDate, transactionAmount.amount, transactionAmount.currency);
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.map((part = '') => part).join(' | ');
}

/** The columns of the table: profiles by their names in it. */
export const columns: Readonly<Record<string, string>> = {
  'the default': 'fana-sparebank',
  ...Object.fromEntries(
    ['bien-sparebank', 'every-quirk', 'sparebank1-ostlandet', 'sparebank1-sor-norge-sr'].map((id) => [`\`${id}\``, id]),
  ),
};

/** Number of days of the table. */
const tableDays = 90;
export const page = 'docs/account-information/reconcile.md';
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

/** What the columns of these names have. */
export async function computed(names: readonly string[]): Promise<Map<string, Cells>> {
  const found = new Map<string, Cells>();
  for (const name of names) found.set(name, await deduplicate(columns[name] ?? '', tableDays));
  return found;
}

/** What the columns of the page have. */
export function shownOn(text: string): Map<string, Cells> {
  const [head = '', , ...rows] = text.slice(text.indexOf(heading)).split('\n\n', 1)[0]?.split('\n') ?? [];
  const cellsOf = (row: string): string[] =>
    row
      .split('|')
      .map((cell) => cell.trim())
      .slice(2, -1);
  const ruleOf = (row: string): string => row.split('|')[1]?.trim() ?? '';
  const ofColumn = (at: number) => Object.fromEntries(rows.map((row) => [ruleOf(row), cellsOf(row)[at]])) as Cells;
  return new Map(cellsOf(head).map((name, at) => [name, ofColumn(at)]));
}

// `node tests/full/docs/deduplicate.ts` writes the table again.
if (import.meta.main) writeFileSync(page, pageWith(readFileSync(page, 'utf8'), await computed(Object.keys(columns))));
