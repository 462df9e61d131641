import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { systemDisk, type Disk } from '../../../engine/ledger/ledger-files.ts';
import { faults } from '../../campaigns/faults.ts';
import { runCampaign } from '../../campaigns/campaign.ts';
import '../../support/program.ts';

const seed = randomInt(1_000_000_000);

test(`E2b: the disk fails once at each place, and nothing is lost, doubled or left behind (seed ${seed})`, async () => {
  const report = await runCampaign(faults, { seed, count: 20 });
  expect([seed, report.violation]).toEqual([seed, null]);
  expect(report.done + (report.tallies['server: left out, there is no strace'] ?? 0)).toBe(20);
}, 60_000);

test.each<[string, Partial<Disk>, RegExp]>([
  [
    'leaves half-made copies',
    {
      remove: (path) =>
        path.includes('partial') || path.includes('next') ? Promise.resolve() : systemDisk.remove(path),
    },
    /left behind/,
  ],
  [
    'says that it renamed, and did not',
    { rename: () => Promise.resolve() },
    /left behind|acknowledged|answered|second try/,
  ],
])(
  'the campaign sees a disk that %s',
  async (_what, sabotage, violation) => {
    const change = { ...systemDisk, ...sabotage };
    const { violation: found } = await runCampaign(faults, { seed: 7, count: 80, change });
    expect(found).toMatch(violation);
  },
  60_000,
);
