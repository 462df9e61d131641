import { addDays, epochDay, type LocalDate } from '../../values/local-date.ts';
import { hundredths, interestDue } from './interest.ts';
import { textsOfBank } from './event-on.ts';
import type { EventBooking, Happening } from './happening.ts';
import {
  hasFunds,
  interpret,
  isShort,
  type LeftOverAction,
  type Reserve,
  type Teller,
  thousand,
  wholeHundred,
} from './interpret.ts';
import type { InterestOrFee } from './persona.ts';

/** An account whose past is made. Amounts in øre. */
interface AccountOfPast {
  /** What stands on it today. */
  readonly balance: bigint;
  readonly creditLine: bigint;
  /** The day before this one on which interest was last booked, or the first of the past. */
  readonly previousSettlement: (event: InterestOrFee, date: LocalDate) => LocalDate;
}

/** A past as it is booked: its bookings in order, with the keys of their events. */
interface MadePast extends Events {
  /** The balance at which it ends: that of today, or more if that one cannot pay what comes. */
  readonly balance: bigint;
}

/** What happened on an account. */
interface Events {
  readonly bookings: readonly (EventBooking & { readonly key: string })[];
  /** Purchases that are not booked yet, by key. */
  readonly open: ReadonlyMap<string, Reserve>;
  /** Keys of the purchases that happened and on which others hang. */
  readonly awaited: readonly string[];
}

/**
 * The past of an account. It ends at the balance of today (rules.md L9). It ends at more if that balance cannot pay the
 * bills and orders `ahead` (L3), or if the past would go below the credit line (L3b); a persona that is short of funds
 * gets no more. First its events are booked in order of time. A persona that is short makes no purchase without funds,
 * and what depends on the purchase does not happen; it pays a fee for a standing order without funds. Then the opening
 * balance follows from the end, and what is left over leaves in equal parts on the paydays. `happenings` and `ahead`
 * are in order of time; an order is there for each run that may try it, and salaries are a `post`. Yields where the
 * caller may let others work.
 */
export function* pastOf(
  happenings: readonly Happening[],
  ahead: readonly Happening[],
  { balance: today, ...others }: AccountOfPast,
): Generator<void, MadePast> {
  const left = [...happenings, ...ahead].find(({ action }) => action.kind === 'left over');
  const action = left?.action.kind === 'left over' ? left.action : null;
  const { keeps = null, most = null } = action ?? {};
  const short = isShort(keeps) ? keeps : null;
  const spare = action === null || short === null ? null : { ...action, key: `${left?.key}${spared}` };
  const first = walk(happenings, { ...others, opening: short ?? 0n, line: short === null ? null : others.creditLine });
  const { open, awaited } = first;
  const reserved = happenings.filter(({ key, action }) => action.kind === 'reserve' && open.has(key));
  let [balance, bookings] = [today, first.bookings];
  // What the account gets may be saved on a payday before the bill that lacked it.
  for (let round = 0; round < maxRounds && short === null; round += 1) {
    const { lowest } = walk([...reserved, ...ahead], { ...others, opening: balance, line: null, awaited });
    if (lowest === null || lowest >= -others.creditLine) break;
    balance += inWhole(wholeHundred, -others.creditLine - lowest);
  }
  // Interest follows the opening balance, which follows interest.
  for (let round = 0; round < maxRounds; round += 1) {
    yield;
    const even = savedEvenly(bookings, { ...others, balance }, { most, spare });
    const before = sum(even.saved);
    bookings = withInterest(even.saved, even.balance - before, others);
    if (even.balance === balance && sum(bookings) === before) break;
    ({ balance } = even);
  }
  return { open, awaited, balance, bookings: bookings.filter(({ amount }) => amount !== 0n) };
}

