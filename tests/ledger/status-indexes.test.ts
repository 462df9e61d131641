import { beforeEach, expect, test } from '@jest/globals';
import { memoryBankForEach } from '../support/test-bank.ts';
import { sql } from 'kysely';
import { recreateTables } from '../../engine/ledger/database.ts';
import { unfinishedPayments } from '../../engine/payments/rows/payments.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at } from '../lab/bank.ts';
import { statementsOf } from '../support/count-statements.ts';
import { paySigned } from '../lab/payments.ts';
import { changeRows, rowsIn } from '../lab/rows.ts';

/*
 * A query uses an index with a condition when its own is written in the same way and order: for an index that names its values one by one,
 * a list in the query is not enough. Conditions name them one by one, as for a list SQLite fills a temporary table for each row: the last
 * test holds that.
 */
const bank = memoryBankForEach('2027-03-24T12:00:00+01:00');
beforeEach(async () => {
  await paySigned(bank, { from: 'nora', to: 'even', amount: '10.00' }, localDate('2027-03-30'));
});

/** What SQLite does for a statement, with nulls for its parameters. */
async function planOf(text: string): Promise<string[]> {
  const places = sql.raw(`explain query plan ${text.replaceAll('+?', 'null')}`);
  const { rows } = await bank.ledger.read((reader) => places.execute(reader));
  return (rows as { detail: string }[]).map(({ detail }) => detail);
}

test('what is due is found by day, in the order of a run', async () => {
  const statements = await statementsOf(bank, () => advanceClock(bank, at('2027-03-31')));
  const due = [
    ...new Set(statements.filter((text) => /^\s*select[^]*from "?execution/.test(text) && /ACCP/.test(text))),
  ];
  // The earliest one, the first day of which nobody was told, and those of a run.
  expect(due).toHaveLength(3);
  for (const text of due) {
    const plan = await planOf(text);
    const [first] = plan.filter((step) => /^(SEARCH|SCAN) (e|execution)\b/.test(step));
    expect(first).toMatch(/^(SEARCH|SCAN) (e|execution) USING (COVERING )?INDEX execution_due\b/);
    expect(plan.filter((step) => step.includes('ORDER BY'))).toEqual([]);
  }
});

test('the payments of an account that are not final are found by the account', async () => {
  const [text = ''] = await statementsOf(bank, () =>
    bank.ledger.read((reader) => unfinishedPayments(reader, { accountId: 1 })),
  );
  expect((await planOf(text))[0]).toBe('SEARCH payment USING INDEX payment_unfinished (debtor_account_id=?)');
});

test.each([
  ['a status of an execution that there is not', `update execution set status = 'XXXX'`],
  ['a null status of an execution', 'update execution set status = null'],
  ['an outcome of an attempt that there is not', `update attempt set outcome = 'XXXX'`],
  ['a null outcome of an attempt', 'update attempt set outcome = null'],
])('%s is refused', async (_, text) => {
  await advanceClock(bank, at('2027-03-31'));
  await expect(bank.ledger.write((tx) => sql.raw(text).execute(tx))).rejects.toThrow('constraint failed');
});

test('tables that are made again and rolled back are what they were, and nothing else writes their texts', async () => {
  const texts = () => rowsIn(bank, 'select sql from sqlite_schema where sql is not null order by sql');
  const before = await texts();
  const undone = () =>
    bank.ledger.write(async (tx) => {
      await recreateTables(tx);
      throw new Error('undone');
    });
  // Alone, and between others of one group, of which it is taken back.
  await expect(undone()).rejects.toThrow('undone');
  const known = () => changeRows(bank, 'select count(*) as payments from payment');
  const group = await Promise.allSettled([known(), undone(), known()]);
  expect(group.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await texts()).toEqual(before);
  const { runs } = await advanceClock(bank, at('2027-03-31'));
  expect(runs.map(({ settled }) => settled)).toContain(1);
  const written = bank.ledger.write(async (tx) => {
    await sql`pragma writable_schema = on`.execute(tx);
    await sql`update sqlite_schema set sql = sql`.execute(tx);
  });
  await expect(written).rejects.toThrow('may not be modified');
});

test('no condition that a run checks for each row has a list of more than two', async () => {
  const rows = await rowsIn(
    bank,
    `select sql from sqlite_schema where tbl_name in ('execution', 'attempt', 'entry') and sql is not null
      or name = 'payment_unfinished'`,
  );
  const lists = rows.flatMap((row) =>
    [...String(row['sql']).matchAll(/\bin \(([^)]*)\)/g)].map(([, list = '']) => list),
  );
  expect(lists.length).toBeGreaterThan(0);
  expect(lists.filter((list) => list.split(',').length > 2)).toEqual([]);
});
