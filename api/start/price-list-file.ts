import { readFile } from 'node:fs/promises';
import { assert } from '../../engine/values/assert.ts';
import type { Currency } from '../../engine/values/currency.ts';
import { parseAmount } from '../../engine/values/money.ts';
import type { PriceList } from '../../engine/values/price-list.ts';
import { products } from '../../engine/values/product.ts';
import { parseRate, type Rate } from '../../engine/values/rate.ts';
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
  const { quotationDate, nokPerUnit } = await read('exchange-rates', exchangeRatesFile);
  const fees = await read('fees', feesFile);
  return {
    quotationDate,
    nokPerUnit: new Map(Object.entries(nokPerUnit).map(([code, rate]) => [code as Currency, checkedRate(rate)])),
    fees: { [products.sepa]: ore(fees[products.sepa]), [products.crossBorder]: ore(fees[products.crossBorder]) },
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
