import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { shellWord } from '../../../engine/values/text.ts';
import { bundleFolder } from '../../start/config.ts';
import { messageOf } from '../given.ts';
import { keepTestBanks, type NoBank, type Save, type TestRun } from './test-banks.ts';
import { stemOf, type TestPlace } from './test-place.ts';

/** How a test run ended. `other`: it was skipped, or its runner turns the result round. */
type Outcome = 'red' | 'green' | 'other';

/** What a test runner calls before and after each run of a test. */
interface BundlesOfTests {
  begins(run: TestRun): void;
  /** Returns an Error that says how to open the bundles of a red test, for its runner to show; null: there is nothing to say. */
  ends(run: TestRun, outcome: Outcome, place: TestPlace): Promise<Error | null>;
  /** Says why a test that ran beside others has no bundle: the runner does not tell its banks. */
  whyMissed(): Error;
}

interface Runner {
  /** The run of the code that asks; null where the runner does not tell. */
  readonly current: () => TestRun | null;
  /** Whether the runner tells which of several tests at the same time the asking code runs in. */
  readonly tellsTests: () => boolean;
  /** Name and first version of the runner that tells: `jest 30.5`. */
  readonly needed: string;
}

/** Has each red test leave a bundle of its banks. Null: nobody wants that, or it is seen to already. */
export function leaveBundles({ current, tellsTests, needed }: Runner): BundlesOfTests | null {
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
    whyMissed: () => whyMissed('not told'),
    begins: (run) => kept.begins(run),
    ends: async (run, outcome, place) => {
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

/** Writes the bundles of a test in place of those of its last run. Returns how to open them, or why there are none. */
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

/** For somebody who reads the line in a log, and has not installed the package. */
const origin = `(sandbank ${packageJson.version} is a package of this project: npm ci installs it. Run the command where the tests were started.)`;

/** Removes the bundles of a test that was red and is green now. */
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

/** Makes the folder, which git passes over. */
function prepare(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.gitignore'), '*\n');
}
