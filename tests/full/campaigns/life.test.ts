import { expect, test } from '@jest/globals';
import type { Bank } from '../../../engine/bank.ts';
import { runCampaign } from '../../campaigns/campaign.ts';
import { life } from '../../campaigns/life.ts';
import { rowsOf } from '../../lab/rows.ts';

test('L1, L2, L9, S5: an account of each persona lives a year: one advance, 365 and any steps give one hash, the forecast came true, and Norway is as it is', async () => {
  const seed = 32;
  const { violation, done, tallies } = await runCampaign(life, { seed, count: 1, change: { ofEach: 1 } });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 1 });
  expect(tallies['planned']).toBeGreaterThan(300);
}, 60_000);

test.each([
  [
    'an øre that came from nowhere',
    'update account set balance_minor = balance_minor + 1 where bban is not null',
    /the books are wrong.*accounts whose balance/,
  ],
  ['a life that ended by itself', 'delete from life where id = 1', /another hash by other steps|has not ended by/],
])(
  'the campaign finds %s',
  async (_what, statement, found) => {
    const meanwhile = async (bank: Bank): Promise<void> => {
      await bank.ledger.write((tx) => rowsOf(tx, statement));
    };
    const { violation } = await runCampaign(life, { seed: 32, count: 1, change: { ofEach: 1, meanwhile } });
    expect(violation).toMatch(found);
  },
  60_000,
);