/** What these events book on an account that never lacks funds, without interest and what is left over. */
export function bookedFrom(happenings: readonly Happening[]): readonly EventBooking[] {
  const { bookings } = walk(happenings, { opening: 0n, line: null, previousSettlement: (_, date) => date });
  return bookings.filter(({ amount, paidIn }) => paidIn === undefined && amount !== 0n);
}

/**
 * After this many rounds interest no longer changes, or only back and forth by an øre: each round changes it by a small
 * part.
 */
const maxRounds = 30;

/** An event that is booked; interest, and what is saved evenly, follow the opening balance. */
interface Walked extends EventBooking {
  readonly key: string;
  readonly interest?: InterestOrFee;
  /** Of what is saved evenly: what came in before it on its day. */
  readonly paidIn?: bigint;
}

type WalkedBy = Pick<AccountOfPast, 'previousSettlement'>;

/** What an account has when its events begin. */
interface WalkFrom extends WalkedBy {
  readonly opening: bigint;
  /** Its credit line, or null if funds are not asked for. */
  readonly line: bigint | null;
  /** Keys of purchases that happened before, and on which events hang. */
  readonly awaited?: readonly string[];
}

/** `lowest` is the least that was available after a bill or an order, or null if none came. */
function walk(
  happenings: readonly Happening[],
  { opening, line, awaited = [], previousSettlement }: WalkFrom,
): Omit<Events, 'bookings'> & { readonly bookings: readonly Walked[]; readonly lowest: bigint | null } {
  const account = { balance: opening, reserved: 0n, line, open: new Map<string, Reserve>() };
  const history = new History(opening);
  const bookings: Walked[] = [];
  const happened = new Set(awaited);
  const paid = new Set<string>();
  let failed = 0n;
  let lowest: bigint | null = null;
  const book = (booking: Walked): void => {
    account.balance += booking.amount;
    history.add(booking);
    bookings.push(booking);
  };
  const charge = (key: string, event: InterestOrFee, date: LocalDate): void => {
    const dates = { key, bookingDate: date, valueDate: date, details: textsOfBank(event) };
    if (event.kind === 'fee for failed orders') {
      if (failed > 0n) book({ ...dates, amount: -failed * hundredths(event.rate) });
      failed = 0n;
      return;
    }
    // Where funds are not asked for, nobody knows yet what stood on the account.
    const amount = line === null ? 0n : history.interest(event, previousSettlement(event, date), date);
    book({ ...dates, amount, interest: event });
  };
  const teller: Teller<typeof account, Reserve, never> = {
    hasHappened: (_, key) => happened.has(key),
    book: (_, { key, action }, booking) =>
      book({ ...booking, key, ...(line === null && action.kind === 'left over' && { paidIn: action.income }) }),
    reserve: (_, { key, isAwaited }, action) => {
      if (isAwaited === true) happened.add(key);
      return action;
    },
    release: () => undefined,
    byBank: (_, { key, action }) => {
      if (action.kind === 'interest or fee') charge(key, action.event, action.date);
      if (action.kind !== 'order' || paid.has(key)) return null;
      if (hasFunds(account, action.amount)) {
        paid.add(key);
        book({ ...action, key });
      } else if (action.isLast === true) failed += 1n;
      return null;
    },
  };
  for (const happening of happenings) {
    interpret(account, happening, teller);
    const { action } = happening;
    const left = account.balance - account.reserved;
    const isBill = action.kind === 'order' || (action.kind === 'post' && action.needsFunds && action.amount < 0n);
    if (isBill && (lowest === null || left < lowest)) lowest = left;
  }
  return { bookings, open: account.open, awaited: [...happened], lowest };
}

/** What has been booked on an account, in the order in which it came. */
class History {
  balance: bigint;
  readonly #moves: { readonly date: LocalDate; readonly day: number; moved: bigint }[] = [];

  constructor(opening: bigint) {
    this.balance = opening;
  }

