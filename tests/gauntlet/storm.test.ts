import { describe, expect, test } from '@jest/globals';
import type { GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import type { Trial } from '../../api/trials/trial.ts';
import { allTrials, atOperation, trialNamed } from '../../api/trials/trials.ts';
import { storm, worldsOf } from '../../scripts/gauntlet/storm.ts';
import { seeded } from '../lab/seeded.ts';

const all = await allTrials();

/** All that a suite may survive alone. */
const parts = all.flatMap((trial): readonly Trial[] => {
  const { strikes, isForged } = trial.does;
  if (trial.kind === 'profile' || isForged === true) return [];
  if (strikes === undefined) return [trial];
  return /^(?:closed|gateway)/.test(trial.name)
    ? ['POST/payments/product', 'GET/accounts'].map((at) => atOperation(trial, at))
    : [];
});

/** A suite in which each test fails when all trials of one of its sets are there. Counts its runs. */
function suite(breaks: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const runs: (readonly string[])[] = [];
  const run = async (trial: Trial): Promise<GauntletTrial> => {
    await Promise.resolve();
    const names = (trial.parts ?? [trial]).map(({ name }) => name);
    runs.push(names);
    const failed = Object.entries(breaks).filter(([, sets]) =>
      sets.some((set) => set.every((one) => names.includes(one))),
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

const touched = new Map(parts.map(({ name }) => [name.replace(/@.*/, ''), new Set<string>()]));

async function found(
  breaks: Readonly<Record<string, readonly (readonly string[])[]>>,
  { jobs = 2, most = Infinity }: { readonly jobs?: number; readonly most?: number } = {},
) {
  const { runs, run } = suite(breaks);
  const sets: string[] = [];
  const isOver = (share = 1): boolean => runs.length >= share * most;
  const report = await storm({ parts, touched, jobs, run, isOver, found: ({ name }) => sets.push(name) });
  return { report, runs, sets: sets.map((name) => name.split('+').toSorted().join('+')).toSorted() };
}

describe('GA6: the worlds', () => {
  test('each two trials that can stand together meet; of a slot a world has one at most, and no quirks that contradict each other', () => {
    const worlds = worldsOf(parts, touched);
    const met = new Set(
      worlds.flatMap((world) => world.flatMap(({ name }) => world.map((other) => `${name} ${other.name}`))),
    );
    const lacking = parts.flatMap((one) =>
      parts.flatMap((other) => (met.has(`${one.name} ${other.name}`) ? [] : [[one, other]])),
    );
    const explained = lacking.filter(
      ([one, other]) =>
        one?.slot === other?.slot ||
        [one?.name, other?.name].toSorted().join() === 'pending-dates=none,pending-filtered',
    );
    expect(lacking).toEqual(explained);
    for (const world of worlds) expect(new Set(world.map(({ slot }) => slot)).size).toBe(world.length);
    expect(worlds.length).toBeLessThan(parts.length * 2);
  });
});

describe('GA6: the smallest set of each test that breaks is found', () => {
  test('no set: no search', async () => {
    const { report, runs, sets } = await found({});
    expect([sets, report?.notTried]).toEqual([[], 0]);
    expect(runs).toHaveLength(worldsOf(parts, touched).length);
  });

  test('a pair, three, and one that nobody has tried alone', async () => {
    const pair = ['limit-cap=2', 'reissued-ids'];
    const three = ['long-texts', 'member-order', 'short-at-first'];
    expect((await found({ a: [pair] })).sets).toEqual([pair.join('+')]);
    expect((await found({ a: [three] })).sets).toEqual([three.join('+')]);
    const { runs, run } = suite({ a: [['order']] });
    const rows: (readonly string[] | undefined)[] = [];
    await storm({
      parts,
      touched: new Map(),
      jobs: 1,
      run,
      isOver: () => runs.length > 300,
      found: (row) => rows.push(row.parts),
    });
    expect(rows).toEqual([['order']]);
  });

  test('what is taken out hides nothing: several sets in one test, and one set in several', async () => {
    const breaks = {
      a: [
        ['limit-cap=2', 'reissued-ids'],
        ['limit-cap=2', 'no-next-link'],
        ['sca-failed', 'gateway@GET/accounts'],
      ],
      b: [['limit-cap=2', 'reissued-ids']],
      c: [['short-at-first', 'status-lag']],
    };
    const { sets } = await found(breaks);
    for (const set of breaks.a.concat(breaks.c)) expect(sets).toContain(set.toSorted().join('+'));
    expect(sets.filter((set) => set === 'limit-cap=2+reissued-ids')).toHaveLength(1);
  });

  test('twenty pairs by chance, each in a test of its own', async () => {
    const random = seeded(20_270_413);
    const names = parts.map(({ name }) => name);
    const pairs = Array.from({ length: 20 }, () => {
      for (;;) {
        const [one, other] = [names[random.below(names.length)] ?? '', names[random.below(names.length)] ?? ''];
        const trial = one === other ? null : trialNamed(all, `${one}+${other}`);
        if (trial !== null && new Set(trial.parts?.map(({ slot }) => slot)).size === 2) return [one, other].toSorted();
      }
    });
    // As many runs as ten minutes have of a suite of five seconds, on two processors.
    const { sets } = await found(Object.fromEntries(pairs.map((pair, at) => [`test ${at}`, [pair]])), { most: 240 });
    expect(sets.filter((set) => !pairs.some((pair) => pair.join('+') === set))).toEqual([]);
    expect(pairs.filter((pair) => !sets.includes(pair.join('+'))).length).toBeLessThanOrEqual(2);
  });

  test('when the time is over, what was found is kept and what was not tried is counted', async () => {
    const { report, sets, runs } = await found({ a: [['limit-cap=2', 'reissued-ids']] }, { most: 100 });
    expect(runs.length).toBeLessThanOrEqual(101);
    expect(report?.notTried).toBeGreaterThan(0);
    expect(sets).toEqual(['limit-cap=2+reissued-ids']);
  });
});
