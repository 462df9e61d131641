import { describe, expect, test } from '@jest/globals';
import type { GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import type { Trial } from '../../api/gauntlet/trial.ts';
import { atOperation } from '../../api/gauntlet/trials.ts';
import { Met } from '../../scripts/gauntlet/met.ts';
import { storm } from '../../scripts/gauntlet/storm.ts';
import { all, found, parts, suite, touched } from './storm-suite.ts';

describe('GA6: the worlds', () => {
  test('each two trials that can stand together meet; of a slot a world has one at most, and no quirks that contradict each other', async () => {
    const { runs, sets, report } = await found({});
    expect([sets, report?.notTried]).toEqual([[], 0]);
    const met = new Set(runs.flatMap((world) => world.flatMap((name) => world.map((other) => `${name} ${other}`))));
    const slots = new Map(parts.map(({ name, slot }) => [name, slot]));
    const lacking = parts.flatMap((one) =>
      parts.flatMap((other) => (met.has(`${one.name} ${other.name}`) ? [] : [[one, other]])),
    );
    const explained = lacking.filter(
      ([one, other]) =>
        one?.slot === other?.slot ||
        [one?.name, other?.name].toSorted().join() === 'pending-dates=none,pending-filtered',
    );
    expect(lacking).toEqual(explained);
    for (const world of runs) expect(new Set(world.map((name) => slots.get(name))).size).toBe(world.length);
    expect(runs.length).toBeLessThan(parts.length * 2);
  });
});

describe('GA6: the storm ends by itself', () => {
  /** The first values of so many trials each, of slots that differ. */
  function few(...counts: readonly number[]): readonly Trial[] {
    const slots = [...Map.groupBy(parts, ({ slot }) => slot).values()].toSorted(
      (one, other) => other.length - one.length,
    );
    return counts.flatMap((count, at) => slots[at]?.slice(0, count) ?? []);
  }

  test.each([1, 2, 3])('where each value of a slot breaks a test with another trial, %i at a time', async (jobs) => {
    const of = few(2, 1, 1, 1, 1, 1);
    const [one = '', other = '', third = ''] = of.map(({ name }) => name);
    const breaks = { a: [one, other].map((name) => [name, third]) };
    const { runs, sets, report } = await found(breaks, { jobs, most: 200, of });
    expect(runs.length).toBeLessThan(60);
    expect(sets.length).toBeGreaterThan(0);
    expect(report?.notTried).toBe(0);
  });

  test.each([1, 2, 3])('where three break a test, whatever their values, %i at a time', async (jobs) => {
    const of = few(3, 3, 3, 1, 1);
    const any = [0, 3, 6].map(
      (at) =>
        new RegExp(
          `^(?:${of
            .slice(at, at + 3)
            .map(({ name }) => name)
            .join('|')})$`,
        ),
    );
    const { runs, sets } = await found({ a: [any] }, { jobs, most: 200, of });
    expect(runs.length).toBeLessThan(200);
    expect(sets.length).toBeGreaterThan(0);
  });
});

describe('GA6: the smallest set of each test that breaks is found', () => {
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

  test('a pair that another trial hides, and a test that fails once by chance', async () => {
    const { run } = suite({ a: [['limit-cap=2', 'reissued-ids']] }, { a: 'charset' });
    const sets: string[] = [];
    let runs = 0;
    const flaky = async (trial: Trial): Promise<GauntletTrial> => {
      const row = await run(trial);
      const tests = [...row.tests, { name: 'b', file: 'b.test.js', message: '' }];
      return (runs += 1) === 3 ? { ...row, verdict: 'broke', tests } : row;
    };
    const isOver = (): boolean => runs > 300;
    await storm({ parts, touched, jobs: 2, run: flaky, isOver, found: ({ name }) => sets.push(name) });
    expect(sets.map((name) => name.split('+').toSorted().join('+'))).toEqual(['limit-cap=2+reissued-ids']);
  });

  test('when the time is over, what was found is kept and what was not tried is counted', async () => {
    const { report, sets, runs } = await found({ a: [['limit-cap=2', 'reissued-ids']] }, { most: 100 });
    expect(runs.length).toBeLessThanOrEqual(101);
    expect(report?.notTried).toBeGreaterThan(0);
    expect(sets).toEqual(['limit-cap=2+reissued-ids']);
  });
});

test('GA6: late answers are in no world', () => {
  const seen = {
    bank: 'a',
    test: '',
    call: 'GET /v1/accounts',
    operation: 'GET /v1/accounts',
    status: 200,
    code: null,
  };
  const call = { ...seen, type: '', answer: '', isSigned: false, isOfHarness: false, did: false };
  const recording = { calls: [call], heard: new Set<string>(), isApplied: true };
  const wire = all.filter(({ does }) => does.strikes !== undefined);
  const met = new Met([recording, recording], wire, []);
  for (const trial of wire)
    met.add(/^late$/.test(trial.name) ? atOperation(trial, 'GET/accounts') : trial, 'survived', recording);
  expect(met.parts([]).filter(({ name }) => name.startsWith('late'))).toEqual([]);
  expect(met.parts([]).map(({ name }) => name)).toContain('gateway@GET/accounts');
});
