import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { localDate } from '../../engine/values/local-date.ts';
import { entryDays } from '../../engine/accounts/rows/entries.ts';
import { latestFirst } from '../../engine/accounts/rows/transactions.ts';
import { at, memoryBank } from '../../scripts/lab/bank.ts';

const dates = { from: localDate('2027-03-01'), to: localDate('2027-03-31') };

test.each([
  ['of a period', dates],
  ['from a date on', { ...dates, to: null }],
  ['of all time', { from: null, to: null }],
])(
  'docs/decisions/0018: the transactions %s are found by day and account, and nothing is sorted',
  async (_, period) => {
    const bank = await memoryBank('2027-03-24T12:00:00+01:00');
    const plan = await bank.ledger.read((reader) =>
      latestFirst(reader, 1, entryDays(period), at('2027-03-24'))
        .limit(10)
        .explain<{ detail: string }>(undefined, sql`query plan`),
    );
    const steps = plan.map(({ detail }) => detail);
    expect(steps[0]).toBe('SEARCH entry USING INDEX entry_of_account (booking_day=? AND account_id=?)');
    expect(steps.filter((step) => step.includes('SCAN entry') || step.includes('ORDER BY'))).toEqual([]);
    await bank.close();
  },
);
