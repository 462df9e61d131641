import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { recreateTables } from '../../engine/ledger/database.ts';
import { cpuTimeDuring } from '../support/cpu-time.ts';
import { openEmpty } from '../support/large-run.ts';

/** Milliseconds of processor time, the best of three. */
async function layingAnew(postings: number): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const bank = await openEmpty();
    await bank.ledger.write(async (tx) => {
      await sql`insert into direct_posting (kind, details)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < ${postings})
        select 'transaction', '{}' from n`.execute(tx);
      times.push(await cpuTimeDuring(() => recreateTables(tx)));
    });
    await bank.ledger.close();
  }
  return Math.min(...times);
}

test('D1: tables of many mock transactions are laid anew in proportion to them: 16 times as many cost less than 64 times', async () => {
  const few = await layingAnew(2_000);
  expect(await layingAnew(32_000)).toBeLessThan(64 * few);
}, 30_000);
