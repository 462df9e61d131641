import { describe, expect, test } from '@jest/globals';
import { entriesOf } from '../../engine/accounts/rules/entry.ts';
import type { Posting } from '../../engine/accounts/rules/entry.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { changeRows } from '../lab/rows.ts';
import { tell } from '../support/story.ts';

const settled = `
  at   2027-04-12 12:00
  pay  rent 100.00 nora -> even
  sign rent
  at   2027-04-12 13:30 | 2027-04-12/4 settled 1
`;

describe('S5: entries', () => {
  test.each(['update entry set amount_minor = amount_minor + 1', "update entry set booking_date = '2027-01-01'"])(
    'are never changed: %s',
    async (statement) => {
      const { bank } = await tell(settled);
      await expect(changeRows(bank, statement)).rejects.toThrow('entries are never changed');
      await bank.close();
    },
  );

  test('are never deleted', async () => {
    const { bank } = await tell(settled);
    const deletion = changeRows(bank, 'delete from entry');
    await expect(deletion).rejects.toThrow('entries are never deleted');
    await bank.close();
  });

  test('belong to one cause: an execution or a direct posting, never both and never none', async () => {
    const { bank } = await tell(settled);
    const columns = 'account_id, amount_minor, execution_id, direct_posting_id, booking_date, value_date';
    for (const cause of ['null, null', '1, 1']) {
      const statement = `insert into entry (${columns}) values (1, 5, ${cause}, '2027-04-12', '2027-04-12')`;
      await expect(changeRows(bank, statement)).rejects.toThrow('CHECK');
    }
    await bank.close();
  });

  test.each([0n, -1n])('a posting of %s is an invariant broken, in production too', (amount) => {
    const posting: Posting = {
      cause: { executionId: 1 },
      debtorAccountId: 1,
      creditorAccountId: 2,
      amount,
      bookingDate: localDate('2027-04-12'),
      valueDate: localDate('2027-04-12'),
      bookedAt: null,
      isFee: false,
      batchId: null,
    };
    expect(() => entriesOf(posting)).toThrow('balanced');
  });
});
