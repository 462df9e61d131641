import { assert } from '../../engine/values/assert.ts';
import type { Currency } from '../../engine/values/currency.ts';
import { formatAmount, parseAmount } from '../../engine/values/money.ts';
import type { PriceList } from '../../engine/values/price-list.ts';
import { type ForeignProduct, products } from '../../engine/values/product.ts';
import { formatRate, parseRate, type Rate } from '../../engine/values/rate.ts';
import type { exchangeRatesFile } from '../bodies/exchange-rates.ts';
import type { feesFile } from '../bodies/fees.ts';
import type { BodySchema, Static } from '../bodies/schema.ts';
import { ConfigError } from './config.ts';
import { fileProblem } from './file-problem.ts';
import { fixturesFolder } from './fixtures-folder.ts';
import type { FixturesKind } from './prepared.ts';
import { readFixtures } from './read-fixtures.ts';

/** Reads fees and exchange rates of foreign payments (rules.md P11). Throws a ConfigError that says what is wrong with a file. */
export async function loadPriceList(): Promise<PriceList> {
  return priceListOf({
    exchangeRates: await read(
      'exchange-rates',
      async () => (await import('../bodies/exchange-rates.ts')).exchangeRatesFile,
    ),
    fees: await read('fees', async () => (await import('../bodies/fees.ts')).feesFile),
  });
}

/** The content of the two files. */
export interface PriceFiles {
  readonly exchangeRates: Static<typeof exchangeRatesFile>;
  readonly fees: Static<typeof feesFile>;
}

/** The price list of files that have their schemas. */
export function priceListOf({ exchangeRates: { quotationDate, nokPerUnit }, fees }: PriceFiles): PriceList {
  return {
    quotationDate,
    nokPerUnit: new Map(Object.entries(nokPerUnit).map(([code, rate]) => [code as Currency, checkedRate(rate)])),
    fees: { [products.sepa]: ore(fees[products.sepa]), [products.crossBorder]: ore(fees[products.crossBorder]) },
  };
}

/** The files of a price list. */
export function priceFilesOf({ quotationDate, nokPerUnit, fees }: PriceList): PriceFiles {
  const rates = [...nokPerUnit].map(([code, rate]) => [code, formatRate(rate)] as const);
  const fee = (product: ForeignProduct): string => formatAmount({ minor: fees[product], currency: 'NOK' });
  return {
    exchangeRates: { quotationDate, nokPerUnit: Object.fromEntries(rates) },
    fees: {
      currency: 'NOK',
      [products.sepa]: fee(products.sepa),
      [products.crossBorder]: fee(products.crossBorder),
    },
  };
}

async function read<Schema extends BodySchema>(
  name: Exclude<FixturesKind, 'known-state'>,
  loadSchema: () => Promise<Schema>,
): Promise<Static<Schema>> {
  try {
    return await readFixtures(name, new URL(`${name}.json`, fixturesFolder), loadSchema);
  } catch (error) {
    throw new ConfigError(`fixtures/${name}.json cannot be used: ${fileProblem(error)}`);
  }
}

function checkedRate(text: string): Rate {
  const rate = parseRate(text);
  assert(rate !== null, `the rate ${text} was checked with its file`);
  return rate;
}

function ore(text: string): bigint {
  const fee = parseAmount(text, 'NOK');
  assert(typeof fee !== 'string', `the fee ${text} was checked with its file`);
  return fee.minor;
}
