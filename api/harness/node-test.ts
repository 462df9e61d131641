import { beforeEach, type TestContext } from 'node:test';
import { bundleFolder } from '../start/config.ts';
import { SavedFiles } from './failed-tests/saved-files.ts';
import { keepTestBanks, type TestRun } from './failed-tests/test-banks.ts';

/** The context of a test. Its types lack `error`, which is null until the test has failed. */
type NodeTest = TestContext & { readonly filePath: string; readonly error: unknown };

/** Has each failed test save its banks in this folder, and each one that passes remove its files. */
function saveFailed(folder: string): void {
  const banks = keepTestBanks(globalThis);
  const counts = new Map<string, number>();
  beforeEach((context) => {
    const test = context as NodeTest;
    // With --test-isolation=none, the files share this process.
    const name = JSON.stringify([test.filePath, test.fullName]);
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    const files = new SavedFiles(folder, { file: test.filePath, names: [test.fullName], key: String(nth) });
    const run: TestRun = { hasFailed: () => test.error !== null };
    banks.begins(run);
    // It is called after all hooks `afterEach`, and its lines are shown below the failure.
    test.after(async () => {
      const saved = run.hasFailed() ? banks.banksOf(run) : [];
      if (saved.length > 0) for (const line of (await files.write(saved)).message.split('\n')) test.diagnostic(line);
      else files.remove();
      await banks.ends(run);
    });
  });
}

// What importing `sandbank/node-test` does.
const folder = bundleFolder();
if (folder !== null) saveFailed(folder);
