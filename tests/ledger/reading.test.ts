import { expect, test } from '@jest/globals';
import { memoryBankForEach } from '../support/test-bank.ts';
import { sql } from 'kysely';
import type { Reader } from '../../engine/ledger/database.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';

const bank = memoryBankForEach('2027-03-24T12:00:00+01:00');

/** Never called: that it compiles is the test. A line that would compile without the error makes tsc fail. */
export function whatAReaderCannotSay(reader: Reader): unknown[] {
  return [
    // @ts-expect-error -- a reader inserts nothing
    reader.insertInto,
    // @ts-expect-error -- a reader updates nothing
    reader.updateTable,
    // @ts-expect-error -- a reader deletes nothing
    reader.deleteFrom,
    // @ts-expect-error -- a reader merges nothing
    reader.mergeInto,
    // @ts-expect-error -- a reader replaces nothing
    reader.replaceInto,
    // @ts-expect-error -- a reader makes no tables
    reader.schema,
    // @ts-expect-error -- a reader begins no transaction
    reader.transaction,
    // @ts-expect-error -- a reader executes no statement of its own
    reader.executeQuery,
    // @ts-expect-error -- what a CTE begins could end in an insert
    reader.with,
  ];
}

test.each([
  ['an insert', "insert into tpp_contact (tpp_id, email) values ('t', 'a@b.example')"],
  [
    'an insert that answers rows',
    "insert into tpp_contact (tpp_id, email) values ('t', 'a@b.example') returning tpp_id",
  ],
  [
    'a CTE that ends in an insert',
    "with x as (select 1) insert into tpp_contact (tpp_id, email) select 't', 'e' from x",
  ],
  ['an update', 'update account set balance_minor = 0'],
  ['a delete', 'delete from customer'],
  ['a table', 'create table other (id integer)'],
  ['a pragma that is kept', 'pragma user_version = 7'],
])('%s in a read is refused when it is executed, and changes nothing', async (_what, statement) => {
  const before = await hashLedger(bank, 'included');
  const attempt = bank.ledger.read((reader) => sql.raw(statement).execute(reader));
  await expect(attempt).rejects.toThrow('a read of the ledger writes');
  expect(await hashLedger(bank, 'included')).toBe(before);
  // The same statement is no fault in a write, the next one is as any other, and no trouble is left.
  await bank.ledger.write(
    async (tx) => void (await tx.insertInto('tpp_contact').values({ tpp_id: 'x', email: 'y' }).execute()),
  );
  expect(bank.ledger.trouble()).toBeNull();
});

test('a read selects, with Kysely and by hand', async () => {
  const found = await bank.ledger.read(async (reader) => [
    await reader.selectNoFrom(sql<number>`1`.as('one')).execute(),
    (await reader.selectFrom('customer').select('id').execute()).length > 0,
    (await sql<{ readonly n: number }>`with x(n) as (values (2)) select n from x`.execute(reader)).rows,
  ]);
  expect(found).toEqual([[{ one: 1 }], true, [{ n: 2 }]]);
});
