import { expect, test } from '@jest/globals';
import type { Bank } from '../../../engine/open-bank.ts';
import { saveSnapshot } from '../../../engine/bank/snapshots.ts';
import { restoreSnapshot } from '../../../engine/reset-and-restore.ts';
import { changeRows } from '../../lab/rows.ts';
import { finalDifferences } from '../../lab/simulation/audit.ts';
import type { Model } from '../../lab/simulation/model.ts';
import { simulate } from '../../lab/simulation/simulate.ts';

/* A bank and its model have lived together. The books are changed behind the auditor's back, one lie at a time, and then put right again. */

const one = (table: string, where: string): string => `(select id from ${table} where ${where} order by id limit 1)`;
const ofTpp = `payment_id in (select id from payment where tpp_id = 'PSDNO-FSA-987654321')`;
const settled = `status = 'ACSC' and ${ofTpp}`;
const nora = `(select id from account where bban = '09232911044')`;
const debit = one('entry', `amount_minor < 0 and execution_id in (select id from execution where ${settled})`);
const tried = `outcome = 'retry' and run_date is not null`;
const lies: readonly (readonly [lie: string, statement: string])[] = [
  ['an øre that came from nowhere', `update account set balance_minor = balance_minor + 1 where id = ${nora}`],
  [
    'a krone that moved between accounts',
    `update account set balance_minor = balance_minor + iif(id = ${nora}, 100, -100) where id = ${nora} or bban = '74712699947'`,
  ],
  [
    'a credit line that nobody granted',
    `update account set credit_line_minor = credit_line_minor + 100 where id = ${nora}`,
  ],
  [
    'money that is reserved for nothing',
    `insert into reservation (account_id, amount_minor, value_date, details, resource_id) select ${nora}, -1, '2027-01-04', '{}', 'x'`,
  ],
  ['an entry of an øre more', `update entry set amount_minor = amount_minor - 1 where id = ${debit}`],
  ['an entry that is gone', `delete from entry where id = ${debit}`],
  [
    'an entry that is there twice',
    `insert into entry (booking_date, value_date, booked_at, is_fee, account_id, amount_minor, execution_id) select booking_date, value_date, booked_at, is_fee, account_id, amount_minor, execution_id from entry where id = ${debit}`,
  ],
  ['an entry booked a day later', `update entry set booking_date = date(booking_date, '+1 day') where id = ${debit}`],
  ['an entry valued a day earlier', `update entry set value_date = date(value_date, '-1 day') where id = ${debit}`],
  ['an entry that no run has booked', `update entry set booked_at = booked_at + 86400000000 where id = ${debit}`],
  [
    'an entry of another payment',
    `update entry set execution_id = (select max(id) from execution where ${settled}) where id = ${debit}`,
  ],
  [
    'an attempt with other funds',
    `update attempt set available_minor = available_minor + 1 where (execution_id, number) in (select execution_id, number from attempt where ${tried} limit 1)`,
  ],
  [
    'an attempt that nobody made',
    `insert into attempt (number, run_date, run_number, outcome, reason, execution_id, available_minor, needed_minor) select max(number) + 1, run_date, run_number, outcome, reason, execution_id, available_minor, needed_minor from attempt where run_date is not null group by execution_id having max(number) < 5 limit 1`,
  ],
  [
    'an attempt that is forgotten',
    `delete from attempt where (execution_id, number) in (select execution_id, number from attempt where ${tried} limit 1)`,
  ],
  [
    'an attempt in another run',
    `update attempt set run_number = run_number + 1 where (execution_id, number) in (select execution_id, number from attempt where ${tried} limit 1)`,
  ],
  [
    'a settlement that reads as rejected',
    `update attempt set outcome = 'reject' where (execution_id, number) in (select execution_id, number from attempt where outcome = 'settle' limit 1)`,
  ],
  [
    'a payment that reads as rejected',
    `update payment set status = 'RJCT' where id = (select id from payment where status in ('ACSP', 'PDNG') and tpp_id = 'PSDNO-FSA-987654321' limit 1)`,
  ],
  [
    'a payment that reads as cancelled',
    `update payment set status = 'CANC' where id = (select id from payment where status in ('ACSC', 'ACSP') and leaves_at is null and tpp_id = 'PSDNO-FSA-987654321' limit 1)`,
  ],
  [
    'an execution on another day',
    `update execution set execution_date = date(execution_date, '+7 days') where id = ${one('execution', `attempts > 0 and ${ofTpp}`)}`,
  ],
  [
    'an execution that is forgotten',
    `delete from execution where id = ${one('execution', `status = 'ACSP' and attempts = 0 and ${ofTpp}`)}`,
  ],
];

test('the auditor agrees with a bank, and sees each of twenty lies about its books', async () => {
  const seen: string[] = [];
  const atEnd = async (bank: Bank, model: Model): Promise<void> => {
    await saveSnapshot(bank, 'true');
    for (const [lie, statement] of lies) {
      for (const rule of ['changed', 'deleted']) await changeRows(bank, `drop trigger entry_is_never_${rule}`);
      await changeRows(bank, statement);
      const found = await finalDifferences(bank, model);
      seen.push(found.length > 0 ? lie : `${lie}: not seen`);
      await restoreSnapshot(bank, 'true');
    }
    expect(await finalDifferences(bank, model)).toEqual([]);
  };
  const { problems } = await simulate(5, 60, { atEnd });
  expect(problems).toEqual([]);
  expect(lies).toHaveLength(20);
  expect(seen).toEqual(lies.map(([lie]) => lie));
}, 60_000);
