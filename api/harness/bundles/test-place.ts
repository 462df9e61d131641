import { createHash } from 'node:crypto';
import { relative } from 'node:path';

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
