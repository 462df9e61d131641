import type { Quirk } from '../../engine/bank/rules/quirk.ts';
import { accessDays } from '../../engine/parties/rules/access.ts';
import { formatInstant, osloInstant } from '../../engine/values/instant.ts';
import { addDays, localDate, parseLocalDate, dayOf, formatMonth, monthOf } from '../../engine/values/local-date.ts';
import { assert } from '../../engine/values/assert.ts';
import { wireIdsOf } from '../habits/encrypted-ids.ts';
import { isBank, listedProfiles, profileOf, loadProfile, quirksOf } from '../start/profile.ts';
import { bankServer } from './bank-server.ts';
import { membersGiven, messageOf, wrongGiven } from './given.ts';
import { harnessBank } from './harness-bank.ts';
import type {
  Bank,
  BookEntry,
  JudgedBooks,
  JudgeOptions,
  Misbooked,
  Night,
  NightlyRead,
  ReadBookedTransaction,
  Tpp,
} from './types.ts';

/** Whose account is read. */
const [psu, account] = ['13039319955', '09232911044'];
/** The books are compared after so many nights, and after the last one. */
const nightsBetween = 10;

/** A program of any state. */
// oxlint-disable-next-line typescript/no-explicit-any -- the state is the program's own
type AnyRead = NightlyRead<any>;

interface Plan extends Required<Omit<JudgeOptions, 'profiles'>> {
  /** Habits of the profile that are switched off. */
  readonly off?: readonly Quirk[];
  /** What happens beside the life, before each night. */
  readonly happens?: (bank: Bank, day: string) => Promise<void>;
}

/** Judges one program at each bank. Throws an Error for wrong options, and one that names bank and day if the program fails. */
export async function judge(read: AnyRead, options: JudgeOptions = {}): Promise<readonly JudgedBooks[]> {
  membersGiven('judgeReader', ['profiles', 'persona', 'days', 'from'], options);
  if (typeof read !== 'function') throw wrongGiven('judgeReader', 'a function that reads', read);
  const { profiles, persona = 'family', days = 200, from = '2027-01-04' } = options;
  if (profiles !== undefined && !Array.isArray(profiles))
    throw wrongGiven('judgeReader', 'a list of banks in profiles', profiles);
  if (!Number.isInteger(days) || days < 1 || days > 1_000) throw wrongGiven('judgeReader', '1 to 1000 days', days);
  if (parseLocalDate(from) === null) throw wrongGiven('judgeReader', 'a date such as 2027-01-04 in from', from);
  const judged: JudgedBooks[] = [];
  for (const profile of profiles ?? (await richBanks()))
    judged.push(await judgeAt(profile, read, { persona, days, from }));
  return judged;
}

async function judgeAt(profile: string | object, read: AnyRead, plan: Plan): Promise<JudgedBooks> {
  const { id, quirks } =
    typeof profile === 'string' ? await loadProfile(profile) : await profileOf(structuredClone(profile));
  const habits = [...quirksOf({ quirks }).keys()];
  const { compared, firstWrong } = await liveAlone(read, profile, plan);
  const found: Record<Kind, readonly Misbooked[]> = { lost: [], doubled: [], changed: [] };
  for (const kind of kindsOfMistakes) {
    if (compared[kind].length === 0) continue;
    const days = firstWrong[kind] ?? plan.days;
    const isWrong = async (off: readonly Quirk[]): Promise<boolean> => {
      const other = await liveAlone(read, profile, { ...plan, days, off });
      return other.compared[kind].length > 0;
    };
    const habit = await habitBehind(habits, isWrong);
    found[kind] = compared[kind].map((one) => ({ ...one, habit }));
  }
  const { transactions } = compared;
  return { profile: id, transactions, ...found, line: lineOf(id, transactions, found) };
}

async function liveAlone(read: AnyRead, profile: string | object, plan: Plan): Promise<Lived> {
  const [lived] = await live([read], profile, plan);
  assert(lived !== undefined, 'there is one program');
  return lived;
}

/** The habit without which the books are right; null: they are wrong without all of them. Halves the habits until one is left. */
async function habitBehind(
  habits: readonly Quirk[],
  isWrong: (off: readonly Quirk[]) => Promise<boolean>,
): Promise<Quirk | null> {
  if (habits.length === 0 || (await isWrong(habits))) return null;
  let left = habits;
  while (left.length > 1) {
    const half = left.slice(0, Math.ceil(left.length / 2));
    left = (await isWrong(half)) ? left.slice(half.length) : half;
  }
  return left[0] ?? null;
}

/** What became of one program's books. */
interface Lived {
  /** After the last night. */
  readonly compared: Compared;
  /** After how many nights a mistake of a kind was there first. */
  readonly firstWrong: Partial<Record<Kind, number>>;
}

