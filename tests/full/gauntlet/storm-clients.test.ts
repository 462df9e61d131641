import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { GauntletReport } from '../../../api/harness/types/gauntlet.ts';
import { gauntlet } from '../../gauntlet/suites.ts';
import { isWhole, oneOf, sameSample, someOf } from '../../support/sample.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { builtDist } from '../package/built.ts';
import { rows, type ShopTest } from './clients/shop-mistakes.ts';

/* A web shop with mistakes that no trial shows alone: each needs two things at once, and breaks the test in which it is planted. */

const folder = tempFolder();
// The clients find the package there.
await builtDist();
/** The report of a storm on the shop with this mistake, over the trials of the row and so many others. The careful tests are all, or one. */
async function run(
  mistake: string,
  trials: readonly string[],
  others: number,
  careful?: ShopTest,
): Promise<GauntletReport> {
  const report = join(folder, 'report.json');
  const rest = rows.flatMap(([, , ...both]) => both.map((name) => name.replace(/@.*/, '')));
  // A trial at one operation is heard only where its call is: the storm finds the place.
  const only = new Set([
    ...trials.map((name) => name.replace(/@.*/, '')),
    ...someOf(mistake, [...new Set(rest)], others),
  ]);
  const { errors } = await gauntlet(
    ['--together', '--json', report, '--only', [...only].join()],
    [process.execPath, '--test', '--test-reporter=junit', 'tests/full/gauntlet/clients/shop.suite.ts'],
    { PLANTED: mistake, CAREFUL: careful },
  );
  expect(errors).toEqual([]);
  return JSON.parse(readFileSync(report, 'utf8')) as GauntletReport;
}

/** The set of a row, by its slots: another value of the same slot shows the same mistake. */
const like = (name: string): string =>
  name
    .replace(/^(?:closed|cut|gateway|too-many-requests)(?:-\w+)?(?=@)/, 'wire')
    .replace(/^sca-(?:cancelled|failed|expired)$/, 'sca');

describe('GA6: each mistake is green alone, and named with the smallest set under which it shows', () => {
  test.each(oneOf('rows', rows))(
    '%s, in the test "%s": %s + %s',
    async (mistake, twin, ...both) => {
      const { trials, together } = isWhole ? await run(mistake, both, 12) : await run(mistake, both, 2, twin);
      const alone = trials.filter(
        ({ kind, verdict }) => kind !== 'together' && !/^(?:survived|not heard)$/.test(verdict),
      );
      const sets = trials.flatMap(({ parts }) => (parts === undefined ? [] : [parts.map(like).toSorted().join(' + ')]));
      const wanted = both.map(like).toSorted().join(' + ');
      expect([alone, sets, sameSample]).toEqual([[], expect.arrayContaining([wanted]), sameSample]);
      const row = trials.find(({ parts }) => parts?.map(like).toSorted().join(' + ') === wanted);
      expect(row).toMatchObject({ verdict: 'broke', name: row?.parts?.join('+') });
      expect(row?.again).toContain(`--only ${row?.name} `);
      // The careful twins stand.
      const broken = trials.flatMap(({ tests }) => tests.map(({ name }) => name));
      expect([...new Set(broken)]).toEqual([mistake]);
      // If no other trial of a sample is heard, the one world with the pair is all.
      expect(together?.worlds).toBeGreaterThan(isWhole ? 1 : 0);
    },
    900_000,
  );
});

test('GA6: the careful shop survives all that it meets together', async () => {
  const { trials, together } = await run('', [], isWhole ? 16 : 3);
  expect(trials.filter(({ verdict }) => verdict !== 'survived' && verdict !== 'not heard')).toEqual([]);
  expect(together).toMatchObject({ notTried: 0, worlds: expect.any(Number) });
}, 900_000);
