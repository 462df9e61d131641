import { readdir } from 'node:fs/promises';
import { quote } from '../../../engine/values/text.ts';
import type { KnownState } from '../../../engine/bank/known-state.ts';
import { ConfigError } from '../../start/config.ts';
import { fixturesFolder } from '../../start/fixtures-folder.ts';
import { loadKnownState } from '../../start/known-state-file.ts';
import { Problem } from '../../pipeline/problem.ts';

/** Other files of the fixtures folder: the price list of foreign payments (price-list-file.ts). */
const priceLists = ['exchange-rates', 'fees'];

/** Loads fixtures by name; Problem 400 for an unknown name. Takes no path: a caller could read any file of the machine. */
export async function fixturesByName(name: string): Promise<KnownState> {
  const files = (await readdir(fixturesFolder))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -5));
  const names = files.filter((file) => !priceLists.includes(file));
  const found = names.includes(name) ? await setOrProblem(name) : `There are no fixtures ${quote(name)}.`;
  if (typeof found !== 'string') return found;
  const sets = await Promise.all(names.map(async (each) => ({ each, set: await setOrProblem(each) })));
  // The folder may hold other JSON files too.
  const allowed = sets.filter(({ set }) => typeof set !== 'string').map(({ each }) => each);
  throw new Problem({ status: 400, detail: found, errors: [{ path: 'fixtures', detail: found }], allowed });
}

async function setOrProblem(name: string): Promise<KnownState | string> {
  try {
    return await loadKnownState(name);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}
