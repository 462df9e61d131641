import { expect, test } from '@jest/globals';
import type { Bank } from '../../../engine/bank.ts';
import { rowsOf } from '../../lab/rows.ts';
import { runCampaign } from '../../campaigns/campaign.ts';
import { retries } from '../../campaigns/retries.ts';

const seed = 30;

test('P9, E6c: 30 clients whose answers break or are late send again: no payment twice, none lost', async () => {
  const { violation, done, tallies } = await runCampaign(retries, { seed, count: 30 });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 30 });
  expect(Object.keys(tallies)).toEqual(['201', '500', '503', 'cut', 'nothing'].map((got) => `answer: ${got}`));
}, 60_000);

/** Forgets or takes away something before each call. */
function tampering(statement: string): (bank: Bank) => Promise<void> {
  return (bank) => bank.ledger.write((tx) => rowsOf(tx, statement)).then(() => undefined);
}

test.each([
  ['forgets its first answers', 'delete from first_answer', /twice|another payment/],
  ['books an amount of an øre more', 'update credit_transfer set amount_minor = amount_minor + 1', /lost|has paid/],
])(
  'the campaign finds a bank that %s',
  async (_, statement, found) => {
    const { violation } = await runCampaign(retries, { seed, count: 60, change: tampering(statement) });
    expect(violation).toMatch(found);
  },
  60_000,
);
