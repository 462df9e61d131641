import { expect, test } from '@jest/globals';
import { clock, type Change } from '../../campaigns/clock.ts';
import { runCampaign } from '../../campaigns/campaign.ts';
import { rowsOf } from '../../lab/rows.ts';

const seed = 1;

test('T5, T7: 60 jumps, sleeps, restarts, resets and restores keep every promise of the clock', async () => {
  const { violation, done } = await runCampaign(clock, { seed, count: 60 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 60 });
}, 60_000);

const sabotages: readonly (readonly [string, Change])[] = [
  ['a bank clock that goes back with the wall clock', async (bank, wall) => ({ ...bank, steady: { now: wall.now } })],
  [
    'a ledger that forgets the time that was seen',
    async (bank) => {
      const { write } = bank.ledger;
      const forgetting: typeof write = (work) =>
        write(async (tx) => {
          const result = await work(tx);
          await rowsOf(tx, 'update bank_state set clock_seen = 0');
          return result;
        });
      return { ...bank, ledger: { ...bank.ledger, write: forgetting } };
    },
  ],
  [
    'runs that are skipped',
    async (bank, wall) => {
      if (wall.monotonic() > 0)
        await bank.ledger.write((tx) => rowsOf(tx, 'update bank_state set last_run_at = last_run_at + 86400000'));
      return bank;
    },
  ],
];

test.each(sabotages)(
  'the campaign finds %s',
  async (_, change) => {
    const { violation } = await runCampaign(clock, { seed, count: 200, change });
    expect(violation).not.toBeNull();
  },
  60_000,
);
