import type { KnownState } from '../../engine/bank/known-state.ts';
import { ConfigError } from './config.ts';
import { fileProblem } from './file-problem.ts';
import { fixturesFolder } from './fixtures-folder.ts';
import { readFixtures } from './read-fixtures.ts';

/**
 * Reads a known state, by its name in the fixtures folder or the path of a JSON file. Throws a ConfigError that says what
 * is wrong with it.
 */
export async function loadKnownState(nameOrPath: string): Promise<KnownState> {
  const file = /^[\w-]+$/.test(nameOrPath) ? new URL(`${nameOrPath}.json`, fixturesFolder) : nameOrPath;
  try {
    return await readFixtures(
      'known-state',
      file,
      async () => (await import('../bodies/known-state.ts')).knownStateFile,
    );
  } catch (error) {
    throw new ConfigError(`the fixtures ${nameOrPath} cannot be used: ${fileProblem(error)}`);
  }
}
