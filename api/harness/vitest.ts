import { beforeEach, expect, type VitestTest } from 'vitest';
import { bundleFolder } from '../start/config.ts';
import { SavedFiles } from './failed-tests/saved-files.ts';
import { keepTestBanks, type TestRun } from './failed-tests/test-banks.ts';
import { matchers } from './matchers.ts';

/** Has each failed test save its banks in this folder, and each one that passes remove its files. */
function saveFailed(folder: string): void {
  const banks = keepTestBanks(globalThis);
  /** Tests with `repeats` that failed once: one that passes later keeps the files. */
  const failedOnce = new WeakSet<VitestTest>();
  beforeEach(({ task, onTestFinished, onTestFailed }) => {
    const run: TestRun = { hasFailed: () => task.result?.state === 'fail' && task.fails !== true };
    const files = new SavedFiles(folder, { file: task.file.filepath, names: namesOf(task), key: task.id });
    banks.begins(run);
    // Both are called after all hooks, the first one for each test.
    onTestFinished(async () => {
      if (run.hasFailed()) return;
      if (!failedOnce.has(task)) files.remove();
      await banks.ends(run);
    });
    onTestFailed(async () => {
      if (!run.hasFailed()) return;
      failedOnce.add(task);
      const saved = banks.banksOf(run);
      const how = saved.length === 0 ? null : await files.write(saved);
      await banks.ends(run);
      // Vitest shows it below the failure.
      if (how !== null) throw how;
    });
  });
}

function namesOf({ name, suite }: VitestTest): readonly string[] {
  const names = [name];
  for (let group = suite; group !== undefined; group = group.suite) names.unshift(group.name);
  return names;
}

// What importing `sandbank/vitest` does; its types are in vitest-matchers.ts.
expect.extend(matchers);
const folder = bundleFolder();
if (folder !== null) saveFailed(folder);
