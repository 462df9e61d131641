import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nextTurn } from '../../engine/time/clock.ts';
import { nearest } from '../faults/nearest.ts';
import { oneLine } from '../../engine/values/text.ts';
import { assert } from '../../engine/values/assert.ts';
import { type Currency, formatAmount, parseAmount } from '../../engine/values/money.ts';
import { type PriceList, formatRate, parseRate, type Rate } from '../../engine/values/price-list.ts';
import { type ForeignProduct, products } from '../../engine/values/product.ts';
import type { exchangeRatesFile, feesFile } from '../bodies/price-files.ts';
import type { knownStateFile } from '../bodies/known-state.ts';
import type { BodySchema, Static } from '../bodies/schema.ts';
import { fileProblem, loadFile, loadListed, namesIn } from './listed-files.ts';
import { prepared } from './prepared.ts';
import type * as Validation from '../pipeline/validate-body.ts';
import { Refusal, faultWithin } from '../../engine/values/fault.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import type { Persona, PersonaFile } from '../../engine/life/rules/persona.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/**
 * Reads a known state, by its name in the fixtures folder or by the path of a JSON file. Throws a Mistake that names
 * the mistake.
 */
export async function loadKnownState(nameOrPath: string): Promise<KnownState> {
  const isName = /^[\w-]+$/.test(nameOrPath);
  const names = fixtureNames();
  if (isName && !names.includes(nameOrPath)) {
    const near = nearest(nameOrPath, names);
    const hint = near === null ? '' : `; the nearest is ${near}`;
    throw new Mistake(
      `there are no fixtures ${oneLine(nameOrPath)}${hint}. There are ${names.join(', ')}, or give a path`,
    );
  }
  const file = isName ? new URL(`${nameOrPath}.json`, fixturesFolder) : nameOrPath;
  try {
    return await stateIn(await readFixtures(file, knownStateSchema));
  } catch (error) {
    throw new Mistake(`the fixtures ${nameOrPath} cannot be used: ${fileProblem(error)}`);
  }
}

/** Other files of the fixtures folder: the price list of foreign payments. */
const priceLists = ['exchange-rates', 'fees'];

/** The names of the known states of the package, in alphabetical order. */
export function fixtureNames(): string[] {
  return namesIn(fixturesFolder).filter((file) => !priceLists.includes(file));
}

/** Checks a known state that is given as an object, in place. Throws a Refusal or a Mistake that names the mistake. */
export async function knownStateIn(value: unknown): Promise<KnownState> {
  return stateIn(await checkedBy(await knownStateSchema(), value));
}

const knownStateSchema = async (): Promise<typeof knownStateFile> =>
  (await import('../bodies/known-state.ts')).knownStateFile;

/**
 * Checks the content of a file, or an object in its place, and settles its texts. Throws a Refusal that names every
 * mistake.
 */
export async function checkedBy<Schema extends BodySchema>(schema: Schema, value: unknown): Promise<Static<Schema>> {
  const validation: typeof Validation = await import('../pipeline/validate-body.ts');
  validation.validateBody<Schema>(schema, value, { quirks: new Set() });
  return value;
}

/**
 * The known state of a file or object that has its schema: without `$schema`, which is for editors (rules.md D4b), and
 * with the personas that it names.
 */
export async function stateIn({ customers, agreements }: Static<typeof knownStateFile>): Promise<KnownState> {
  const isLived = customers.some(({ accounts }) => accounts.some(({ persona }) => persona !== undefined));
  if (!isLived) return { customers, agreements } as KnownState;
  const lived: KnownState['customers'][number][] = [];
  for (const [index, customer] of customers.entries()) {
    // There may be hundreds: other banks work meanwhile.
    await nextTurn();
    const accounts = customer.accounts.map(async ({ persona, ...account }, place) => ({
      ...account,
      ...(persona !== undefined && {
        persona: await personaAt(`customers[${index}].accounts[${place}].persona`, persona),
      }),
    }));
    lived.push({ ...customer, accounts: await Promise.all(accounts) });
  }
  return { customers: lived, agreements };
}

