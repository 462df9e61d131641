import { expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { kill } from '../../campaigns/kill.ts';
import { runCampaign } from '../../campaigns/campaign.ts';
import '../../support/program.ts';

const seed = 1;

test(`R8, T4: what kill -9 interrupts is whole or not there, and what was answered stays (seed ${seed})`, async () => {
  const { violation, done } = await runCampaign(kill, { seed, count: 4 });
  expect(violation).toBeNull();
  expect(done).toBeGreaterThanOrEqual(4);
}, 60_000);

/** Does to the ledger what a kill must not. */
function change(statement: string): (ledger: string) => void {
  return (ledger) => {
    const file = new BetterSqlite3(ledger);
    file.pragma('foreign_keys = off');
    file.exec(statement);
    file.close();
  };
}

/** The bank itself finds what contradicts itself when it starts: these go with every row that refers to them. */
const lostPayments = [
  ...['status_change', 'payment_initiation', 'credit_transfer', 'first_answer', 'sca', 'signature', 'execution'],
  ...['bulk_payment', 'standing_order', 'foreign_transfer'],
]
  .map((table) => `delete from ${table} where payment_id in (select id from payment where status = 'RCVD')`)
  .concat(`delete from payment where status = 'RCVD'`)
  .join(';');

test.each([
  ['loses payments with all that is theirs', lostPayments, /payments\/enc!!.* 404 instead of 200/],
  [
    'changes a balance',
    'update account set balance_minor = balance_minor + 1 where id = 1',
    /does not start.* carries/,
  ],
])(
  'the campaign finds a kill that %s',
  async (_what, statement, found) => {
    const { violation } = await runCampaign(kill, { seed, count: 20, change: change(statement) });
    expect(violation).toMatch(found);
  },
  60_000,
);
