import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { openBank, type Bank } from '../../engine/bank.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { cardBalancesOf } from '../../engine/cards/rules/card-balances.ts';
import { addTransactions } from '../../engine/sandbox-data/transactions.ts';
import { listSandboxAccounts } from '../../engine/sandbox-data/accounts.ts';
import { listSandboxCardAccounts } from '../../engine/sandbox-data/card-accounts.ts';
import { listSandboxCardTransactions } from '../../engine/sandbox-data/card-transactions.ts';
import { listCustomers } from '../../engine/sandbox-data/customers.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, calendar, knownState, manualClock } from '../support/bank.ts';
import { brokenProofs } from '../support/proof.ts';

/*
 * What the program wrote before migration 013 (commit d1fdcf2): a bank at 2027-03-24 12:00 with a card, opened at -500.00,
 * with a purchase of 1165.50 and a payment of 200.00 to the card; three customers; one transaction of an account.
 */
const older = readFileSync(new URL('cards-of-008.sql', import.meta.url), 'utf8');

let folder: string;
let bank: Bank;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-upgrade-'));
  const ledger = join(folder, 'ledger.sqlite');
  const file = new BetterSqlite3(ledger);
  file.exec(older);
  file.close();
  const wall = manualClock(at('2027-03-24T12:00:00+01:00'));
  bank = await openBank({ ledger, wall, ids: randomIds, calendar, knownState });
});
afterEach(async () => {
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
});

test('D5: what is available on a card stays, and its purchase is positive from then on', async () => {
  const [card] = await listSandboxCardAccounts(bank);
  expect(cardBalancesOf(card?.sum_minor ?? 0n, card?.credit_limit_minor ?? 0n)).toEqual({
    expected: -146_550n,
    forwardAvailable: 2_853_450n,
  });
  const all = { from: null, to: null, offset: 0, limit: 10 };
  const { transactions } = await listSandboxCardTransactions(bank, card?.resource_id ?? '', all);
  expect(transactions.map((row) => [row.card_transaction_id, row.amount_minor, row.original_minor])).toEqual([
    ['payment', -20_000n, null],
    ['purchase', 116_550n, 10_000n],
  ]);
});

test('D6: the customers of an older ledger are shown in capitals, as before', async () => {
  const shown = (await listCustomers(bank)).map(({ type, is_type_in_capitals: capitals }) => [type, capitals]);
  expect(shown).toEqual([
    ['private', 1],
    ['corporate', 1],
    ['private', 1],
  ]);
});

test('D7: transaction numbers go on after those of the older ledger', async () => {
  const [first] = await listSandboxAccounts(bank);
  const date = localDate('2027-03-02');
  const mock = { amount: 100n, currency: 'NOK', bookingDate: date, valueDate: date, details: {} } as const;
  const [added] = await addTransactions(bank, first?.account.resource_id ?? '', [mock]);
  // Two entries for the opening balance and two for the transaction of before.
  expect(added?.transactionNumber).toBeGreaterThan(4);
  expect(added?.transactionNumber).toBeLessThanOrEqual(6);
  expect(await brokenProofs(bank)).toEqual({});
});