/**
 * The folder of the known states and price lists. The build keeps the addresses of the sources, so the relative address
 * works in both.
 */
export const fixturesFolder = new URL('../../fixtures/', import.meta.url);

/**
 * Reads fees and exchange rates of foreign payments (rules.md P11). Throws a Mistake that says what is wrong with a
 * file.
 */
export async function loadPriceList(): Promise<PriceList> {
  return priceListOf({
    exchangeRates: await read(
      'exchange-rates',
      async () => (await import('../bodies/price-files.ts')).exchangeRatesFile,
    ),
    fees: await read('fees', async () => (await import('../bodies/price-files.ts')).feesFile),
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
  name: 'exchange-rates' | 'fees',
  loadSchema: () => Promise<Schema>,
): Promise<Static<Schema>> {
  try {
    return await readFixtures(new URL(`${name}.json`, fixturesFolder), loadSchema);
  } catch (error) {
    throw new Mistake(`fixtures/${name}.json cannot be used: ${fileProblem(error)}`);
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

/** Whether a build has checked this file: it is not checked again, because loading the checks would take longest. */
function isChecked(bytes: Buffer): boolean {
  return prepared?.checked.includes(digestOf(bytes)) === true;
}

/** The digest of a file among those that a build has checked. */
export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Reads a JSON file; `loadSchema` loads its schema. Throws the errors of readFileSync, parseJson and validateBody. */
async function readFixtures<Schema extends BodySchema>(
  file: string | URL,
  loadSchema: () => Promise<Schema>,
): Promise<Static<Schema>> {
  const bytes = readFileSync(file);
  if (isChecked(bytes)) return JSON.parse(bytes.toString('utf8')) as Static<Schema>;
  const { parseJson } = await import('../pipeline/read-body.ts');
  return checkedBy(await loadSchema(), parseJson(bytes));
}

const personas = {
  noun: 'persona',
  page: 'docs/life.md',
  folder: new URL('personas/', fixturesFolder),
  check: personaOf,
};

/** The names of the listed personas, in alphabetical order. */
export function personaNames(): string[] {
  return namesIn(personas.folder);
}

/**
 * Reads a persona, by its name in fixtures/personas or by the path of a JSON file. Throws a Mistake that names the
 * mistake.
 */
export function loadPersona(nameOrPath: string): Promise<Persona> {
  return loadFile(personas, nameOrPath);
}

/** Reads a listed persona. Throws a Mistake that names the nearest one for an unknown name. Takes no path. */
export function listedPersona(name: string): Promise<Persona> {
  return loadListed(personas, name);
}

/**
 * Checks a persona that is given as an object, or read from a file. Throws a Refusal that names every mistake with its
 * path.
 */
export async function personaOf(given: unknown, file?: Buffer): Promise<Persona> {
  const { $schema: _editors, ...persona }: PersonaFile =
    file !== undefined && isChecked(file)
      ? (given as PersonaFile)
      : await checkedBy((await import('../bodies/persona.ts')).personaFile, given);
  // The rules of the schema have checked the members of each kind.
  return persona as Persona;
}

/**
 * The persona at a path of a known state: the name of a listed one, or one itself. Throws a Refusal or Mistake with the
 * path.
 */
async function personaAt(path: string, given: string | object): Promise<Persona> {
  try {
    return await (typeof given === 'string' ? listedPersona(given) : personaOf(given));
  } catch (error) {
    if (error instanceof Mistake) throw new Mistake(`${path}: ${error.message}`);
    if (!(error instanceof Refusal)) throw error;
    const [first, ...more] = error.faults;
    throw new Refusal(faultWithin(path, first), ...more.map((fault) => faultWithin(path, fault)));
  }
}
