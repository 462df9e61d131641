import { createHash } from 'node:crypto';
import { relative } from 'node:path';

/** Where a test stands: the same in each run of the tests, whatever else of them runs. */
export interface TestPlace {
  /** Path of its file. */
  readonly file: string;
  /** The name of the project in the runner's configuration; empty: it has none. */
  readonly project: string;
  /** The names of the groups around it, then its own. */
  readonly names: readonly string[];
  /** Which of the tests with these names it is, from 1: `test.each` gives all of them one name where the title has no placeholder. */
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

/**
 * The name of a test as that of a file: its ASCII letters and digits, in lower case, and a hash of its place, so that any two tests have two
 * names and a test always has the same.
 */
export function stemOf({ file, project, names, nth }: TestPlace): string {
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
