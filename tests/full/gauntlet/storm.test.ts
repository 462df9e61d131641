import { expect, test } from '@jest/globals';
import { atOperation, trialNamed } from '../../../api/gauntlet/trials.ts';
import { storm } from '../../../scripts/gauntlet/storm.ts';
import { all, type Breaks, found, parts, suite } from '../../gauntlet/storm-suite.ts';
import { seeded } from '../../lab/seeded.ts';
import { oneOf } from '../../support/sample.ts';

/* How much a storm finds in how many runs; tests/gauntlet/storm.test.ts has what it finds at all. */

test('GA6: twenty pairs by chance, each in a test of its own', async () => {
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
