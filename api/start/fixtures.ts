import { readFileSync } from 'node:fs';
import { assert } from '../../engine/values/assert.ts';
import type { Currency } from '../../engine/values/currency.ts';
import { formatAmount, parseAmount } from '../../engine/values/money.ts';
import type { PriceList } from '../../engine/values/price-list.ts';
import { type ForeignProduct, products } from '../../engine/values/product.ts';
import { formatRate, parseRate, type Rate } from '../../engine/values/rate.ts';
import type { exchangeRatesFile } from '../bodies/exchange-rates.ts';
import type { feesFile } from '../bodies/fees.ts';
import type { knownStateFile } from '../bodies/known-state.ts';
import type { BodySchema, Static } from '../bodies/schema.ts';
import { ConfigError } from './config.ts';
import { type FixturesKind, prepared } from './prepared.ts';
import type * as Validation from '../pipeline/validate-body.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';

/**
 * Reads a known state, by its name in the fixtures folder or by the path of a JSON file. Throws a ConfigError that names the mistake.
 */
export async function loadKnownState(nameOrPath: string): Promise<KnownState> {
  const file = /^[\w-]+$/.test(nameOrPath) ? new URL(`${nameOrPath}.json`, fixturesFolder) : nameOrPath;
  try {
    return await stateIn(await readFixtures('known-state', file, knownStateSchema));
  } catch (error) {
    throw new ConfigError(`the fixtures ${nameOrPath} cannot be used: ${fileProblem(error)}`);
  }
}

/** Checks a known state that is given as an object, in place. Throws a Refusal or a ConfigError that names the mistake. */
export async function knownStateIn(value: unknown): Promise<KnownState> {
  return stateIn(await checkedBy(await knownStateSchema(), value));
}

const knownStateSchema = async (): Promise<typeof knownStateFile> =>
  (await import('../bodies/known-state.ts')).knownStateFile;

/** Checks the content of a file, or an object in its place, and settles its texts. Throws a Refusal that names every mistake. */
export async function checkedBy<Schema extends BodySchema>(schema: Schema, value: unknown): Promise<Static<Schema>> {
  const validation: typeof Validation = await import('../pipeline/validate-body.ts');
  validation.validateBody<Schema>(schema, value, { quirks: new Set() });
  return value;
}

/**
 * The known state of a file or object that has its schema: without `$schema`, which is for editors (rules.md D4b), and with the personas that
 * it names.
 */
export async function stateIn({ customers, agreements }: Static<typeof knownStateFile>): Promise<KnownState> {
  const isLived = customers.some(({ accounts }) => accounts.some(({ persona }) => persona !== undefined));
  if (!isLived) return { customers, agreements } as KnownState;
  const { personaAt } = await import('./persona.ts');
  const lived = customers.map(async (customer, index) => ({
    ...customer,
    accounts: await Promise.all(
      customer.accounts.map(async ({ persona, ...account }, place) => ({
        ...account,
        ...(persona !== undefined && {
          persona: await personaAt(`customers[${index}].accounts[${place}].persona`, persona),
        }),
      })),
    ),
  }));
  return { customers: await Promise.all(lived), agreements };
}

/** The folder of the known states and price lists. The bundle keeps the addresses of the sources, so the relative address works in both. */
export const fixturesFolder = new URL('../../fixtures/', import.meta.url);

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
interface PriceFiles {
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

/**
 * Reads a JSON file of this kind; `loadSchema` loads its schema. A text that a build has checked is not checked again, because loading the
 * checks would take longest. Throws the errors of readFileSync, parseJson and validateBody.
 */
async function readFixtures<Schema extends BodySchema>(
  kind: FixturesKind,
  file: string | URL,
  loadSchema: () => Promise<Schema>,
): Promise<Static<Schema>> {
  const bytes = readFileSync(file);
  const text = bytes.toString('utf8');
  if (text === prepared?.checked[kind]) return JSON.parse(text) as Static<Schema>;
  const { parseJson } = await import('../pipeline/parse-json.ts');
  return checkedBy(await loadSchema(), parseJson(bytes));
}

/**
 * Says in one line what is wrong with a JSON file of the settings. Files are checked like request bodies, and the texts are reworded: a
 * file is written, not sent.
 */
export function fileProblem(error: unknown): string {
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error);
  return error.faults.map(({ path, text }) => (path === undefined ? '' : `${path}: `) + ofFile(text)).join('; ');
}

function ofFile(text: string): string {
  return text
    .replace(/\bThe body\b/g, 'The file')
    .replace(' and send it again', '')
    .replace('Send a JSON body, as application/json', 'Write a JSON object')
    .replace(/\bSend\b/g, 'Write');
}
