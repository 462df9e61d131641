import type { Currency } from './currency.ts';
import { localDate, type LocalDate } from './local-date.ts';
import { products, type ForeignProduct } from './product.ts';
import { divideRates, type Rate } from './rate.ts';

/** Exchange rates and fees of foreign payments (rules.md P11): fixtures/exchange-rates.json and fixtures/fees.json. */
export interface PriceList {
  readonly quotationDate: LocalDate;
  /** NOK per unit of each foreign currency. */
  readonly nokPerUnit: ReadonlyMap<Currency, Rate>;
  /** In minor units of NOK. */
  readonly fees: Readonly<Record<ForeignProduct, bigint>>;
}

/** No rates and no fees: such a bank pays in NOK only. */
export const noPrices: PriceList = {
  quotationDate: localDate('2000-01-01'),
  nokPerUnit: new Map(),
  fees: { [products.sepa]: 0n, [products.crossBorder]: 0n },
};

const one: Rate = { digits: 1n, scale: 0 };

/** Units of `to` per unit of `from`; null when the bank has no rate for one of them. */
export function rateBetween(from: Currency, to: Currency, prices: PriceList): Rate | null {
  if (from === to) return one;
  const [dividend, divisor] = [nokRate(from, prices), nokRate(to, prices)];
  if (dividend === null || divisor === null) return null;
  // A rate to NOK is the quoted one, not rounded.
  return to === 'NOK' ? dividend : divideRates(dividend, divisor);
}

function nokRate(currency: Currency, { nokPerUnit }: PriceList): Rate | null {
  return currency === 'NOK' ? one : (nokPerUnit.get(currency) ?? null);
}
