import type { KnownState } from '../../engine/bank/known-state.ts';
import { knownStateFile } from '../bodies/known-state.ts';
import { fixturesByName } from '../control/ledger/known-state-of.ts';
import { Problem } from '../pipeline/problem.ts';
import { fileProblem, loadKnownState, stateIn } from '../start/fixtures.ts';
import { validateBody } from '../pipeline/validate-body.ts';
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

function given(fixtures: unknown): KnownState {
  // A copy, as the test may change its object later.
  const value: unknown = structuredClone(fixtures);
  try {
    validateBody(knownStateFile, value, { quirks: new Set() });
    return stateIn(value);
  } catch (error) {
    throw new Error(
      `createBank: the fixtures cannot be used: ${fileProblem(error).replace('The file', 'The object')}`,
      {
        cause: error,
      },
    );
  }
}
