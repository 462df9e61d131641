import { addDays, epochDay, type LocalDate } from '../../values/local-date.ts';
import { hundredths, interestDue } from './interest.ts';
import { textsOfBank } from './event-on.ts';
import type { Booking, Happening } from './happening.ts';
import { hasFunds, interpret, isShort, type Reserve, type Teller, wholeHundred } from './interpret.ts';
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
interface Past extends Events {
  /** The balance at which it ends: that of today, or more if that one cannot pay what comes. */
  readonly balance: bigint;
}

/** What happened on an account. */
interface Events {
  readonly bookings: readonly (Booking & { readonly key: string })[];
  /** Purchases that are not booked yet, by key. */
  readonly open: ReadonlyMap<string, Reserve>;
  /** Keys of the purchases that happened and on which others hang. */
  readonly awaited: readonly string[];
}

/**
 * The past that ends at the balance of today (rules.md L9), or at more if that cannot pay the bills and orders `ahead` (L3); a persona that is
 * short of funds gets no more. First its events are booked in order of time: for a persona that is short, a purchase without funds does not
 * happen, nor does what hangs on it, and a standing order without funds costs a fee. Then the opening balance is what makes the past end as it
 * must, and what can be spared goes away evenly on its paydays (L3b), so that the account is never below its credit line.
 * `happenings` and `ahead` in order of time; an order at each run that may try it, and salaries as a `post`. Yields where the caller may let
 * others work.
 */
export function* pastOf(
  happenings: readonly Happening[],
  ahead: readonly Happening[],
  { balance: today, ...others }: AccountOfPast,
): Generator<void, Past> {
  const left = [...happenings, ...ahead].find(({ action }) => action.kind === 'left over');
  const action = left?.action.kind === 'left over' ? left.action : null;
  const keeps = action !== null && isShort(action.keeps) ? action.keeps : null;
  const first = walk(happenings, { ...others, opening: keeps ?? 0n, line: keeps === null ? null : others.creditLine });
  const reserved = happenings.filter(({ key, action }) => action.kind === 'reserve' && first.open.has(key));
  const { lowest } = walk([...reserved, ...ahead], { ...others, opening: today, line: null, awaited: first.awaited });
  const lacking = lowest === null || keeps !== null ? 0n : -others.creditLine - lowest;
  const account = { ...others, balance: today + inWhole(wholeHundred, lacking) };
  const spared = {
    to: action?.to,
    details: action?.details ?? { remittanceInformationUnstructured: 'Sparing' },
    key: left === undefined ? spareKey : `${left.key}.${spareKey}`,
    isEven: true,
  } as const;
  const unit = keeps === null ? 10n * wholeHundred : wholeHundred;
  let { bookings } = first;
  // Interest follows the opening balance, which follows interest.
  for (let round = 0; round < maxRounds; round += 1) {
    yield;
    const even = savedEvenly(bookings, account, unit, spared);
    const before = sum(even);
    bookings = withInterest(even, account.balance - before, account);
    if (sum(bookings) === before) break;
  }
  const { open, awaited } = first;
  return { open, awaited, balance: account.balance, bookings: bookings.filter(({ amount }) => amount !== 0n) };
}

/** What these events book on an account that never lacks funds, without interest and what is left over. */
export function bookedFrom(happenings: readonly Happening[]): readonly Booking[] {
  const { bookings } = walk(happenings, { opening: 0n, line: null, previousSettlement: (_, date) => date });
  return bookings.filter(({ amount, isEven }) => isEven !== true && amount !== 0n);
}

/** After this many rounds interest no longer changes, or only back and forth by an øre: each round changes it by a small part. */
const maxRounds = 30;

/** An event that is booked; interest, and what is saved evenly, follow the opening balance. */
interface Walked extends Booking {
  readonly key: string;
  readonly interest?: InterestOrFee;
  /** Whether it is saved evenly. */
  readonly isEven?: true;
}

