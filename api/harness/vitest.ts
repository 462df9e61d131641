import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, type VitestFile, type VitestSuite, type VitestTest } from 'vitest';
import * as vitest from 'vitest';
import { matchers } from './matchers/matchers.ts';
import { leaveBundles, placesOf, type TestPlace } from './bundles/leave-bundles.ts';
import type { TestRun } from './bundles/test-banks.ts';

/** Has each red test of the files that this process runs leave a bundle of its banks. */
function leaveBundlesOfVitest(): void {
  const context = new AsyncLocalStorage<TestRun>();
  // From vitest 4.1 on. Looked up on the module, as the import of a name that is not there fails.
  const { aroundEach } = vitest;
  const current = (): TestRun | null => context.getStore() ?? null;
  const bundles = leaveBundles({ current, tellsTests: () => aroundEach !== undefined, needed: 'vitest 4.1' });
  if (bundles === null) return;
  const files = new WeakMap<VitestFile, ReadonlyMap<VitestTest, TestPlace>>();
  const placeOf = (test: VitestTest): TestPlace | undefined => {
    const places = files.get(test.file) ?? placesIn(test.file);
    files.set(test.file, places);
    return places.get(test);
  };
  /** Tests with `repeats` that were red once: a later green repeat keeps the bundles. */
  const redOnce = new WeakSet<VitestTest>();
  const end = async (run: TestRun, test: VitestTest): Promise<void> => {
    const place = placeOf(test);
    if (place === undefined) return;
    const outcome = outcomeOf(test);
    if (outcome === 'red' && (test.repeats ?? 0) > 0) redOnce.add(test);
    const error = await bundles.ends(run, outcome === 'green' && redOnce.has(test) ? 'other' : outcome, place);
    if (error !== null) throw error;
  };
  const begin = (test: VitestTest): TestRun => {
    const run: TestRun = { isRed: () => test.result?.state === 'fail' && test.fails !== true };
    bundles.begins(run);
    return run;
  };

  if (aroundEach !== undefined) {
    aroundEach(async (runTest, { task }) => {
      const run = begin(task);
      await context.run(run, runTest);
      await end(run, task);
    });
    return;
  }
  vitest.beforeEach(({ task, onTestFinished }) => {
    const run = begin(task);
    // Called after all hooks, also when one of them throws.
    onTestFinished(() => end(run, task));
  });
}

/** Vitest inverts the result of `test.fails` at its end: a failure so far is a green test. */
function outcomeOf({ result, fails }: VitestTest): 'red' | 'green' | 'other' {
  if (fails === true) return result?.state === 'fail' ? 'green' : 'other';
  if (result?.state === 'fail') return 'red';
  return result?.state === 'skip' ? 'other' : 'green';
}

function placesIn(file: VitestFile): ReadonlyMap<VitestTest, TestPlace> {
  const testsIn = ({ tasks }: VitestSuite, names: readonly string[]): (readonly [VitestTest, readonly string[]])[] =>
    tasks.flatMap((task) => {
      const all = [...names, task.name];
      return task.type === 'suite' ? testsIn(task, all) : [[task, all] as const];
    });
  return placesOf(testsIn(file, []), { file: file.filepath, project: file.projectName ?? '' });
}

// What importing `sandbank/vitest` does; its types are in vitest-matchers.ts.
expect.extend(matchers);
leaveBundlesOfVitest();
