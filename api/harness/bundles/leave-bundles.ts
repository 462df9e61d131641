import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { shellWord } from '../../../engine/values/text.ts';
import { bundleFolder } from '../../start/config.ts';
import { messageOf } from '../given.ts';
import { keepTestBanks, type TestBank } from './test-banks.ts';

/** A test that ends. */
interface EndingTest {
  /** With the names of the groups around it. */
  readonly name: string;
  /** Path of its file. */
  readonly file: string;
  readonly hasFailed: boolean;
}

/** What a test runner's hooks call before and after each test. */
interface BundlesOfTests {
  testBegins(): void;
  /** Rejects for a red test with an Error that says how to open its bundles: the test then fails with one more. */
  testEnds(test: EndingTest): Promise<void>;
}

/** Has each red test leave a bundle of its banks. Null: nobody wants that, or it is seen to already. */
export function leaveBundles(): BundlesOfTests | null {
  const folder = bundleFolder();
  const banks = folder === null ? null : keepTestBanks();
  if (folder === null || banks === null) return null;
  return {
    testBegins: () => banks.testBegins(),
    testEnds: (test) =>
      banks.testEnds(async (open) => {
        if (open.length === 0) return;
        if (!test.hasFailed) {
          forget(folder, test);
          return;
        }
        const error = new Error(await leave(folder, test, open));
        // A stack would show this file.
        error.stack = error.message;
        throw error;
      }),
  };
}

/** Writes the bundles of a test in place of those of its last run. Returns how to open them, or why there are none. */
async function leave(folder: string, test: EndingTest, banks: readonly TestBank[]): Promise<string> {
  const stem = stemOf(test);
  const opened: string[] = [];
  try {
    prepare(folder);
    removeAll(folder, stem);
    for (const [index, bank] of banks.entries()) {
      const path = join(folder, `${stem}${index === 0 ? '' : `.${index + 1}`}.sandbank`);
      writeFileSync(path, await bank.bundle());
      opened.push(`npx sandbank open ${shellWord(path)}`);
    }
  } catch (error) {
    opened.push(`One bank could not be saved: ${messageOf(error)}`);
  }
  const [first = ''] = opened;
  return opened.length === 1 ? `The bank of this test: ${first}` : ['The banks of this test:', ...opened].join('\n  ');
}

/** Removes the bundles of a test that was red and is green now. */
function forget(folder: string, test: EndingTest): void {
  const stem = stemOf(test);
  try {
    if (existsSync(join(folder, `${stem}.sandbank`))) removeAll(folder, stem);
  } catch {
    // A bundle that cannot be removed makes no green test red.
  }
}

function removeAll(folder: string, stem: string): void {
  for (const old of readdirSync(folder)) if (old.startsWith(`${stem}.`)) rmSync(join(folder, old));
}

/** Makes the folder, which git passes over. */
function prepare(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.gitignore'), '*\n');
}

/**
 * The name of a test as that of a file: its ASCII letters and digits, in lower case, and a hash, so that any two tests have two names and a
 * test always has the same.
 */
function stemOf({ name, file }: EndingTest): string {
  const hash = createHash('sha256')
    .update(`${relative(process.cwd(), file)}\n${name}`)
    .digest('hex')
    .slice(0, 6);
  const words = name
    .slice(0, 400)
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g) ?? ['test'];
  return `${words.join('-').slice(0, 80)}-${hash}`;
}
