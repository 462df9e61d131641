import { addDays, epochDay, type LocalDate } from '../../values/local-date.ts';
import { hundredths, interestOf } from './interest.ts';
import { textsOfBank } from './event-on.ts';
import { type Booking, type Happening, isFree } from './happening.ts';
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

type Reserve = Extract<Happening['action'], { readonly kind: 'reserve' }>;

/**
 * How much of these øre goes away, so that the account keeps its part; zero or positive. It goes in whole thousands of kroner, or in whole
 * hundreds if the account keeps less than a thousand.
 */
export function leftOver(available: bigint, keeps: bigint | null): bigint {
  const over = keeps === null ? 0n : available - keeps;
  const unit = isShort(keeps) ? wholeHundred : 10n * wholeHundred;
  return over < unit ? 0n : (over / unit) * unit;
}

/** Whether a persona means to be short: it keeps less than a thousand kroner. */
function isShort(keeps: bigint | null): boolean {
  return keeps !== null && keeps > 0n && keeps < 10n * wholeHundred;
}

const wholeHundred = 10_000n;

/**
 * The past that ends at the balance of today (rules.md L9), or at more if that cannot pay the bills and orders `ahead` (L3); a persona that is
 * short of funds gets no more. First its events are booked in order of time: a purchase without funds does not happen, nor does what hangs on
 * it, a standing order without funds costs a fee, and what is left over on a payday goes away. Then the opening balance is what makes the past end
 * as it must. If the account would have been below its credit line on the way, it had more, and the rest goes away when it can be spared.
 * `happenings` and `ahead` in order of time; an order at its run, and salaries as a `post`.
 */
export function pastOf(
  happenings: readonly Happening[],
  ahead: readonly Happening[],
  { balance: today, ...others }: AccountOfPast,
): Past {
  const left = happenings.find(({ action }) => action.kind === 'left over');
  const action = left?.action.kind === 'left over' ? left.action : null;
  const keeps = action?.keeps ?? null;
  // Without a "keeps" the account is never short: the account had what it needed.
  const first = walk(happenings, {
    opening: keeps ?? 0n,
    line: keeps === null ? null : others.creditLine,
  });
  const reserved = happenings.filter(({ key, action }) => action.kind === 'reserve' && first.open.has(key));
  const { lowest } = walk([...reserved, ...ahead], { opening: today, line: null, awaited: first.awaited });
  const lacking = lowest === null || isShort(keeps) ? 0n : -others.creditLine - lowest;
  const account = { ...others, balance: today + wholeHundreds(lacking) };
  const away = {
    to: action?.to,
    details: action?.details ?? { remittanceInformationUnstructured: 'Sparing' },
    key: left === undefined ? spareKey : `${left.key}.${spareKey}`,
  };
  let bookings = aboveLine(first.bookings, account, away);
  // Interest follows the opening balance, which follows interest.
  for (let round = 0; round < maxRounds; round += 1) {
    const before = sum(bookings);
    bookings = withInterest(bookings, account.balance - before, account);
    if (sum(bookings) === before) break;
    bookings = aboveLine(
      bookings.filter(({ key }) => key !== away.key),
      account,
      away,
    );
  }
  const { open, awaited } = first;
  return { open, awaited, balance: account.balance, bookings: bookings.filter(({ amount }) => amount !== 0n) };
}

/** After this many rounds interest no longer changes, or only back and forth by an øre: each round changes it by a small part. */
const maxRounds = 30;

/** An event that is booked; interest has its amount later. */
type Walked = Booking & { readonly key: string; readonly interest?: InterestOrFee };

/** What an account has when its events begin. */
interface WalkFrom {
  readonly opening: bigint;
  /** Its credit line; null: funds are not asked for. */
  readonly line: bigint | null;
  /** Keys of purchases that happened before, and on which events hang. */
  readonly awaited?: readonly string[];
}

