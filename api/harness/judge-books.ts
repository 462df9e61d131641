import { dayOf, formatMonth, localDate, monthOf } from '../../engine/values/local-date.ts';
import type { BookEntry, Misbooked, ReadBookedTransaction } from './types.ts';

/** What can be wrong with books. */
export const kindsOfMistakes = ['lost', 'doubled', 'changed'] as const;

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
export function compareBooks(
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
