import { quote } from '../../engine/values/text.ts';
import { refusedAt } from '../pipeline/problem.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { fixtureNames, knownStateIn, loadKnownState } from '../start/fixtures.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { givenIn } from './name-or-object.ts';

/** Gives a known state that this server has, by the name in `GET /sandbox/info`, or undefined if it has none. */
type KnownNames = (name: string) => Promise<KnownState | undefined> | KnownState | undefined;

/**
 * The known state of `fixtures` in a body: an object is the state itself, a name means the fixtures folder or `known`.
 * Takes no path: a caller could read any file of the machine. Throws a Refusal for a wrong object, and a Problem (400)
 * for an unknown name.
 */
export async function knownStateOf(fixtures: string | object, known: KnownNames): Promise<KnownState> {
  if (typeof fixtures === 'string') {
    const isOfFolder = /^[\w-]+$/.test(fixtures);
    return (isOfFolder ? undefined : await known(fixtures)) ?? fixturesByName(fixtures);
  }
  return givenIn('fixtures', 'The known state', () => knownStateIn(fixtures));
}

/**
 * Loads fixtures by name. Throws a Problem 400 for an unknown name. Takes no path: a caller could read any file of the
 * machine.
 */
export async function fixturesByName(name: string): Promise<KnownState> {
  const names = fixtureNames();
  const found = names.includes(name) ? await setOrProblem(name) : `There are no fixtures ${quote(name)}.`;
  if (typeof found !== 'string') return found;
  const sets = await Promise.all(names.map(async (each) => ({ each, set: await setOrProblem(each) })));
  // The folder may hold other JSON files too.
  const allowed = sets.filter(({ set }) => typeof set !== 'string').map(({ each }) => each);
  throw refusedAt('fixtures', found, allowed);
}

async function setOrProblem(name: string): Promise<KnownState | string> {
  try {
    return await loadKnownState(name);
  } catch (error) {
    if (error instanceof Mistake) return error.message;
    throw error;
  }
}
