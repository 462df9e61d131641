import { readFile } from 'node:fs/promises';
import { assert } from '../../engine/values/assert.ts';
import type { Currency } from '../../engine/values/currency.ts';
import { formatAmount, parseAmount } from '../../engine/values/money.ts';
import type { PriceList } from '../../engine/values/price-list.ts';
import { type ForeignProduct, products } from '../../engine/values/product.ts';
import { formatRate, parseRate, type Rate } from '../../engine/values/rate.ts';
import { exchangeRatesFile } from '../bodies/exchange-rates.ts';
import { feesFile } from '../bodies/fees.ts';
import type { BodySchema, Static } from '../bodies/schema.ts';
import { ConfigError } from './config.ts';
import { fileProblem } from './file-problem.ts';
import { fixturesFolder } from './fixtures-folder.ts';
import { parseJson } from '../pipeline/parse-json.ts';
import { validateBody } from '../pipeline/validate-body.ts';

/** Reads fees and exchange rates of foreign payments (rules.md P11). Throws a ConfigError that says what is wrong with a file. */
export async function loadPriceList(): Promise<PriceList> {
  return priceListOf({
    exchangeRates: await read('exchange-rates', exchangeRatesFile),
    fees: await read('fees', feesFile),
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

async function read<Schema extends BodySchema>(name: string, schema: Schema): Promise<Static<Schema>> {
  try {
    const value = parseJson(await readFile(new URL(`${name}.json`, fixturesFolder)));
    validateBody<Schema>(schema, value, { quirks: new Set() });
    return value;
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