  add({ amount, bookingDate }: EventBooking): void {
    this.balance += amount;
    const last = this.#moves.at(-1);
    if (last?.date === bookingDate) last.moved += amount;
    else this.#moves.push({ date: bookingDate, day: epochDay(bookingDate), moved: amount });
  }

  /** Interest in øre of the days from one to before another: below zero if the account owes it. */
  interest(event: InterestOrFee, from: LocalDate, date: LocalDate): bigint {
    // What is booked late stands behind what was booked on later days.
    this.#moves.sort((one, other) => one.day - other.day);
    return interestDue(event, { balance: this.balance, moves: this.#moves }, { from, to: addDays(date, -1) });
  }
}

/** The same bookings with the interest that they come to from this opening balance on. */
function withInterest(bookings: readonly Walked[], opening: bigint, { previousSettlement }: WalkedBy): Walked[] {
  const history = new History(opening);
  return bookings.map((booking) => {
    const { interest, bookingDate: date } = booking;
    const due =
      interest === undefined
        ? booking
        : { ...booking, amount: history.interest(interest, previousSettlement(interest, date), date) };
    history.add(due);
    return due;
  });
}

/**
 * The same bookings, with the same amount saved on each payday (rules.md L3b), at most `most`: as much as keeps the
 * account at its level and above its credit line, on a payday without its income. What still lacks raises the balance
 * at which the past ends, in whole hundreds; `spare` pays it to creditors instead, as soon as the account never lacks
 * it afterwards.
 */
function savedEvenly(
  walked: readonly Walked[],
  { balance, creditLine }: AccountOfPast,
  { most, spare }: { readonly most: bigint | null; readonly spare: (LeftOverAction & Pick<Walked, 'key'>) | null },
): { readonly saved: readonly Walked[]; readonly balance: bigint } {
  const lowest = balance < -creditLine ? balance : -creditLine;
  const bookings = walked
    .filter(({ key }) => key !== spare?.key)
    .map((each) => (each.paidIn === undefined ? each : { ...each, amount: 0n }));
  const paydays = bookings.flatMap(({ paidIn }, place) => (paidIn === undefined ? [] : [place]));
  let [level, left] = [balance - sum(bookings), BigInt(paydays.length)];
  const lacks = [{ lacking: lowest - level, left }];
  for (const { amount, paidIn } of bookings) {
    level += amount;
    if (paidIn !== undefined) left -= 1n;
    lacks.push({ lacking: lowest - level + (paidIn ?? 0n), left });
  }
  const needed = lacks.map((each) => (each.left === 0n ? 0n : (each.lacking + each.left - 1n) / each.left));
  const netted = sum(bookings.slice(0, paydays.at(-1) ?? 0)) / BigInt(paydays.length || 1) - thousand;
  const wanted = inWhole(thousand, largest([netted, ...needed]));
  const each = most !== null && wanted > most ? most : wanted;
  const saved = bookings.map((booking) => (booking.paidIn === undefined ? booking : { ...booking, amount: -each }));
  const more = inWhole(wholeHundred, largest(lacks.map(({ lacking, left }) => lacking - each * left)));
  const dip = lacks.findLastIndex(({ lacking }) => lacking > 0n);
  const date = saved[dip]?.bookingDate;
  if (spare === null || date === undefined) return { saved, balance: balance + more };
  const paid = { ...spare, bookingDate: date, valueDate: date, amount: -more };
  return { saved: saved.toSpliced(dip + 1, 0, paid), balance };
}

/** Ends the key of what goes to creditors at once. */
export const spared = '.spared';

function largest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, each) => (each > most ? each : most), 0n);
}

/** This much in whole units, rounded up; nothing below zero. */
function inWhole(unit: bigint, amount: bigint): bigint {
  return amount <= 0n ? 0n : ((amount + unit - 1n) / unit) * unit;
}

function sum(bookings: readonly { readonly amount: bigint }[]): bigint {
  return bookings.reduce((all, { amount }) => all + amount, 0n);
}
