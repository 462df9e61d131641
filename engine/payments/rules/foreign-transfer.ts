import { type Amount, type Currency, isWithinBalanceLimit } from '../../values/money.ts';
import type { Fault } from '../../values/fault.ts';
import { fixingUntil } from '../../time/rules/cut-offs.ts';
import type { RunSchedule } from '../../time/rules/settlement-run.ts';
import type { LocalDate } from '../../values/local-date.ts';
import { rateBetween, type PriceList, convert, type Rate, divideHalfEven } from '../../values/price-list.ts';
import type { ForeignProduct } from '../../values/product.ts';
import { type Instant, msPerDay, osloDate } from '../../values/instant.ts';

/**
 * Amounts, fee and rates of a foreign payment: of its initiation, or of the fixing that it waits for (rules.md P11,
 * T4f).
 */
export interface ForeignTransfer {
  readonly instructed: Amount;
  /** Debit and fee are in the debtor account's currency. */
  readonly debit: Amount;
  readonly fee: Amount;
  /** In the currency of the creditor account of this bank; as instructed when the account is in another bank. */
  readonly credit: Amount;
  /** Units of the debtor's and creditor's currency for one unit instructed; null where nothing is converted. */
  readonly debitRate: Rate | null;
  readonly creditRate: Rate | null;
  readonly quotationDate: LocalDate;
}

export interface ForeignOrder {
  readonly product: ForeignProduct;
  readonly instructed: Amount;
  readonly debtorCurrency: Currency;
  /** It is null if the account is in another bank. */
  readonly creditorCurrency: Currency | null;
}

/**
 * Prices a foreign payment. PAYMENT_FAILED without a rate, or when the converted amount is zero or above the balance
 * limit (rules.md P4, P11).
 */
export function priceForeignTransfer(order: ForeignOrder, prices: PriceList): ForeignTransfer | Fault {
  const { product, instructed, debtorCurrency } = order;
  const creditCurrency = order.creditorCurrency ?? instructed.currency;
  const debitRate = rateBetween(instructed.currency, debtorCurrency, prices);
  const creditRate = rateBetween(instructed.currency, creditCurrency, prices);
  const feeRate = rateBetween('NOK', debtorCurrency, prices);
  if (feeRate === null) return noRate('debtorAccount', debtorCurrency, prices);
  if (debitRate === null) return noRate('instructedAmount.currency', instructed.currency, prices);
  if (creditRate === null) return noRate('creditorAccount', creditCurrency, prices);
  const debit = convert(instructed, debitRate, debtorCurrency);
  const credit = convert(instructed, creditRate, creditCurrency);
  const fault = unpayable(debit) ?? unpayable(credit);
  if (fault !== null) return fault;
  return {
    instructed,
    debit,
    fee: convert({ minor: prices.fees[product], currency: 'NOK' }, feeRate, debtorCurrency),
    credit,
    debitRate: debtorCurrency === instructed.currency ? null : debitRate,
    creditRate: creditCurrency === instructed.currency ? null : creditRate,
    quotationDate: prices.quotationDate,
  };
}

function noRate(path: string, currency: Currency, { nokPerUnit }: PriceList): Fault {
  const quoted = ['NOK', ...nokPerUnit.keys()].join(', ');
  return { code: 'PAYMENT_FAILED', path, text: `The bank quotes no rate for ${currency}. It quotes ${quoted}.` };
}

function unpayable({ minor, currency }: Amount): Fault | null {
  const [code, path] = ['PAYMENT_FAILED', 'instructedAmount.amount'] as const;
  if (minor === 0n) return { code, path, text: `The amount is worth less than the smallest unit of ${currency}.` };
  if (isWithinBalanceLimit(minor)) return null;
  return { code, path, text: `The amount is worth more ${currency} than an account of this bank can hold. Send less.` };
}

/** The rates of the last fixing; without fixings those of the list (rules.md T4f). */
export function pricesNow({ schedule, prices }: { schedule: RunSchedule; prices: PriceList }, now: Instant): PriceList {
  const { fxFixings } = schedule.cutOffRules;
  return fxFixings.length === 0 ? prices : pricesAt(fixingUntil(now, fxFixings, schedule.calendar), prices);
}

/** Largest deviation from the listed rate, in 1/10,000: of the course, and of a single fixing from the course. */
const [maxCourse, maxStep] = [150, 15];
/** The course goes straight between two points at this distance, in ms. */
const msBetweenPoints = BigInt(14 * msPerDay);

/**
 * The price list as it is fixed at an instant (rules.md T4f, P11c): the listed rates, each at most 1.65 % higher or
 * lower, with as many decimals. A pure function of list, currency and instant, in whole numbers.
 */
export function pricesAt(fixing: Instant, prices: PriceList): PriceList {
  const rates = [...prices.nokPerUnit].map(
    ([currency, rate]) => [currency, fixedRate(currency, rate, fixing)] as const,
  );
  return { ...prices, quotationDate: osloDate(fixing), nokPerUnit: new Map(rates) };
}

function fixedRate(currency: Currency, { digits, scale }: Rate, fixing: Instant): Rate {
  const at = BigInt(fixing);
  const [point, passed] = [at / msBetweenPoints, at % msBetweenPoints];
  const [before, after] = [
    deviation(`${currency} ${point}`, maxCourse),
    deviation(`${currency} ${point + 1n}`, maxCourse),
  ];
  const course = before * (msBetweenPoints - passed) + after * passed;
  const factor = 10_000n * msBetweenPoints + course + deviation(`${currency} at ${fixing}`, maxStep) * msBetweenPoints;
  return { digits: divideHalfEven(digits * factor, 10_000n * msBetweenPoints), scale };
}

/** A whole number from -most to most that follows from the text: FNV-1a with the finish of MurmurHash3. */
function deviation(text: string, most: number): bigint {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return BigInt(((hash ^ (hash >>> 16)) >>> 0) % (2 * most + 1)) - BigInt(most);
}
