import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { readBeginning } from '../../engine/bank/read-clock.ts';
import { resetBank } from '../../engine/reset-and-restore.ts';
import { initializeSandbox } from '../../engine/sandbox-data/create-known-state.ts';
import { knownState as usual, memoryBank } from '../lab/bank.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-beginning-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (knownState: KnownState = usual) =>
  memoryBank('2027-03-24T12:00:00+01:00', { ledger: join(folder, 'ledger.sqlite'), knownState });

/** Opens the ledger of the test with this known state, does the work, and says whether it is the one that the ledger began with. */
async function isOfKnownState(knownState?: KnownState, work?: typeof initializeSandbox): Promise<boolean> {
  const bank = await open(knownState);
  await work?.(bank);
  const { isOfKnownState } = await readBeginning(bank);
  await bank.close();
  return isOfKnownState;
}

const firstCustomer = (change: object): KnownState => ({
  ...usual,
  customers: usual.customers.map((customer, at) => (at === 0 ? { ...customer, ...change } : customer)),
});
const [{ accounts = [] } = {}] = usual.customers;

test.each<[string, KnownState]>([
  [
    'an account has another balance',
    firstCustomer({ accounts: accounts.map((each) => ({ ...each, balance: '1.00' })) }),
  ],
  ['a customer has one account fewer', firstCustomer({ accounts: accounts.slice(1) })],
  ['a corporate agreement is gone', { ...usual, agreements: usual.agreements.slice(1) }],
  ['a corporation is gone', { customers: usual.customers.filter(({ type }) => type === 'private'), agreements: [] }],
])('C5: fixtures of the same name are others when %s; a reset takes them over', async (_what, edited) => {
  expect(await isOfKnownState()).toBe(true);
  expect(await isOfKnownState(edited)).toBe(false);
  expect(await isOfKnownState()).toBe(true);
  const bank = await open(edited);
  await resetBank(bank);
  await bank.close();
  expect(await isOfKnownState(edited)).toBe(true);
  expect(await isOfKnownState()).toBe(false);
});

test('C5: an initialize takes over edited fixtures too', async () => {
  expect(await isOfKnownState()).toBe(true);
  const edited = firstCustomer({ name: 'Of The File' });
  expect(await isOfKnownState(edited, initializeSandbox)).toBe(true);
});