/** `lowest`: the least that was available after a bill or an order; null: none came. */
function walk(
  happenings: readonly Happening[],
  { opening, line, awaited = [] }: WalkFrom,
): Events & { readonly bookings: readonly Walked[]; readonly lowest: bigint | null } {
  const bookings: Walked[] = [];
  const open = new Map<string, Reserve>();
  const happened = new Set(awaited);
  const hasHappened = (key: string): boolean => happened.has(key);
  const costs = new Map<string, bigint>();
  for (const { key, action } of happenings) if (action.kind === 'book') costs.set(key, action.amount);
  let [balance, reserved, failed] = [opening, 0n, 0n];
  let lowest: bigint | null = null;
  const hasFunds = (amount: bigint): boolean => line === null || balance - reserved + amount + line >= 0n;
  const book = (booking: Walked): void => {
    balance += booking.amount;
    bookings.push(booking);
  };
  for (const happening of happenings) {
    const { key, action } = happening;
    if (!isFree(happening, hasHappened)) continue;
    const waiting = open.get(key);
    switch (action.kind) {
      case 'post':
        if (!action.needsFunds || hasFunds(action.amount)) book({ ...action, key });
        break;
      case 'reserve': {
        const cost = costs.get(key) ?? 0n;
        if (!hasFunds(cost < action.amount ? cost : action.amount)) break;
        open.set(key, action);
        reserved -= action.amount;
        if (happening.isAwaited === true) happened.add(key);
        break;
      }
      case 'book':
      case 'release':
        // A purchase of before the past is not booked in it either.
        if (waiting === undefined) break;
        open.delete(key);
        reserved += waiting.amount;
        if (action.kind === 'book') book({ ...action, key });
        break;
      case 'order':
        if (hasFunds(action.amount)) book({ ...action, key });
        else failed += 1n;
        break;
      case 'pay':
      case 'move':
        break;
      case 'left over': {
        const amount = -leftOver(balance - reserved, action.keeps ?? opening);
        if (amount !== 0n) book({ ...action, amount, key });
        break;
      }
      case 'interest or fee': {
        const { event, date } = action;
        const isFee = event.kind === 'fee for failed orders';
        const details = textsOfBank(event);
        const amount = isFee ? -failed * hundredths(event.rate) : 0n;
        if (isFee) failed = 0n;
        if (!isFee || amount !== 0n)
          book({ amount, bookingDate: date, valueDate: date, details, key, ...(!isFee && { interest: event }) });
      }
    }
    const isBill = action.kind === 'order' || (action.kind === 'post' && action.needsFunds && action.amount < 0n);
    if (isBill && (lowest === null || balance - reserved < lowest)) lowest = balance - reserved;
  }
  return { bookings, open, awaited: [...happened], lowest };
}

/** The same bookings with the interest that they come to from this opening balance on. */
function withInterest(bookings: readonly Walked[], opening: bigint, account: AccountOfPast): Walked[] {
  const moves: { day: number; moved: bigint }[] = [];
  let balance = opening;
  return bookings.map((booking) => {
    const { interest, bookingDate: date } = booking;
    const due = interest === undefined ? booking : { ...booking, amount: interestDue(interest, date) };
    balance += due.amount;
    const day = epochDay(date);
    const last = moves.at(-1);
    if (last?.day === day) last.moved += due.amount;
    else moves.push({ day, moved: due.amount });
    return due;
  });

  function interestDue(event: InterestOrFee, date: LocalDate): bigint {
    const period = { from: account.previousSettlement(event, date), to: addDays(date, -1) };
    const [side, sign] = event.kind === 'interest' ? (['credit', 1n] as const) : (['debit', -1n] as const);
    // What is booked late stands behind what was booked on later days.
    moves.sort((one, other) => one.day - other.day);
    return sign * interestOf({ balance, moves }, period, { rate: event.rate, side });
  }
}

/** The same past, never below the credit line: what it would lack on the way was there, and goes away as soon as it can be spared. */
function aboveLine(
  bookings: readonly Walked[],
  { balance, creditLine }: AccountOfPast,
  away: Pick<Walked, 'to' | 'details' | 'key'>,
): readonly Walked[] {
  const lowest = balance < -creditLine ? balance : -creditLine;
  const opening = balance - sum(bookings);
  let level = opening;
  const levels = bookings.map(({ amount }) => (level += amount));
  const lacking = lowest - [opening, ...levels].reduce((low, each) => (each < low ? each : low));
  const missing = wholeHundreds(lacking);
  if (missing === 0n) return bookings;
  let place = bookings.length;
  while (place > 0 && (levels[place - 1] ?? lowest) >= lowest) place -= 1;
  const after = bookings[place];
  if (after === undefined) return bookings;
  const { bookingDate } = after;
  const spared = { amount: -missing, bookingDate, valueDate: bookingDate, ...away };
  return bookings.toSpliced(place + 1, 0, spared);
}

/** The key of what an account could spare in its past, if its persona has nothing left over. */
export const spareKey = 'spared';

/** This much in whole hundreds of kroner, rounded up; nothing below zero. */
function wholeHundreds(amount: bigint): bigint {
  return amount <= 0n ? 0n : ((amount + wholeHundred - 1n) / wholeHundred) * wholeHundred;
}

function sum(bookings: readonly { readonly amount: bigint }[]): bigint {
  return bookings.reduce((all, { amount }) => all + amount, 0n);
}
