import type { GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import type { Trial } from '../../api/gauntlet/trial.ts';
import { allTrials, atOperation } from '../../api/gauntlet/trials.ts';
import { storm } from '../../scripts/gauntlet/storm.ts';

/* Suites whose failures are known, for tests of the storm. */

export const all = await allTrials();

/** All that a suite may survive alone. */
export const parts = all.flatMap((trial): readonly Trial[] => {
  const { strikes, isForged } = trial.does;
  if (trial.kind === 'profile' || isForged === true) return [];
  if (strikes === undefined) return [trial];
  return /^(?:closed|gateway)/.test(trial.name)
    ? ['POST/payments/product', 'GET/accounts'].map((at) => atOperation(trial, at))
    : [];
});

/** The sets that break each test: of names of trials, or of what they match. */
export type Breaks = Readonly<Record<string, readonly (readonly (string | RegExp)[])[]>>;

/** A suite in which each test fails when all trials of one of its sets are there, and nothing hides it. Counts its runs. */
export function suite(breaks: Breaks, hides: Readonly<Record<string, string>> = {}) {
  const runs: (readonly string[])[] = [];
  const run = async (trial: Trial): Promise<GauntletTrial> => {
    await Promise.resolve();
    const names = (trial.parts ?? [trial]).map(({ name }) => name);
    runs.push(names);
    const has = (one: string | RegExp): boolean =>
      names.some((name) => (typeof one === 'string' ? name === one : one.test(name)));
    const failed = Object.entries(breaks).filter(
      ([test, sets]) => sets.some((set) => set.every(has)) && !names.includes(hides[test] ?? ''),
    );
    const tests = failed.map(([name]) => ({ name, file: 'a.test.js', message: '' }));
    return {
      name: trial.name,
      parts: names,
      verdict: tests.length > 0 ? 'broke' : 'survived',
      tests,
    } as unknown as GauntletTrial;
  };
  return { runs, run };
}

export const touched = new Map(parts.map(({ name }) => [name.replace(/@.*/, ''), new Set<string>()]));

/** What a storm over a suite finds: its report, its runs, and the names of the sets. `most`: how many runs it has. */
export async function found(
  breaks: Breaks,
  {
    jobs = 2,
    most = Infinity,
    of = parts,
  }: { readonly jobs?: number; readonly most?: number; readonly of?: readonly Trial[] } = {},
) {
  const { runs, run } = suite(breaks);
  const sets: string[] = [];
  const isOver = (): boolean => runs.length >= most;
  const report = await storm({ parts: of, touched, jobs, run, isOver, found: ({ name }) => sets.push(name) });
  return { report, runs, sets: sets.map((name) => name.split('+').toSorted().join('+')).toSorted() };
}
