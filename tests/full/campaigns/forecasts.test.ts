import { expect, test } from '@jest/globals';
import type { Bank } from '../../../engine/bank.ts';
import { runCampaign } from '../../campaigns/campaign.ts';
import { forecasts } from '../../campaigns/forecasts.ts';
import { rowsOf } from '../../lab/rows.ts';

const seed = 42;

test('D3e: banks with lives, profiles, quirks and announced transactions do what their forecasts tell, and nothing else', async () => {
  const { violation, done, tallies } = await runCampaign(forecasts, { seed, count: 60 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 60 });
  const seen = [
    'settle',
    'retry',
    'reject',
    'known events',
    'payments of lives that were to come',
    'banks without lives',
  ];
  for (const what of seen) expect([what, tallies[what]]).toEqual([what, expect.any(Number)]);
  for (const what of seen) expect(tallies[what]).toBeGreaterThan(0);
}, 120_000);

test.each([
  ['money that came from nowhere', 'update account set balance_minor = balance_minor + 100 where bban is not null'],
  ['a life that ended by itself', 'delete from life'],
  ['a reservation that is gone', 'delete from reservation'],
])(
  'the campaign finds %s',
  async (_what, statement) => {
    const meanwhile = async (bank: Bank): Promise<void> => {
      await bank.ledger.write((tx) => rowsOf(tx, statement));
    };
    const { violation } = await runCampaign(forecasts, { seed, count: 60, change: { meanwhile } });
    expect(violation).toMatch(/the forecast tells ".*", and ".*" happened/);
  },
  120_000,
);
