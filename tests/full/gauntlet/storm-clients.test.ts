import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { GauntletReport } from '../../../api/harness/types/gauntlet.ts';
import { gauntlet } from '../../gauntlet/suites.ts';
import { isWhole, oneOf, sameSample, someOf } from '../../support/sample.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/* A web shop with mistakes that no trial shows alone: each needs two things at once. */

const folder = tempFolder();
const list = 'GET/accounts/accountId/transactions';
const pay = 'POST/payments/product';

/** A mistake and the two trials under which it shows. */
type Row = readonly [mistake: string, one: string, other: string];

const rows: readonly Row[] = [
  ['has a strict table of statuses', 'own-accounts-at-once', 'status-lag'],
  ['polls once after a lost answer', `closed@${pay}`, 'status-lag'],
  ['begins an authorisation once', 'sca-cancelled', `gateway@${pay}/paymentId/authorisations`],
  ['has a request id for each day', 'before-midnight', `closed@${pay}`],
  ['knows what is on page one by its content', 'reissued-ids', 'limit-cap=2'],
  ['reads on by the length without a link', 'no-next-link', 'limit-cap=2'],
  ['counts five weekdays', 'before-easter', 'status-lag'],
  ['counts whole pages after a failure', 'limit-cap=2', `gateway-page@${list}`],
  ['knows what has no id by its place', 'no-transaction-ids', 'late-entry'],
  ['doubts after a second SCA', 'sca-cancelled', 'short-at-first'],
  ['doubts after a late status', 'status-lag', 'short-at-first'],
  ['reads once after a second SCA', 'sca-cancelled', 'gateway@GET/accounts'],
  ['asks for a consent once after a lost answer', 'closed@POST/bank-offered-consents', 'sca-cancelled'],
  ['keeps short ids of lost payments', 'id-lengths', `closed@${pay}`],
  ['reads strictly when it asks again', 'unknown-member', 'gateway@GET/accounts'],
  ['takes the day of UTC when it pays again', 'after-midnight', `gateway@${pay}`],
  ['trusts the poll after a failed one', 'status-lag', `gateway@${pay.replace('POST', 'GET')}/paymentId/status`],
  ['rebuilds the second address', 'sca-query', 'sca-cancelled'],
  ['takes what has a date for booked on further pages', 'pending-dates', 'limit-cap=2'],
];

/** The report of a storm on the shop with this mistake, over the trials of the row and so many others. */
async function run(mistake: string, trials: readonly string[], others: number): Promise<GauntletReport> {
  const report = join(folder, 'report.json');
  const rest = rows.flatMap(([, ...both]) => both.map((name) => name.replace(/@.*/, '')));
  // A trial at one operation is heard only where its call is: the storm finds the place.
  const only = new Set([
    ...trials.map((name) => name.replace(/@.*/, '')),
    ...someOf(mistake, [...new Set(rest)], others),
  ]);
  const { errors } = await gauntlet(
    ['--together', '--json', report, '--only', [...only].join()],
    [process.execPath, '--test', '--test-reporter=junit', 'tests/full/gauntlet/clients/shop.suite.ts'],
    { PLANTED: mistake },
  );
  expect(errors).toEqual([]);
  return JSON.parse(readFileSync(report, 'utf8')) as GauntletReport;
}

/** The set of a row, by its slots: another value of the same slot shows the same mistake. */
const like = (name: string): string =>
  name.replace(/^(?:closed|gateway)(?:-\w+)?(?=@)/, 'wire').replace(/^sca-(?:cancelled|failed|expired)$/, 'sca');

describe('GA6: each mistake is green alone, and named with the smallest set under which it shows', () => {
  test.each(oneOf('rows', rows))(
    '%s: %s + %s',
    async (mistake, ...both) => {
      const { trials, together } = await run(mistake, both, isWhole ? 12 : 2);
      const alone = trials.filter(
        ({ kind, verdict }) => kind !== 'together' && !/^(?:survived|not heard)$/.test(verdict),
      );
      const sets = trials.flatMap(({ parts }) => (parts === undefined ? [] : [parts.map(like).toSorted().join(' + ')]));
      const wanted = both.map(like).toSorted().join(' + ');
      expect([alone, sets, sameSample]).toEqual([[], expect.arrayContaining([wanted]), sameSample]);
      const row = trials.find(({ parts }) => parts?.map(like).toSorted().join(' + ') === wanted);
      expect(row).toMatchObject({ verdict: 'broke', name: row?.parts?.join('+') });
      expect(row?.again).toContain(`--only ${row?.name} `);
      expect(row?.tests[0]?.name).not.toBe('');
      // If no other trial of a sample is heard, the one world with the pair is all.
      expect(together?.worlds).toBeGreaterThan(isWhole ? 1 : 0);
    },
    900_000,
  );
});

test('GA6: the careful shop survives all that it meets together', async () => {
  const { trials, together } = await run('', [], isWhole ? 16 : 5);
  expect(trials.filter(({ verdict }) => verdict !== 'survived' && verdict !== 'not heard')).toEqual([]);
  expect(together).toMatchObject({ notTried: 0, worlds: expect.any(Number) });
}, 900_000);
