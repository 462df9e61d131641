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
  if (typeof fixtures !== 'string') return given(fixtures);
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

async function lifeGiven(number: string, given: unknown): Promise<Persona> {
  try {
    return await (typeof given === 'string' ? loadPersona(given) : personaOf(structuredClone(given)));
  } catch (error) {
    const problem = fileProblem(error).replace('The file', 'The persona');
    throw new Error(`createBank: the life of ${quote(number)} cannot begin: ${problem}`, { cause: error });
  }
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

async function given(fixtures: unknown): Promise<KnownState> {
  // A copy, as the test may change its object later.
  const value: unknown = structuredClone(fixtures);
  try {
    return await knownStateIn(value);
  } catch (error) {
    throw new Error(
      `createBank: the fixtures cannot be used: ${fileProblem(error).replace('The file', 'The object')}`,
      {
        cause: error,
      },
    );
  }
}
