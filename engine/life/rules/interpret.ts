import type { EventBooking, Happening, LifeAction } from './happening.ts';

/** An account while its events happen. Amounts in øre. */
export interface Purse<Held> {
  balance: bigint;
  /** Zero or positive. */
  reserved: bigint;
  /** The credit line, zero or positive. Null if funds are not asked for. */
  readonly line: bigint | null;
  /** What purchases that are not booked yet hold, by their keys. */
  readonly open: Map<string, Held>;
}

export type LeftOverAction = Extract<LifeAction, { readonly kind: 'left over' }>;

export type Reserve = Extract<LifeAction, { readonly kind: 'reserve' }>;

/**
 * Whoever lets events happen, a made past or a bank that lives, and what it does with them. `Later` is the type of work
 * that goes on.
 */
export interface Teller<Account, Held, Later> {
  hasHappened(account: Account, key: string): boolean;
  book(account: Account, happening: Happening, booking: EventBooking): void;
  reserve(account: Account, happening: Happening, action: Reserve): Held;
  release(held: Held): void;
  /** Standing orders, salaries, interest, fees and a move: what the bank does itself. Returns null if it is done. */
  byBank(account: Account, happening: Happening): Later | null;
}

/** Lets one event happen on an account (rules.md L4). Returns null if it is done. Else what the teller has begun. */
export function interpret<Held extends { readonly amount: bigint }, Account extends Purse<Held>, Later>(
  account: Account,
  happening: Happening,
  teller: Teller<Account, Held, Later>,
): Later | null {
  const { action, key, hangsOn, unless } = happening;
  if (hangsOn !== undefined && !teller.hasHappened(account, hangsOn)) return null;
  if (unless !== undefined && teller.hasHappened(account, unless)) return null;
  switch (action.kind) {
    case 'post':
      if (!action.needsFunds || hasFunds(account, action.amount)) teller.book(account, happening, action);
      return null;
    case 'reserve':
      if (!hasFunds(account, action.amount)) return null;
      account.reserved -= action.amount;
      account.open.set(key, teller.reserve(account, happening, action));
      return null;
    case 'book':
    case 'release': {
      const held = account.open.get(key);
      if (held === undefined) return null;
      account.open.delete(key);
      account.reserved += held.amount;
      teller.release(held);
      if (action.kind === 'book') teller.book(account, happening, action);
      return null;
    }
    case 'left over': {
      const available = account.balance - account.reserved - action.income;
      teller.book(account, happening, { ...action, amount: -leftOver(available, action) });
      return null;
    }
    case 'order':
    case 'pay':
    case 'interest or fee':
    case 'move':
      return teller.byBank(account, happening);
  }
}

/** Whether an account can pay an amount, in øre and below zero (rules.md S4). */
export function hasFunds({ balance, reserved, line }: Purse<unknown>, amount: bigint): boolean {
  return line === null || balance + line - reserved + amount >= 0n;
}

/**
 * How much of these øre goes away, so that the account keeps its part; zero or positive. It goes in whole thousands of
 * kroner, or in whole hundreds if the account keeps less than a thousand, and at most so much at once.
 */
export function leftOver(available: bigint, { keeps, most }: Pick<LeftOverAction, 'keeps' | 'most'>): bigint {
  const over = keeps === null ? 0n : available - keeps;
  const unit = isShort(keeps) ? wholeHundred : thousand;
  const whole = over < unit ? 0n : (over / unit) * unit;
  return most !== null && whole > most ? most : whole;
}

/** Whether a persona means to be short: it keeps less than a thousand kroner. */
export function isShort(keeps: bigint | null): boolean {
  return keeps !== null && keeps > 0n && keeps < thousand;
}

/** A hundred kroner in øre. */
export const wholeHundred = 10_000n;

/** A thousand kroner in øre. */
export const thousand = 10n * wholeHundred;
