import type { KnownAccount, KnownState } from '../../engine/bank/known-state.ts';
import type { Persona } from '../../engine/life/rules/persona.ts';
import { quote } from '../../engine/values/text.ts';
import { fixturesByName } from '../control/ledger/known-state-of.ts';
import { Problem } from '../pipeline/problem.ts';
import { knownStateIn, loadKnownState, loadPersona, personaOf } from '../start/fixtures.ts';
import { fileProblem } from '../start/listed-files.ts';
import type { CreateBankOptions } from './types.ts';

/** Read once each: the package's fixtures do not change while the process runs. */
const ofThePackage = new Map<string, KnownState>();

/** Loads a known state by name or path, or checks one given as an object. Throws an Error that says what is wrong. */
export async function fixturesOf(fixtures: CreateBankOptions['fixtures'] = 'known-state'): Promise<KnownState> {
  if (typeof fixtures !== 'string') {
    // A copy, as the test may change its object later.
    const copy: unknown = structuredClone(fixtures);
    return objectGiven('the fixtures cannot be used', 'The object', () => knownStateIn(copy));
  }
  if (!/^[\w-]+$/.test(fixtures)) return loadKnownState(fixtures);
  const known = ofThePackage.get(fixtures) ?? (await named(fixtures));
  ofThePackage.set(fixtures, known);
  return known;
}

/**
 * A known state with the personas of `createBank({ life })` on its accounts, by BBAN or IBAN. Throws an Error that names a wrong persona, or a
 * number that no account has.
 */
export async function withLives(state: KnownState, life: CreateBankOptions['life'] = {}): Promise<KnownState> {
  let { customers } = state;
  for (const [number, given] of Object.entries(life)) {
    const persona = await lifeGiven(number, given);
    const isMeant = ({ bban, iban }: KnownAccount): boolean => bban === number || iban === number;
    if (!customers.some(({ accounts }) => accounts.some(isMeant))) {
      throw new Error(`createBank: life names ${quote(number)}, which is no account of the fixtures.`);
    }
    customers = customers.map((customer) => ({
      ...customer,
      accounts: customer.accounts.map((account) => (isMeant(account) ? { ...account, persona } : account)),
    }));
  }
  return customers === state.customers ? state : { ...state, customers };
}

function lifeGiven(number: string, given: unknown): Promise<Persona> {
  const read = () => (typeof given === 'string' ? loadPersona(given) : personaOf(structuredClone(given)));
  return objectGiven(`the life of ${quote(number)} cannot begin`, 'The persona', read);
}

async function named(name: string): Promise<KnownState> {
  try {
    return await fixturesByName(name);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { detail, allowed } = error.facts;
    throw new Error(`createBank: ${detail} There are ${[allowed].flat().join(', ')}, or give a path or an object.`, {
      cause: error,
    });
  }
}

/** Reads an object of createBank. Throws an Error of one line that begins like this; `noun`: what the object is. */
export async function objectGiven<Value>(failed: string, noun: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    const problem = fileProblem(error).replace('The file', noun);
    throw new Error(`createBank: ${failed}: ${problem}`, { cause: error });
  }
}
