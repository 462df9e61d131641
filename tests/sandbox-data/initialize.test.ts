import { expect, test } from '@jest/globals';
import { openBank, type Bank } from '../../engine/open-bank.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { lastRunAtOrBefore } from '../../engine/time/rules/settlement-run.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { bankState } from '../../engine/bank/rows/bank-state.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { createCustomer, listCustomers, listSandboxAccounts } from '../../engine/sandbox-data/customers.ts';
import { initializeSandbox } from '../../engine/sandbox-data/create-known-state.ts';
import { resetBank } from '../../engine/reset-and-restore.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import { at, calendar, knownState, manualClock, memoryBank } from '../lab/bank.ts';
import { pay, sign, paySigned, orderSigned } from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';
import { dump } from '../lab/rows.ts';

const start = '2027-03-24T12:00:00+01:00';
const nowOf = (bank: Bank) => bank.ledger.read((reader) => bankNow(bank, reader));

test('D1: lays the known state anew; what was made since is gone', async () => {
  await using bank = await memoryBank(start);
  await createCustomer(bank, { customerNumber: '01078900497', name: 'Test Testperson 1', type: 'private' });
  await paySigned(bank, { from: 'nora', to: 'shop', amount: '100.00' });
  await advanceClock(bank, at('2027-03-25'));

  const counts = await initializeSandbox(bank);

  const numbers = (await listCustomers(bank)).map((customer) => customer.customer_number);
  expect(numbers).toEqual(knownState.customers.map(({ customerNumber }) => customerNumber));
  const rows = await dump(bank);
  expect(counts).toEqual({
    customers: rows['customer']?.length,
    accounts: (await listSandboxAccounts(bank)).length,
    cardAccounts: rows['card_account']?.length,
    agreements: rows['agreement']?.length,
    engagements: rows['engagement']?.length,
  });
  for (const table of ['payment', 'execution', 'settlement_run', 'psu', 'consent', 'sca', 'status_change']) {
    expect([table, rows[table]]).toEqual([table, []]);
  }
  expect(await brokenProofs(bank)).toEqual({});
});

test('T7: keeps the clock, and the runs that have passed stay passed', async () => {
  await using bank = await memoryBank(start);
  await orderSigned(
    bank,
    { from: 'nora', to: 'shop', amount: '1.00' },
    { startDate: localDate('2027-03-25'), frequency: 'Daily' },
  );
  const later = at('2027-04-20T10:00:00+02:00');
  await advanceClock(bank, later);
  await initializeSandbox(bank);
  expect(await nowOf(bank)).toBe(later);
  const state = await bank.ledger.read(bankState);
  expect(state.last_run_at).toBe(lastRunAtOrBefore(later, bank.schedule.booking).at);
  // A payment due today settles in the next run of that day, which no earlier run of the same number stands in the way of.
  const again = await pay(bank, { from: 'nora', to: 'shop', amount: '100.00' });
  await sign(bank, again.payment.resource_id, 'nora');
  const { runs } = await advanceClock(bank, at('2027-04-20T23:00:00+02:00'));
  expect(runs.map(({ id, settled, booked }) => [id, settled, booked])).toEqual([
    ['2027-04-20/3', 1, 0],
    ['2027-04-20/4', 0, 1],
  ]);
});

test('T7: a reset still goes back to the instant that the bank was seeded at', async () => {
  await using bank = await memoryBank(start);
  await advanceClock(bank, at('2027-04-20'));
  await initializeSandbox(bank);
  await resetBank(bank);
  expect(await nowOf(bank)).toBe(at(start));
});

test('T7: a running clock runs on with its offset', async () => {
  const wall = manualClock(at('2026-01-01'));
  const options = { ledger: ':memory:', ids: randomIds, calendar, knownState };
  const bank = await openBank({ ...options, wall, start: { mode: 'running', now: at(start) } });
  const before = await bank.ledger.read(bankState);
  wall.set(at('2026-01-03'));
  await initializeSandbox(bank);
  const after = await bank.ledger.read(bankState);
  expect([after.clock_mode, after.clock_value]).toEqual(['running', before.clock_value]);
  expect(await nowOf(bank)).toBe(at('2027-03-26T12:00:00+01:00'));
  await bank.close();
});

test('D1, D7: twice is as good as once, but for where the transaction numbers count on', async () => {
  await using bank = await memoryBank(start);
  const ids = ['resource_id', 'psu_id', 'entries_before'];
  await initializeSandbox(bank);
  const once = await dump(bank, ids);
  await initializeSandbox(bank);
  expect(await dump(bank, ids)).toEqual(once);
});
