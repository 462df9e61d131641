import { formatExchange, type TransactionDetails } from '../../accounts/rules/transaction-details.ts';
import { assert } from '../../values/assert.ts';
import { type Amount, type Currency, parseAmount } from '../../values/money.ts';
import { type LocalDate, weekday } from '../../values/local-date.ts';
import { convert, formatRate, parseRate } from '../../values/price-list.ts';
import type { Chance } from './chance.ts';
import { type Count, purposes } from './occasions.ts';
import type { Amounts, LifeEvent } from './persona.ts';

/** A number from 0 up to 1 for one purpose of one time of an event. */
export function drawn(
  chance: Chance,
  index: number,
  purpose: keyof typeof purposes,
  { period, number }: Count,
): number {
  return chance(index, purposes[purpose], period, number);
}

/** The amount in øre, and the members that tell of another currency. Zero: so little is no øre. */
export function amountOn(
  chance: Chance,
  { amount: from, upTo, roundTo, byMonth, byWeekday, foreign }: Amounts,
  index: number,
  count: Count,
  date: LocalDate,
): { readonly amount: bigint; readonly details: TransactionDetails } {
  const currency = (foreign?.currency ?? 'NOK') as Currency;
  const drawn = upTo === undefined ? minorOf(from, currency) : between(chance, from, upTo, currency, index, count);
  const unit = (roundTo === undefined ? 1n : minorOf(roundTo, currency)) || 1n;
  const shares = [byMonth?.[Number(count.day.slice(5, 7)) - 1], byWeekday?.[weekday(count.day) - 1]];
  const percents = shares.reduce((all, percent = 100) => all * BigInt(percent), 1n);
  const minor = ((drawn * percents) / 10_000n / unit) * unit;
  if (foreign === undefined) return { amount: minor, details: {} };
  const [instructed, sign] = minor < 0n ? [-minor, -1n] : [minor, 1n];
  // Up to two per cent around the rate of the file, the same for a day and a currency.
  const day = Number(date.replaceAll('-', ''));
  const moved = 9_800 + Math.floor(chance(purposes.rate, day, Number.parseInt(currency, 36)) * 401);
  const rate = parseRate(foreign.rate);
  assert(rate !== null, 'the rates of a persona were checked');
  const shown = { digits: rate.digits * BigInt(moved), scale: rate.scale + 4 };
  const charged = convert({ minor: instructed, currency }, shown, 'NOK').minor;
  const amount: Amount = { minor: sign * charged, currency: 'NOK' };
  const line = { amount, instructed: { minor: instructed, currency }, rate: formatRate(shown), quotationDate: date };
  return { amount: amount.minor, details: formatExchange(line) };
}

/** An amount of a range: each of a year's times has its own part of the range, so that a year costs about the same as another. */
function between(chance: Chance, from: string, upTo: string, currency: Currency, index: number, count: Count): bigint {
  const [low, high] = [Number(minorOf(from, currency)), Number(minorOf(upTo, currency))];
  const { number, of, year } = count.inYear;
  const part = (number * strideOf(of) + Math.floor(chance(index, purposes.rotation, year) * of)) % of;
  const place = (part + drawn(chance, index, 'amount', count)) / of;
  // Bounds in whole kroner are for amounts in whole kroner.
  const unit = from.endsWith('.00') && upTo.endsWith('.00') ? 100 : 1;
  return BigInt(Math.round((low + place * (high - low)) / unit) * unit);
}

/** The step that visits all of so many parts: by the golden ratio, so that neighbours differ much. */
function strideOf(parts: number): number {
  let stride = Math.max(1, Math.round(parts * 0.618));
  while (divisor(stride, parts) > 1) stride += 1;
  return stride;
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}

/** Amounts of personas, as each is read again for every time of its event. */
const readAmounts = new Map<string, bigint>();

function minorOf(text: string, currency: Currency): bigint {
  const key = `${text} ${currency}`;
  const known = readAmounts.get(key);
  if (known !== undefined) return known;
  const amount = parseAmount(text, currency);
  assert(typeof amount !== 'string', `the amounts of a persona were checked: ${text} ${currency}`);
  if (readAmounts.size > 10_000) readAmounts.clear();
  readAmounts.set(key, amount.minor);
  return amount.minor;
}

/** What an event costs each time, zero or positive, in its own currency; null: it is another amount each time. */
export function priceOf(event: LifeEvent): Amount | null {
  if (event.kind !== 'transfer' && event.kind !== 'card') return null;
  const currency = (event.foreign?.currency ?? 'NOK') as Currency;
  const minor = minorOf(event.amount, currency);
  return event.upTo === undefined ? { minor: minor < 0n ? -minor : minor, currency } : null;
}

/** An amount of a persona's file in øre. */
export function ore(text: string): bigint {
  return minorOf(text, 'NOK');
}
