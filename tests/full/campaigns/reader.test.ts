import { expect, test } from '@jest/globals';
import { runCampaign } from '../../campaigns/campaign.ts';
import { reader } from '../../campaigns/reader.ts';
import type { Bank } from '../../../engine/bank.ts';
import { rowsOf } from '../../lab/rows.ts';

test('S6: the books of a reader are right for 60 days in which the settlement times change', async () => {
  const seed = 2;
  const { violation, done, tallies } = await runCampaign(reader, { seed, count: 60 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 60 });
  expect(tallies['seen']).toBeGreaterThan(100);
  expect(tallies['changes']).toBeGreaterThan(0);
}, 60_000);

/** From day 6 on, entries are changed so before each day; nothing but a test does. */
function tampering(change: string): (bank: Bank, day: number) => Promise<void> {
  return async (bank, day) => {
    if (day < 6) return;
    await bank.ledger.write(async (tx) => {
      await rowsOf(tx, 'drop trigger if exists entry_is_never_changed');
      await rowsOf(tx, `update entry set ${change} where execution_id is not null`);
    });
  };
}

test.each([
  ['a booking date that is the day of the payment', 'booking_date = value_date'],
  ['a transaction that is booked after its day', 'booked_at = booked_at + 86400000'],
  ['an amount of an øre more', 'amount_minor = amount_minor + 1'],
])(
  'the campaign finds %s',
  async (_, change) => {
    const { violation } = await runCampaign(reader, { seed: 2, count: 60, change: tampering(change) });
    expect(violation).toMatch(/a reader from \d{4}-\d\d-\d\d on: by /);
  },
  60_000,
);