/** Lives the days at a bank of this profile and has each program read in each night. Returns what became of each one's books. */
export async function live(
  reads: readonly AnyRead[],
  profile: string | object,
  { persona, days, from, off = [], happens }: Plan,
): Promise<readonly Lived[]> {
  const firstDay = localDate(from);
  const now = formatInstant(osloInstant(firstDay, '23:30'));
  const server = await bankServer({ profile, now, quirks: off.map((name) => `-${name}`) as never, idSeed: 'judge' });
  await using bank = harnessBank(server);
  await beginLife(bank, persona);
  const tpp = bank.tpp({ name: 'reader', roles: ['PSP_AI'] });
  const judge = bank.tpp({ name: 'judge', roles: ['PSP_AI'] });
  const consentDays = server.bank.quirks.get('consent-days') ?? accessDays;
  const programs = reads.map((read) => ({ read, state: {}, firstWrong: {} as Lived['firstWrong'] }));
  let reader = await tpp.consent({ psu, accounts: [account] });
  for (let night = 1; ; night += 1) {
    const day = addDays(firstDay, night - 1);
    await happens?.(bank, day);
    const books: (readonly BookEntry[])[] = [];
    for (const { read, state } of programs) books.push(await booksOf(read, { reader, account, day, state }, profile));
    if (night % nightsBetween === 0 || night === days) {
      const wire = await wireIdsOf(server.bank);
      const idOf = (id: string): string => wire.read('transaction', id)?.id ?? id;
      const all = await shownBy(judge, firstDay);
      const shown = all.map((one, at) => ({ id: idOf(one.transactionId ?? `the ${at}th`), one }));
      const lived = programs.map(({ firstWrong }, at) => {
        const compared = compareBooks(books[at] ?? [], shown, idOf, firstDay);
        for (const kind of kindsOfMistakes) if (compared[kind].length > 0) firstWrong[kind] ??= night;
        return { compared, firstWrong };
      });
      if (night === days) return lived;
    }
    await bank.clock.advance('P1D');
    // The day before access ends.
    if (night % (consentDays - 1) === 0) reader = await tpp.consent({ psu, accounts: [account] });
  }
}

async function beginLife(bank: Bank, persona: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await bank.fetch('/sandbox/life', { method: 'POST', headers, body: { account, persona, months: 1 } });
  if (!answer.ok) throw new Error(`judgeReader: ${(await answer.json<{ detail: string }>()).detail}`);
}

/** The books that a program returns. Throws an Error that names bank and day if it fails, or returns no list of entries. */
async function booksOf(read: AnyRead, night: Night<object>, profile: string | object): Promise<readonly BookEntry[]> {
  const where = `at ${typeof profile === 'string' ? profile : 'the profile'}, in the night of ${night.day}`;
  let books: readonly BookEntry[];
  try {
    books = await read(night);
  } catch (error) {
    throw new Error(`judgeReader: the program failed ${where}: ${messageOf(error)}`, { cause: error });
  }
  const isEntry = (one: unknown): boolean => {
    const { bookingDate, transactionAmount } = Object(one) as Partial<BookEntry>;
    return /^\d{4}-\d\d-\d\d$/.test(String(bookingDate)) && typeof Object(transactionAmount).amount === 'string';
  };
  if (Array.isArray(books) && books.every(isEntry)) return books;
  throw new Error(`judgeReader: the program has to return a list of {bookingDate, transactionAmount, ...} ${where}.`);
}

/** All booked transactions since a day, as the bank shows them now to a TPP with a new consent. */
async function shownBy(tpp: Tpp, since: string): Promise<readonly ReadBookedTransaction[]> {
  const reader = await tpp.consent({ psu, accounts: [account] });
  const [own] = await reader.accounts();
  const all: ReadBookedTransaction[] = [];
  for (;;) {
    // By offset: a habit hides the link to the next page.
    const query = `bookingStatus=booked&dateFrom=${since}&limit=200&offset=${all.length}`;
    const answer = await tpp.fetch(`/v1/accounts/${own?.resourceId}/transactions?${query}`, {
      headers: reader.headers,
    });
    const { transactions } = await answer.json<{ transactions: { booked: readonly ReadBookedTransaction[] } }>();
    all.push(...transactions.booked);
    if (transactions.booked.length === 0) return all;
  }
}

/** The banks of which most is known. */
async function richBanks(): Promise<readonly string[]> {
  const banks = (await listedProfiles()).filter(isBank);
  return banks.filter(({ quality }) => quality === 'rich').map(({ id }) => id);
}

/** What can be wrong with books. */
const kindsOfMistakes = ['lost', 'doubled', 'changed'] as const;

export type Kind = (typeof kindsOfMistakes)[number];
type Mistake = Omit<Misbooked, 'habit'>;

