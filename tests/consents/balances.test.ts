import { afterEach, describe, expect, test } from '@jest/globals';
import { balanceReport } from '../../api/interface/accounts/accounts.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { balancesOf } from '../../engine/accounts/rules/entry.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { addTransactions, deleteTransactions } from '../../engine/accounts/mock-transactions.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { listAccounts, readBalances } from '../../engine/consents/read-account.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { pay, type Person, paySigned } from '../lab/payments.ts';
import { accountIdOf, consented } from '../lab/consented.ts';

let bank: Bank;
afterEach(() => bank.close());

/** openingBooked, interimBooked, interimAvailable, expected. */
async function balances(person: Person): Promise<string> {
  const request = await consented(bank, person);
  const report = balanceReport(await readBalances(bank, request, await accountIdOf(bank, person)));
  return report.balances.map(({ balanceAmount }) => balanceAmount.amount).join(' ');
}

async function payNow(from: Person, to: Person, amount: string): Promise<void> {
  await paySigned(bank, { from, to, amount });
}

describe('S8: balances in the life of a payment', () => {
  test('due today, posted, booked, the day after', async () => {
    bank = await memoryBank('2027-03-16T12:00:00+01:00');
    const steps: string[][] = [];
    const look = async (when: string) => steps.push([when, await balances('nora'), await balances('even')]);
    await look('before');
    await payNow('nora', 'even', '100.00');
    await look('signed');
    await advanceClock(bank, at('2027-03-16T13:30:00+01:00'));
    await look('posted');
    await advanceClock(bank, at('2027-03-16T15:30:00+01:00'));
    await look('booked');
    await advanceClock(bank, at('2027-03-17T00:00:00+01:00'));
    await look('next day');
    expect(steps).toEqual([
      ['before', '18000.00 18000.00 18000.00 18000.00', '15796.00 15796.00 15796.00 15796.00'],
      ['signed', '18000.00 18000.00 18000.00 17900.00', '15796.00 15796.00 15796.00 15896.00'],
      ['posted', '18000.00 18000.00 17900.00 17900.00', '15796.00 15796.00 15896.00 15896.00'],
      ['booked', '18000.00 17900.00 17900.00 17900.00', '15796.00 15896.00 15896.00 15896.00'],
      ['next day', '17900.00 17900.00 17900.00 17900.00', '15896.00 15896.00 15896.00 15896.00'],
    ]);
  });

  test('posted by the last run of a Friday, it stays pending until Monday 05:30', async () => {
    bank = await memoryBank('2027-03-12T14:00:00+01:00');
    await payNow('nora', 'shop', '100.00');
    await advanceClock(bank, at('2027-03-14T12:00:00+01:00'));
    expect(await balances('nora')).toBe('18000.00 18000.00 17900.00 17900.00');
    await advanceClock(bank, at('2027-03-15T05:30:00+01:00'));
    expect(await balances('nora')).toBe('18000.00 17900.00 17900.00 17900.00');
    await advanceClock(bank, at('2027-03-16T00:00:00+01:00'));
    expect(await balances('nora')).toBe('17900.00 17900.00 17900.00 17900.00');
  });

  test('what is booked on Sunday stands beside the pending payment of Friday', async () => {
    bank = await memoryBank('2027-03-12T14:00:00+01:00');
    await payNow('nora', 'shop', '100.00');
    await advanceClock(bank, at('2027-03-14T12:00:00+01:00'));
    const sunday = localDate('2027-03-14');
    await addTransactions(bank, await accountIdOf(bank, 'nora'), [
      { amount: 700n, currency: 'NOK' as const, bookingDate: sunday, valueDate: sunday, details: {} },
    ]);
    expect(await balances('nora')).toBe('18000.00 18007.00 17907.00 17907.00');
    await advanceClock(bank, at('2027-03-15T05:30:00+01:00'));
    expect(await balances('nora')).toBe('18007.00 17907.00 17907.00 17907.00');
  });

  test('a payment due tomorrow, or not signed, is not expected today', async () => {
    bank = await memoryBank('2027-03-16T12:00:00+01:00');
    await paySigned(bank, { from: 'nora', to: 'even', amount: '5.00' }, localDate('2027-03-17'));
    await pay(bank, { from: 'nora', to: 'even', amount: '7.00' });
    expect(await balances('nora')).toBe('18000.00 18000.00 18000.00 18000.00');
    await advanceClock(bank, at('2027-03-17T00:00:00+01:00'));
    expect(await balances('nora')).toBe('18000.00 18000.00 18000.00 17995.00');
  });

  test('an underfunded payment is expected as long as it is tried', async () => {
    bank = await memoryBank('2027-03-16T12:00:00+01:00');
    await payNow('anne', 'shop', '100.00');
    await advanceClock(bank, at('2027-03-17T10:00:00+01:00'));
    expect(await balances('anne')).toBe('12.00 12.00 12.00 -88.00');
    await advanceClock(bank, at('2027-03-17T11:30:00+01:00'));
    expect(await balances('anne')).toBe('12.00 12.00 12.00 12.00');
  });

  test('S4: the credit line is available', async () => {
    bank = await memoryBank('2027-03-16T12:00:00+01:00');
    expect(await balances('kari')).toBe('500.00 500.00 20500.00 500.00');
  });
});

test('D3: mock transactions are in every balance from the start, and out of them when deleted', async () => {
  bank = await memoryBank('2027-03-16T12:00:00+01:00');
  const id = await accountIdOf(bank, 'nora');
  const mock = (amount: bigint, day: string) => {
    return { amount, currency: 'NOK' as const, bookingDate: localDate(day), valueDate: localDate(day), details: {} };
  };
  await addTransactions(bank, id, [mock(-2110n, '2027-03-15'), mock(50_000n, '2027-03-16')]);
  expect(await balances('nora')).toBe('17978.90 18478.90 18478.90 18478.90');
  await deleteTransactions(bank, id);
  expect(await balances('nora')).toBe('18000.00 18000.00 18000.00 18000.00');
});

test('9.1: a list of accounts has each its own balances, in its own currency', async () => {
  bank = await memoryBank('2027-03-16T12:00:00+01:00');
  await payNow('nora', 'even', '100.00');
  const found = await listAccounts(bank, await consented(bank, 'nora'), true);
  expect(found.map(({ account, balances: its }) => [account.currency, its?.expected])).toEqual([
    ['NOK', 1_790_000n],
    ['NOK', 1_000_000n],
    ['EUR', 332_601_100n],
    ['NOK', 1_500_000n],
  ]);
});

test('S8: each balance is a sum of its own parts', () => {
  const sums = { posted: 1_000n, pending: -200n, bookedToday: 30n, dueIn: 4n, dueOut: 500n, creditLine: 10_000n };
  const unposted = { reserved: 60_000n, announced: 7_000_000n };
  expect(balancesOf({ ...sums, ...unposted })).toEqual({
    openingBooked: 1_170n,
    interimBooked: 1_200n,
    interimAvailable: -49_000n,
    expected: 6_940_504n,
  });
});
