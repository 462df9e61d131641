import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundleFolder } from '../start/config.ts';
import { SavedFiles } from './failed-tests/saved-files.ts';
import { keepTestBanks, type TestRun } from './failed-tests/test-banks.ts';

/** A test, as far as this reads what jest tells of it. */
interface JestTest {
  readonly name: string;
  readonly parent: JestGroup;
  readonly errors: unknown[];
}

interface JestGroup {
  readonly name: string;
  /** If it is left out, it is the file. */
  readonly parent?: JestGroup;
}

interface JestEvent {
  readonly name: string;
  readonly test?: JestTest;
}

/** An environment of jest, as far as this needs it. */
interface Environment {
  readonly global: object;
  handleTestEvent?(event: JestEvent): Promise<void>;
}

type NewEnvironment = new (config: Config, context: Context) => Environment;

interface Config {
  readonly projectConfig: { readonly rootDir: string };
}

interface Context {
  readonly testPath: string;
}

/**
 * The environment of jest for Node, in which each failed test saves its banks as files. In jest's configuration:
 * `testEnvironment: 'sandbank/jest-environment'`. It hears of tests by `handleTestEvent`.
 */
export default function SandbankEnvironment(config: Config, context: Context): Environment {
  const environment = new (environmentOfNode(config.projectConfig.rootDir))(config, context);
  const folder = bundleFolder();
  if (folder !== null) environment.handleTestEvent = savesFailed(environment.global, folder, context.testPath);
  return environment;
}

/** Saves the banks of a failed test, and removes the files of one that passes. */
function savesFailed(global: object, folder: string, file: string): (event: JestEvent) => Promise<void> {
  const banks = keepTestBanks(global);
  const runs = new Map<JestTest, TestRun>();
  const filesOf = namedFiles(folder, file);
  return async ({ name, test }) => {
    if (test === undefined) return;
    // A skipped test counts too, so that the others keep their numbers.
    if (name === 'test_start') filesOf(test);
    if (name === 'test_started') {
      const run: TestRun = { hasFailed: () => test.errors.length > 0 };
      runs.set(test, run);
      banks.begins(run);
    }
    const run = runs.get(test);
    if (name !== 'test_done' || run === undefined) return;
    runs.delete(test);
    const saved = run.hasFailed() ? banks.banksOf(run) : [];
    if (saved.length > 0) test.errors.push(await filesOf(test).write(saved));
    else filesOf(test).remove();
    await banks.ends(run);
  };
}

/** The files of each test of a test file. Those of one title are numbered in the order in which they first run. */
function namedFiles(folder: string, file: string): (test: JestTest) => SavedFiles {
  const counts = new Map<string, number>();
  const files = new Map<JestTest, SavedFiles>();
  const name = (test: JestTest): SavedFiles => {
    const names = namesOf(test);
    const nth = (counts.get(names.join(' ')) ?? 0) + 1;
    counts.set(names.join(' '), nth);
    const named = new SavedFiles(folder, { file, names, key: String(nth) });
    files.set(test, named);
    return named;
  };
  return (test) => files.get(test) ?? name(test);
}

function namesOf({ name, parent }: JestTest): readonly string[] {
  const names = [name];
  for (let group = parent; group.parent !== undefined; group = group.parent) names.unshift(group.name);
  return names;
}

/**
 * The environment of the project's own jest, which needs not stand beside it: pnpm puts it where jest-config finds it.
 */
function environmentOfNode(rootDir: string): NewEnvironment {
  let find = createRequire(join(rootDir, 'package.json'));
  for (const next of ['jest', 'jest-cli', 'jest-config']) {
    try {
      find.resolve('jest-environment-node');
      break;
    } catch {
      find = createRequire(find.resolve(next));
    }
  }
  return (find('jest-environment-node') as { readonly TestEnvironment: NewEnvironment }).TestEnvironment;
}
