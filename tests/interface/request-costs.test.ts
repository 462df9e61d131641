import { beforeAll, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { statementsOf } from '../support/count-statements.ts';
import { rowsOf } from '../lab/rows.ts';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const nora = '13039319955';
// No heartbeat: the first one after a write reads the ledger, and would be counted.
const bank = testBank('2027-03-16T12:00:00+01:00', [], { heartbeat: 3_600_000 });
let headers: Record<string, string>;
let account: string;
beforeAll(async () => {
  headers = { ...(await bank.consents(nora)), 'psu-context': 'PRIVATE' };
  const { body } = await bank.signed('GET', '/v1/accounts', { headers });
  account = body.accounts[0].resourceId;
});

const transactions = (): string => `/v1/accounts/${account}/transactions`;
const unattended = (): Record<string, string | null> => ({ ...headers, 'psu-ip-address': null });
const ownAccount = { creditorAccount: { bban: '70323119469', currency: 'NOK' } };

test.each<[string, number, () => Promise<Reply>]>([
  ['an initiation with PSU-ID', 11, () => bank.signed('POST', singlePath, { body: singlePayment(), headers })],
  [
    'an initiation that needs no SCA',
    13,
    () => bank.signed('POST', singlePath, { body: singlePayment(ownAccount), headers }),
  ],
  ['a page of transactions', 9, () => bank.signed('GET', transactions(), { headers })],
  ['a page of transactions without the PSU', 10, () => bank.signed('GET', transactions(), { headers: unattended() })],
])('%s takes at most %i SQL statements, and none goes through a whole table', async (_, most, send) => {
  const statements = await statementsOf(bank.bank, async () => {
    expect((await send()).status).toBeLessThan(300);
  });
  expect(statements.slice(most)).toEqual([]);
  expect(statements.length).toBeGreaterThan(5);
  expect(await scansOf(statements)).toEqual([]);
});

/** The steps of the statements' plans that read all rows of a table that grows. */
function scansOf(statements: readonly string[]): Promise<string[]> {
  // In a write: SQLite counts the plan of an update as one.
  return bank.bank.ledger.write(async (writer) => {
    const steps: string[] = [];
    for (const statement of statements) {
      // These plans do not depend on what is asked for.
      const plan = await rowsOf(writer, `explain query plan ${statement.replaceAll('?', 'null')}`);
      steps.push(...plan.map(({ detail }) => String(detail)));
    }
    return steps.filter((step) =>
      /^SCAN (account|agreement|consent|credit|customer|entry|execution|pay|psu)/.test(step),
    );
  });
}