/** What an account has when its events begin. */
interface WalkFrom extends Pick<AccountOfPast, 'previousSettlement'> {
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
      book({ ...booking, key, ...(line === null && action.kind === 'left over' && { isEven: true as const }) }),
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
  readonly #moves: { day: number; moved: bigint }[] = [];

  constructor(opening: bigint) {
    this.balance = opening;
  }

  add({ amount, bookingDate }: Booking): void {
    this.balance += amount;
    const day = epochDay(bookingDate);
    const last = this.#moves.at(-1);
    if (last?.day === day) last.moved += amount;
    else this.#moves.push({ day, moved: amount });
  }

  /** Interest in øre of the days from one to before another: below zero if the account owes it. */
  interest(event: InterestOrFee, from: LocalDate, date: LocalDate): bigint {
    // What is booked late stands behind what was booked on later days.
    this.#moves.sort((one, other) => one.day - other.day);
    return interestDue(event, { balance: this.balance, moves: this.#moves }, { from, to: addDays(date, -1) });
  }
}

/** The same bookings with the interest that they come to from this opening balance on. */
function withInterest(bookings: readonly Walked[], opening: bigint, { previousSettlement }: AccountOfPast): Walked[] {
  const history = new History(opening);
  return bookings.map((booking) => {
    const { interest, bookingDate: date } = booking;
    const amount =
      interest === undefined ? booking.amount : history.interest(interest, previousSettlement(interest, date), date);
    const due = { ...booking, amount };
    history.add(due);
    return due;
  });
}

/**
 * The same bookings, with the same amount saved on each payday (rules.md L3b): what keeps the account at its level and above its credit line. What
 * lacks after the last payday leaves as soon as it can; so does all of it if nothing is saved evenly.
 */
function savedEvenly(
  walked: readonly Walked[],
  { balance, creditLine }: AccountOfPast,
  unit: bigint,
  spared: Omit<Walked, 'amount' | 'bookingDate' | 'valueDate'>,
): Walked[] {
  const lowest = balance < -creditLine ? balance : -creditLine;
  let bookings = walked
    .filter(({ key }) => key !== spared.key)
    .map((each) => (each.isEven === true ? { ...each, amount: 0n } : each));
  const opening = balance - sum(bookings);
  let level = opening;
  const dip = [opening, ...bookings.map(({ amount }) => (level += amount))].findLastIndex((each) => each < lowest);
  const lastPayday = bookings.findLastIndex(({ isEven }) => isEven);
  const after = bookings[dip];
  if (dip > lastPayday && after !== undefined) {
    const { bookingDate } = after;
    bookings = bookings.toSpliced(dip + 1, 0, { ...spared, amount: 0n, bookingDate, valueDate: bookingDate });
  }
  let left = BigInt(bookings.filter(({ isEven }) => isEven).length);
  let saved = lastPayday < 0 ? 0n : inWhole(unit, sum(bookings.slice(0, lastPayday)) / left - unit);
  level = opening;
  for (const { amount, isEven } of [{ amount: 0n, isEven: false }, ...bookings]) {
    level += amount;
    if (isEven === true) left -= 1n;
    const needed = left === 0n ? 0n : inWhole(unit, (lowest - level + left - 1n) / left);
    if (needed > saved) saved = needed;
  }
  return bookings.map((each) => (each.isEven === true ? { ...each, amount: -saved } : each));
}

/** The key of what an account could spare in its past, if its persona has nothing left over. */
export const spareKey = 'spared';

/** This much in whole units, rounded up; nothing below zero. */
function inWhole(unit: bigint, amount: bigint): bigint {
  return amount <= 0n ? 0n : ((amount + unit - 1n) / unit) * unit;
}

function sum(bookings: readonly { readonly amount: bigint }[]): bigint {
  return bookings.reduce((all, { amount }) => all + amount, 0n);
}