/** How books differ from what the bank has booked. */
export type Compared = Readonly<Record<Kind, readonly Mistake[]>> & { readonly transactions: number };

/** A transaction of the bank, with an id that stays. */
interface Shown {
  readonly id: string;
  readonly one: ReadBookedTransaction;
}

/**
 * Finds the transaction of each entry: by its id, else by what it says. `idOf`: the id that stays, of one that was shown. Entries before `since`
 * are not judged.
 */
function compareBooks(
  books: readonly BookEntry[],
  shown: readonly Shown[],
  idOf: (id: string) => string,
  since: string,
): Compared {
  const byId = new Map(shown.map(({ id, one }) => [id, one]));
  const taken = new Map<string, BookEntry[]>();
  const take = (id: string, entry: BookEntry): void => void taken.set(id, [...(taken.get(id) ?? []), entry]);
  let rest = books.filter(({ bookingDate }) => bookingDate >= since);
  const takeBy = (find: (entry: BookEntry) => string | undefined): void => {
    rest = rest.filter((entry) => {
      const id = find(entry);
      if (id !== undefined) take(id, entry);
      return id === undefined;
    });
  };
  takeBy(({ transactionId = '' }) => {
    const id = idOf(transactionId);
    return byId.has(id) ? id : undefined;
  });
  for (const likeness of [
    [dateOf, amountOf, textOf],
    [dateOf, amountOf],
    [amountOf, textOf],
    [dateOf, textOf],
  ]) {
    const keyOf = (entry: BookEntry): string => likeness.map((member) => member(entry)).join(' ');
    const alike = Map.groupBy(shown, ({ one }) => keyOf(one));
    takeBy((entry) => alike.get(keyOf(entry))?.find(({ id }) => !taken.has(id))?.id);
    // What is there a second time is doubled, and not another one that was changed.
    takeBy((entry) => alike.get(keyOf(entry))?.[0]?.id);
  }
  const found = [...taken].map(([id, entries]) => ({ transaction: byId.get(id) ?? null, entries }));
  return {
    transactions: shown.length,
    lost: shown.filter(({ id }) => !taken.has(id)).map(({ one }) => ({ transaction: one, entries: [] })),
    doubled: found.filter(({ entries }) => entries.length > 1),
    changed: [
      ...found.filter(
        ({ transaction, entries }) => transaction !== null && entries.every((one) => isOther(one, transaction)),
      ),
      ...rest.map((entry) => ({ transaction: null, entries: [entry] })),
    ],
  };
}

function dateOf({ bookingDate }: BookEntry): string {
  return bookingDate;
}

function amountOf({ transactionAmount: { amount, currency } }: BookEntry): string {
  return `${Number(amount)} ${currency}`;
}

function textOf({ remittanceInformationUnstructured: text = '' }: BookEntry): string {
  return text;
}

function isOther(entry: BookEntry, one: ReadBookedTransaction): boolean {
  return (
    dateOf(entry) !== dateOf(one) ||
    amountOf(entry) !== amountOf(one) ||
    (entry.remittanceInformationUnstructured !== undefined && textOf(entry) !== textOf(one))
  );
}

/** `bien-sparebank: 2 lost, first 12 March NÆRMAT TORGET −142.00 (order)`, or that each is there once. */
export function lineOf(
  profile: string,
  transactions: number,
  mistakes: Readonly<Record<Kind, readonly Misbooked[]>>,
): string {
  const parts = kindsOfMistakes.flatMap((kind) => {
    const first = mistakes[kind].toSorted((one, other) => (dateIn(one) < dateIn(other) ? -1 : 1))[0];
    if (first === undefined) return [];
    const habit = first.habit === null ? 'without the habits too' : first.habit.replaceAll('-', ' ');
    return [`${mistakes[kind].length} ${kind}, first ${shortOf(first)} (${habit})`];
  });
  return `${profile}: ${parts.length === 0 ? `${transactions} transactions, each once` : parts.join('; ')}`;
}

function entryOf({ transaction, entries }: Misbooked): BookEntry | undefined {
  return transaction ?? entries[0];
}

function dateIn(one: Misbooked): string {
  return entryOf(one)?.bookingDate ?? '';
}

/** `12 March NÆRMAT TORGET −142.00` */
function shortOf(one: Misbooked): string {
  const entry = entryOf(one);
  if (entry === undefined) return '';
  const day = localDate(entry.bookingDate);
  const name = one.transaction?.creditorName ?? one.transaction?.debtorName ?? textOf(entry);
  return `${dayOf(day)} ${formatMonth(monthOf(day))} ${name} ${entry.transactionAmount.amount.replace('-', '−')}`.replaceAll(
    /\s+/g,
    ' ',
  );
}
