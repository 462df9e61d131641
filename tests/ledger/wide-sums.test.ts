import { describe, expect, test } from '@jest/globals';
import { balanceLimit } from '../../engine/values/money.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { balanceSums } from '../../engine/settlement/rows/balance-sums.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import { allCardAccounts } from '../../engine/cards/rows/cards.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { deposit, people, paySigned } from '../lab/payments.ts';
import { changeRows } from '../lab/rows.ts';

/** So many of the largest amount are more than 64 bits hold. */
const many = 100n;
const numbers = `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${many}) select i from n)`;

function sumsOf(bank: Bank, person: 'nora' | 'even') {
  return bank.ledger.read(async (reader) => {
    const account = await accountByNumber(reader, people[person].bban);
    if (account === undefined) throw new Error(`${person} has an account`);
    return (await balanceSums(reader, [account], await bankNow(bank, reader))).get(account.id);
  });
}

describe('E4: sums that are wider than 64 bits are told, not a 500', () => {
  test('what is due today from an account and to it', async () => {
    await using bank = await memoryBank('2027-04-12T12:00:00+02:00');
    await paySigned(bank, { from: 'nora', to: 'even', amount: '1.00' });
    const columns =
      'payment_id, nominal_date, execution_date, received_at, place, lane, debtor_account_id, creditor_number, status';
    await changeRows(
      bank,
      `insert into execution (sequence, amount_minor, attempts, ${columns})
          select i, ${balanceLimit}, 0, ${columns} from execution, ${numbers}`,
    );
    expect((await sumsOf(bank, 'nora'))?.dueOut).toBe(many * balanceLimit + 100n);
    expect((await sumsOf(bank, 'even'))?.dueIn).toBe(many * balanceLimit + 100n);
  });

  test.each([
    ['pending', at('2027-04-12T13:30:00+02:00')],
    ['bookedToday', 'null'],
  ] as const)('entries: %s', async (sum, bookedAt) => {
    await using bank = await memoryBank('2027-04-12T12:00:00+02:00');
    await deposit(bank, 'nora', 1n);
    const columns = 'account_id, direct_posting_id, booking_date, value_date, booked_at';
    const posting = '(select max(direct_posting_id) from entry)';
    await changeRows(
      bank,
      `insert into entry (amount_minor, ${columns})
          select -${balanceLimit}, id, ${posting}, '2027-04-12', '2027-04-12', ${bookedAt}
          from account, ${numbers} where bban = '${people.nora.bban}'`,
    );
    expect((await sumsOf(bank, 'nora'))?.[sum]).toBe(-many * balanceLimit);
  });

  test('the transactions of a card', async () => {
    await using bank = await memoryBank('2027-04-12T12:00:00+02:00');
    const columns = 'card_account_id, card_transaction_id, transaction_date, amount_minor, details';
    const [before] = await bank.ledger.read(allCardAccounts);
    await changeRows(
      bank,
      `insert into card_transaction (${columns})
          select ${before?.id}, 't' || i, '2027-04-12', ${balanceLimit}, '{}' from ${numbers}`,
    );
    const [after] = await bank.ledger.read(allCardAccounts);
    expect(after?.sum_minor).toBe((before?.sum_minor ?? 0n) - many * balanceLimit);
  });
});
