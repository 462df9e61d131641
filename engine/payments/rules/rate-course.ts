import type { Currency } from '../../values/currency.ts';
import { type Instant, msPerDay, osloDate } from '../../values/instant.ts';
import type { PriceList } from '../../values/price-list.ts';
import { divideHalfEven, type Rate } from '../../values/rate.ts';

/** Largest deviation from the listed rate, in 1/10,000: of the course, and of a single fixing from the course. */
const [maxCourse, maxStep] = [150, 15];
/** The course goes straight between two points at this distance, in ms. */
const span = BigInt(14 * msPerDay);

/**
 * The price list as it is fixed at an instant (rules.md T4f, P11c): the listed rates, each at most 1.65 % higher or lower, with as many
 * decimals. A pure function of list, currency and instant, in whole numbers.
 */
export function pricesAt(fixing: Instant, prices: PriceList): PriceList {
  const rates = [...prices.nokPerUnit].map(
    ([currency, rate]) => [currency, fixedRate(currency, rate, fixing)] as const,
  );
  return { ...prices, quotationDate: osloDate(fixing), nokPerUnit: new Map(rates) };
}

function fixedRate(currency: Currency, { digits, scale }: Rate, fixing: Instant): Rate {
  const at = BigInt(fixing);
  const [point, passed] = [at / span, at % span];
  const [before, after] = [
    deviation(`${currency} ${point}`, maxCourse),
    deviation(`${currency} ${point + 1n}`, maxCourse),
  ];
  const course = before * (span - passed) + after * passed;
  const factor = 10_000n * span + course + deviation(`${currency} at ${fixing}`, maxStep) * span;
  const fixed = divideHalfEven(digits * factor, 10_000n * span);
  return { digits: fixed > 0n ? fixed : 1n, scale };
}

/** A whole number from -most to most that follows from the text: FNV-1a with the finish of MurmurHash3. */
function deviation(text: string, most: number): bigint {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return BigInt(((hash ^ (hash >>> 16)) >>> 0) % (2 * most + 1)) - BigInt(most);
}
