import { expect, test } from '@jest/globals';
import { memoryBankForEach } from '../support/test-bank.ts';
import { sql } from 'kysely';
import { addTransactions } from '../../engine/accounts/mock-transactions.ts';
import { accountByNumber, customerAccounts } from '../../engine/accounts/rows/accounts.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { balanceSums } from '../../engine/settlement/rows/balance-sums.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at } from '../lab/bank.ts';
import { statementsOf } from '../support/count-statements.ts';
import { people, paySigned } from '../lab/payments.ts';

const bank = memoryBankForEach('2027-03-24T12:00:00+01:00');

test('S8: the sums of one account are those that it has among all, with payments due, pending and booked', async () => {
  for (const on of ['2027-03-24', '2027-03-30', '2027-03-31']) {
    for (const [from, to, amount] of [
      ['nora', 'even', '10.00'],
      ['even', 'nora', '3.00'],
      ['nora', 'shop', '7.00'],
    ] as const) {
      await paySigned(bank, { from, to, amount }, localDate(on));
    }
  }
  const nora = await bank.ledger.read((reader) => accountByNumber(reader, people.nora.bban));
  const announced = { currency: 'NOK', bookingDate: null, valueDate: localDate('2027-03-24'), details: {} } as const;
  await addTransactions(
    bank,
    nora?.resource_id ?? '',
    [-500n, -20n, 7n].map((amount) => ({ ...announced, amount })),
  );
  const seen = new Set<string>();
  for (const instant of [
    '2027-03-24T12:00:00+01:00',
    '2027-03-24T16:00:00+01:00',
    '2027-03-30T03:00:00+02:00',
    '2027-03-30T06:00:00+02:00',
  ]) {
    const now = at(instant);
    await advanceClock(bank, now);
    await bank.ledger.read(async (reader) => {
      const accounts = await customerAccounts(reader);
      const all = await balanceSums(reader, accounts, now);
      for (const account of accounts) {
        const sums = all.get(account.id);
        expect(await balanceSums(reader, [account], now)).toEqual(new Map([[account.id, sums]]));
        for (const [name, sum] of Object.entries(sums ?? {})) if (sum !== 0n) seen.add(name);
      }
    });
  }
  expect([...seen].toSorted()).toEqual([
    'announced',
    'bookedToday',
    'creditLine',
    'dueIn',
    'dueOut',
    'pending',
    'posted',
    'reserved',
  ]);
});

test('S8: what is due is gone through once for all accounts, not once for each', async () => {
  const [text = ''] = await statementsOf(bank, () =>
    bank.ledger.read(async (reader) => {
      const [one, other] = await customerAccounts(reader);
      if (one === undefined || other === undefined) throw new Error('the bank has accounts');
      await balanceSums(reader, [one, other], at('2027-03-24T12:00:00+01:00'));
    }),
  ).then((texts) => texts.filter((each) => each.includes('as due_in')));
  const plan = await bank.ledger.read(async (reader) => {
    // The places of the values do not matter for the plan.
    const { rows } = await sql<{
      readonly detail: string;
    }>`explain query plan ${sql.raw(text.replaceAll('?', '1'))}`.execute(reader);
    return rows.map(({ detail }) => detail);
  });
  expect(plan).toEqual(expect.arrayContaining(['MATERIALIZE coming', 'MATERIALIZE leaving']));
});
