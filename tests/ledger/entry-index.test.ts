import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { localDate } from '../../engine/values/local-date.ts';
import { entryDays } from '../../engine/accounts/rows/entries.ts';
import { latestFirst } from '../../engine/accounts/rows/transactions.ts';
import { countIn } from '../../engine/ledger/queries.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { pay, sign } from '../lab/payments.ts';
import { rowsIn } from '../lab/rows.ts';

const dates = { from: localDate('2027-03-01'), to: localDate('2027-03-31') };

test.each([
  ['of a period', dates],
  ['from a date on', { ...dates, to: null }],
  ['of all time', { from: null, to: null }],
])(
  'docs/decisions/0018: the transactions %s are found by day and account, and nothing is sorted',
  async (_, period) => {
    await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
    const plan = await bank.ledger.read((reader) =>
      latestFirst(reader, { accountId: 1, days: entryDays(period), now: at('2027-03-24') })
        .limit(10)
        .explain<{ detail: string }>(undefined, sql`query plan`),
    );
    const steps = plan.map(({ detail }) => detail);
    expect(steps[0]).toBe('SEARCH entry USING INDEX entry_of_account (booking_day=? AND account_id=?)');
    expect(steps.filter((step) => step.includes('SCAN entry') || step.includes('ORDER BY'))).toEqual([]);
  },
);

test('docs/decisions/0017: what is due on a day lies side by side, whenever it was initiated; the count of a key is the order of initiation', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const days = ['2027-04-14', '2027-03-31', '2027-04-14', '2027-04-01', '2027-04-14'].map(localDate);
  const initiated: string[] = [];
  for (const [index, day] of days.entries()) {
    const { payment } = await pay(bank, { from: 'nora', to: 'even', amount: `1.0${index}` }, day);
    initiated.push(payment.resource_id);
    await sign(bank, payment.resource_id, 'nora');
  }
  const dueOn = (table: string): Promise<Record<string, unknown>[]> =>
    rowsIn(bank, `select execution_date as date from ${table} order by id`);
  for (const table of ['payment', 'execution'])
    expect((await dueOn(table)).map(({ date }) => date)).toEqual(days.toSorted());
  const inOrder = await bank.ledger.read((reader) =>
    reader.selectFrom('payment').select('resource_id').orderBy(countIn('payment')).execute(),
  );
  expect(inOrder.map(({ resource_id: id }) => id)).toEqual(initiated);
});
