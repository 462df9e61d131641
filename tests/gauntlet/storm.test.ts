import { describe, expect, test } from '@jest/globals';
import type { GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import type { Trial } from '../../api/trials/trial.ts';
import { allTrials, atOperation, trialNamed } from '../../api/trials/trials.ts';
import { Met } from '../../scripts/gauntlet/met.ts';
import { storm } from '../../scripts/gauntlet/storm.ts';
import { seeded } from '../lab/seeded.ts';
import { oneOf } from '../support/sample.ts';

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

/** The sets that break each test: of names of trials, or of what they match. */
type Breaks = Readonly<Record<string, readonly (readonly (string | RegExp)[])[]>>;

/** A suite in which each test fails when all trials of one of its sets are there, and nothing hides it. Counts its runs. */
function suite(breaks: Breaks, hides: Readonly<Record<string, string>> = {}) {
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

const touched = new Map(parts.map(({ name }) => [name.replace(/@.*/, ''), new Set<string>()]));

async function found(
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
    // As many runs as ten minutes have of a suite of five seconds, on two processors, and a reserve.
    const { sets } = await found(Object.fromEntries(pairs.map((pair, at) => [`test ${at}`, [pair]])), { most: 200 });
    expect(sets.filter((set) => !pairs.some((pair) => pair.join('+') === set))).toEqual([]);
    expect(pairs.filter((pair) => !sets.includes(pair.join('+'))).length).toBeLessThanOrEqual(2);
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

const [pay, accounts, list] = ['POST/payments/product', 'GET/accounts', 'GET/accounts/accountId/transactions'];
const [status, consents] = ['GET/payments/product/paymentId/status', 'POST/bank-offered-consents'];
const authorise = `${pay}/paymentId/authorisations`;

/** The operations whose answers a trial of a usual suite touches. */
const operations: readonly (readonly [string, RegExp])[] = [
  [pay, /^(?:id-l|fee|sca-q|before|after|new|leap|summer|winter|one-m|other-sp|unknown-m|member|charset|header)/],
  [status, /^(?:status|late-s|own|same|before|after|new|leap|summer|winter|short|one-m|unknown-m|charset|header)/],
  [list, /^(?:reiss|no-t|pend|rewr|text|bank-c|late-[ce]|limit|value|long|short|odd|ret|unknown-m|charset|header)/],
  [accounts, /^(?:id-l|long|unknown-m|member|charset|header)/],
  [consents, /^(?:sca-q|one-m|unknown-m|charset|header)/],
];

/** A fault at the first call of an operation. */
const faultAt = (operation: string): RegExp =>
  new RegExp(`^(?:closed|cut|gateway|too-many-requests)(?:-twice)?@${operation}$`);

/** Mistakes of a shop, each in a test of its own: many values show some, and one value alone shows others. */
const mistakes: Breaks = {
  'strict statuses': [[/^(?:own-accounts|same-bank)-at-once/, 'status-lag']],
  'one poll': [[faultAt(pay), 'status-lag']],
  'one authorisation': [[/^sca-[cfe]/, faultAt(authorise)]],
  'ids of a day': [['before-midnight', /^(?:closed|cut)(?:-twice)?@POST\/payments\/product$/]],
  'page one': [[/^reissued-ids/, 'limit-cap=2']],
  'no link': [['no-next-link', 'limit-cap=2']],
  'five weekdays': [['before-easter', 'status-lag']],
  'whole pages': [['limit-cap=2', /-page@/]],
  places: [['no-transaction-ids', 'late-entry']],
  'a second SCA': [[/^sca-[cfe]/, 'short-at-first']],
  'a late status': [['status-lag', 'short-at-first']],
  'one reading': [[/^sca-[cfe]/, faultAt(accounts)]],
  'one consent': [[/^sca-[cfe]/, faultAt(consents)]],
  'short ids': [[/^id-lengths/, faultAt(pay)]],
  'strict members': [['unknown-member', faultAt(accounts)]],
  'days of UTC': [['after-midnight', faultAt(pay)]],
  'a failed poll': [['status-lag', faultAt(status)]],
  'a second address': [['sca-query', /^sca-[cfe]/]],
  dates: [[/^pending-dates/, 'limit-cap=2']],
  'ids or texts': [['reissued-ids', 'rewritten-texts']],
  'the day before': [['before-midnight', `too-many-requests@${pay}`]],
  signatures: [['signed-answers', new RegExp(`^(?:gateway|too-many).*@${accounts}$`)]],
};

test.each(oneOf('orders of trials', [1, 2]))(
  'GA6: 18 of 22 mistakes of a shop are named after 170 runs (order %i)',
  async (seed) => {
    const random = seeded(seed);
    const wire = all.flatMap((trial) => {
      const { strikes, isForged, fault } = trial.does;
      if (strikes === undefined || isForged === true || fault?.delay !== undefined) return [];
      if (strikes.isPage === true) return [atOperation(trial, list)];
      return /^(?:closed|gateway)|^(?:cut|too-many-requests)$/.test(trial.name)
        ? [pay, accounts, list, status, consents, authorise].map((at) => atOperation(trial, at))
        : [];
    });
    const sorted = [...parts.filter(({ name }) => !name.includes('@')), ...wire];
    const own = sorted
      .map((part) => ({ part, place: random.below(1_000) }))
      .toSorted((one, other) => one.place - other.place);
    const touches = own.map(({ part: { name } }): [string, Set<string>] => [
      name.replace(/@.*/, ''),
      new Set(operations.flatMap(([operation, names]) => (!name.includes('@') && names.test(name) ? [operation] : []))),
    ]);
    const { runs, run } = suite(mistakes);
    const named = new Set<string>();
    await storm({
      parts: own.map(({ part }) => part),
      touched: new Map(touches),
      jobs: 2,
      run,
      isOver: () => runs.length >= 170,
      found: ({ parts: set = [], tests }) => {
        // It was tried alone: a set has nothing that the tests stand without.
        expect([set.length, runs.some((names) => names.join() === set.join())]).toEqual([2, true]);
        for (const { name } of tests) named.add(name);
      },
    });
    expect(named.size).toBeGreaterThanOrEqual(18);
  },
);

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
  const recording = { calls: [call], heard: new Map(), isApplied: true };
  const wire = all.filter(({ does }) => does.strikes !== undefined);
  const met = new Met([recording, recording], wire, []);
  for (const trial of wire)
    met.add(/^late$/.test(trial.name) ? atOperation(trial, accounts) : trial, 'survived', recording);
  expect(met.parts([]).filter(({ name }) => name.startsWith('late'))).toEqual([]);
  expect(met.parts([]).map(({ name }) => name)).toContain(`gateway@${accounts}`);
});
