import { expect, test } from '@jest/globals';
import { runCampaign } from '../../scripts/soak/campaign.ts';
import { lives } from '../../scripts/soak/life.ts';
import { rowsOf } from '../../scripts/lab/rows.ts';

test('L1, L2, S5: an account of each persona lives a year: one advance, 365 and any steps give one hash, and the forecast came true', async () => {
  const seed = 32;
  const { violation, done, tallies } = await runCampaign(lives(1), { seed, count: 1 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 1 });
  expect(tallies['planned']).toBeGreaterThan(300);
}, 60_000);

test.each([
  [
    'an øre that came from nowhere',
    'update account set balance_minor = balance_minor + 1 where bban is not null',
    /there are accounts whose balance/,
  ],
  ['a life that ended by itself', 'delete from life where id = 1', /another hash by other steps/],
])(
  'the campaign finds %s',
  async (_what, statement, found) => {
    const tampered = lives(1, async (bank, day) => {
      if (day === 200) await bank.ledger.write((tx) => rowsOf(tx, statement));
    });
    const { violation } = await runCampaign(tampered, { seed: 32, count: 1 });
    expect(violation).toMatch(found);
  },
  60_000,
);
