import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createHash } from 'node:crypto';
import packageJson from '../../../package.json' with { type: 'json' };
import { shellWord } from '../../../engine/values/text.ts';
import { bundleFolder } from '../../start/config.ts';
import { messageOf } from '../given.ts';
import { keepTestBanks, type NoBank, type Save, type TestRun } from './test-banks.ts';

/** Identifies a test in every run. */
export interface TestPlace {
  /** Path of its file. */
  readonly file: string;
  /** The name of the project in the runner's configuration; empty: it has none. */
  readonly project: string;
  /** The names of the groups around it, then its own. */
  readonly names: readonly string[];
  /** Position among the tests with these names, from 1: `test.each` repeats a title without a placeholder. */
  readonly nth: number;
}

/** The places of all tests of a file. `tests`: in the order in which the file declares them. */
export function placesOf<Test>(
  tests: readonly (readonly [test: Test, names: readonly string[]])[],
  { file, project }: Pick<TestPlace, 'file' | 'project'>,
): ReadonlyMap<Test, TestPlace> {
  const counts = new Map<string, number>();
  return new Map(
    tests.map(([test, names]) => {
      const key = JSON.stringify(names);
      const nth = (counts.get(key) ?? 0) + 1;
      counts.set(key, nth);
      return [test, { file, project, names, nth }];
    }),
  );
}

/** The file name of a test: ASCII letters and digits of its names, in lower case, and a hash of its place. Unique, and stable. */
function stemOf({ file, project, names, nth }: TestPlace): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([relative(process.cwd(), file), project, names, nth]))
    .digest('hex')
    .slice(0, 8);
  const words = names
    .join(' ')
    .slice(0, 400)
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g) ?? ['test'];
  return [words.join('-').slice(0, 80), ...(nth === 1 ? [] : [`${nth}`]), hash].join('-');
}

/** How a test run ended. `other`: skipped, or the runner inverts the result. */
type Outcome = 'red' | 'green' | 'other';

interface Runner {
  /** The run of the calling code; null if the runner does not tell. */
  readonly current: () => TestRun | null;
  /** Whether the runner tells which of several concurrent tests the calling code belongs to. */
  readonly tellsTests: () => boolean;
  /** Name and first version of the runner that tells: `jest 30.5`. */
  readonly needed: string;
}

/**
 * Each red test leaves a bundle of its banks. The runner calls `begins` before and `ends` after each run of a test. Null: bundles are off, or
 * another caller does it already.
 */
export function leaveBundles({ current, tellsTests, needed }: Runner) {
  const folder = bundleFolder();
  const kept = folder === null ? null : keepTestBanks(current);
  if (folder === null || kept === null) return null;
  const whyMissed = (why: NoBank): Error => {
    const beside = 'No bank of this test is saved: it ran beside other tests, and';
    if (why === 'none used') return withoutStack(`${beside} used no bank.`);
    const advice = tellsTests() ? 'Open its bank in the test itself.' : `This needs ${needed} or newer.`;
    return withoutStack(`${beside} nobody can tell which bank is its own. ${advice}`);
  };
  return {
    /** Says why a test that ran beside others has no bundle: the runner does not tell its banks. */
    whyMissed: () => whyMissed('not told'),
    begins: (run: TestRun): void => kept.begins(run),
    /** Returns an Error for the runner to show: how to open the bundles of a red test. Null: nothing to show. */
    ends: async (run: TestRun, outcome: Outcome, place: TestPlace): Promise<Error | null> => {
      let error: Error | null = null;
      try {
        await kept.ends(run, async (banks, why) => {
          if (outcome === 'green') forget(folder, stemOf(place));
          if (outcome !== 'red') return;
          if (banks.length > 0) error = withoutStack(await leave(folder, stemOf(place), banks));
          else if (why !== null) error = whyMissed(why);
        });
      } catch (thrown) {
        return thrown as Error;
      }
      return error;
    },
  };
}

/** An Error whose stack would show this file. */
function withoutStack(text: string): Error {
  const error = new Error(text);
  error.stack = text;
  return error;
}

/** Replaces the bundles of a test. Returns how to open them, or why there are none. */
async function leave(folder: string, stem: string, banks: readonly Save[]): Promise<string> {
  const opened: string[] = [];
  const problems: string[] = [];
  const bundles: Buffer[] = [];
  for (const save of banks) {
    try {
      bundles.push(await save());
    } catch (error) {
      problems.push(`One bank could not be saved: ${messageOf(error)}`);
    }
  }
  try {
    prepare(folder);
    removeAll(folder, stem);
    for (const [index, bundle] of bundles.entries()) {
      const path = join(folder, `${stem}${index === 0 ? '' : `.${index + 1}`}.sandbank`);
      writeFileSync(path, bundle);
      opened.push(`npx --no sandbank open ${shellWord(path)}`);
    }
  } catch (error) {
    problems.push(`One bank could not be saved: ${messageOf(error)}`);
  }
  const lines = [...opened, ...problems];
  const [first = ''] = lines;
  const text =
    lines.length === 1 ? `The bank of this test: ${first}` : ['The banks of this test:', ...lines].join('\n  ');
  return opened.length === 0 ? text : `${text}\n${origin}`;
}

/** For a reader of a log who has not installed the package. */
const origin = `(sandbank ${packageJson.version} is a package of this project: npm ci installs it. Run the command where the tests were started.)`;

/** Removes the bundles of a test that is green again. */
function forget(folder: string, stem: string): void {
  try {
    if (existsSync(join(folder, `${stem}.sandbank`))) removeAll(folder, stem);
  } catch {
    // A bundle that cannot be removed makes no green test red.
  }
}

function removeAll(folder: string, stem: string): void {
  for (const old of readdirSync(folder)) if (old.startsWith(`${stem}.`)) rmSync(join(folder, old));
}

/** Makes the folder, which git ignores. */
function prepare(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.gitignore'), '*\n');
}
