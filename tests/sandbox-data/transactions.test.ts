import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sandboxTransaction } from '../../api/interface/sandbox-data/transactions.ts';
import type { TransactionWindow } from '../../engine/accounts/rows/transactions.ts';
import type { Bank } from '../../engine/bank.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
import type { MockTransaction } from '../../engine/accounts/rules/mock-transaction.ts';
import { transactionIdOf } from '../../engine/accounts/rules/transaction-id.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import {
  addTransactions,
  deleteTransaction,
  deleteTransactions,
  listSandboxTransactions,
  readSandboxTransaction,
} from '../../engine/accounts/mock-transactions.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import type { Transaction } from '../../engine/accounts/transaction.ts';
import { at, memoryBank } from '../../scripts/lab/bank.ts';
import { pay, people, sign } from '../../scripts/lab/payments.ts';
import { brokenProofs } from '../../scripts/lab/proof.ts';
import { dump } from '../../scripts/lab/rows.ts';
import { refused } from './refused.ts';

const now = '2027-03-24T12:00:00+01:00';
const everything: TransactionWindow = { from: null, to: null, offset: 0, limit: 1000 };
const day = localDate('2027-03-01');

function mock(change: Partial<MockTransaction> = {}): MockTransaction {
  return { amount: 150_000n, currency: 'NOK', bookingDate: day, valueDate: day, details: {}, ...change };
}

async function openBank(): Promise<{ bank: Bank; id: string; balance: () => Promise<bigint> }> {
  const bank = await memoryBank(now);
  const account = () => bank.ledger.read((reader) => accountByNumber(reader, people.nora.bban));
  const id = (await account())?.resource_id ?? '';
  return { bank, id, balance: async () => (await account())?.balance_minor ?? 0n };
}

describe('D3: a mock transaction', () => {
  test('is shown with the members it was sent with, booked from the start', async () => {
    const { bank, id } = await openBank();
    const details = {
      creditorName: 'Aftenposten',
      debtorAccount: { bban: '90491105991' },
      bankTransactionCode: 'PMNT',
    };
    const [added] = await addTransactions(bank, id, [mock({ amount: -2110n, details })]);
    if (added === undefined) throw new Error('nothing was added');
    expect(sandboxTransaction(added)).toEqual({
      transactionId: transactionIdOf(added.transactionNumber),
      bookingStatus: 'booked',
      amount: '-21.10',
      currency: 'NOK',
      valueDate: '2027-03-01',
      bookingDate: '2027-03-01',
      ...details,
    });
    expect(await listSandboxTransactions(bank, id, everything)).toEqual([added]);
    expect(await readSandboxTransaction(bank, id, transactionIdOf(added.transactionNumber))).toEqual(added);
    await bank.close();
  });

  test('moves the balance by its amount, and the books hold', async () => {
    const { bank, id, balance } = await openBank();
    await addTransactions(bank, id, [mock(), mock({ amount: -2110n })]);
    expect(await balance()).toBe(1_800_000n + 150_000n - 2110n);
    expect(await brokenProofs(bank)).toEqual({});
    await bank.close();
  });

  test.each([
    ['2027-03-24', []],
    ['2027-03-25', ['[1].bookingDate', '[1].valueDate']],
  ])('may be booked up to the bank date of today: %s', async (date, paths) => {
    const { bank, id } = await openBank();
    const when = localDate(date);
    const call = addTransactions(bank, id, [mock(), mock({ bookingDate: when, valueDate: when })]);
    const faults = paths.length === 0 ? (await call) && [] : await refused(call);
    expect(faults.map(({ path }) => path)).toEqual(paths);
    await bank.close();
  });

  test('T2: today is the Oslo date of the bank clock, not of the wall clock', async () => {
    const { bank, id } = await openBank();
    await advanceClock(bank, at('2027-06-30T22:30:00Z'));
    const today = localDate('2027-07-01');
    const added = await addTransactions(bank, id, [mock({ bookingDate: today, valueDate: today })]);
    expect(added).toHaveLength(1);
    await bank.close();
  });

  test('E3: a list is added as a whole or not at all, and every fault is told with its place', async () => {
    const { bank, id } = await openBank();
    const before = await dump(bank);
    const late = localDate('2027-12-24');
    const list = [mock(), mock({ amount: 0n }), mock({ currency: 'EUR', valueDate: late })];
    const faults = await refused(addTransactions(bank, id, list));
    expect(faults.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'FORMAT_ERROR [1].amount',
      'FORMAT_ERROR [2].currency',
      'FORMAT_ERROR [2].valueDate',
    ]);
    expect(await dump(bank)).toEqual(before);
    await bank.close();
  });

  test('P4: an amount that takes the balance beyond the limit refuses the whole list', async () => {
    const { bank, id } = await openBank();
    const before = await dump(bank);
    const list = [mock(), mock({ amount: 10n ** 17n })];
    expect(await refused(addTransactions(bank, id, list))).toMatchObject([{ code: 'FORMAT_ERROR' }]);
    expect(await dump(bank)).toEqual(before);
    await bank.close();
  });
});

describe('listed are', () => {
  test('payments too, pending until a run books them, from the side of each account', async () => {
    const { bank, id } = await openBank();
    const { payment } = await pay(bank, { from: 'nora', to: 'even', amount: '100.00' });
    await sign(bank, payment.resource_id, 'nora');
    await advanceClock(bank, at('2027-03-24T13:30:00+01:00'));
    const even = await bank.ledger.read((reader) => accountByNumber(reader, people.even.bban));
    const shown = async (account: string) =>
      (await listSandboxTransactions(bank, account, everything)).map(sandboxTransaction);
    const common = {
      transactionId: expect.any(String),
      bookingStatus: 'pending',
      currency: 'NOK',
      valueDate: '2027-03-24',
      creditorName: 'even',
      creditorAccount: { bban: people.even.bban },
      debtorName: 'Test Testperson 3',
      debtorAccount: { bban: people.nora.bban, iban: 'NO7809232911044' },
    };
    expect(await shown(id)).toEqual([{ ...common, amount: '-100.00' }]);
    expect(await shown(even?.resource_id ?? '')).toEqual([{ ...common, amount: '100.00' }]);
    await advanceClock(bank, at('2027-03-24T15:30:00+01:00'));
    const booked = { bookingStatus: 'booked', bookingDate: '2027-03-24' };
    expect(await shown(id)).toEqual([{ ...common, ...booked, amount: '-100.00' }]);
    await bank.close();
  });

  test('A9: booking dates inclusive, the latest first, paged without gap or repetition', async () => {
    // Over two months, over years, and back to the year 1.
    const near = { weight: 4, arbitrary: fc.integer({ min: 0, max: 40 }) };
    const back = fc.oneof(near, fc.integer({ min: 0, max: 900 }), fc.constant(740_000));
    const days = fc.array(back, { minLength: 1, maxLength: 25 });
    const limits = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(days, limits, fc.tuple(back, back), fc.boolean(), async (offsets, limit, bounds, isOpen) => {
        const { bank, id } = await openBank();
        const dates = offsets.map((offset) => addDays(day, -offset));
        const other = await bank.ledger.read((reader) => accountByNumber(reader, people.even.bban));
        await addTransactions(bank, other?.resource_id ?? '', [mock(), mock({ bookingDate: addDays(day, -400) })]);
        const posted = dates.map((bookingDate, index) => ({ bookingDate, amount: BigInt(index + 1) }));
        await addTransactions(
          bank,
          id,
          posted.map(({ bookingDate, amount }) => mock({ bookingDate, valueDate: bookingDate, amount })),
        );
        const [from, to] = [addDays(day, -Math.max(...bounds)), addDays(day, -Math.min(...bounds))];
        const window = isOpen ? { from: null, to: null } : { from, to };
        const pages: Transaction[] = [];
        for (let offset = 0; offset < dates.length; offset += limit) {
          pages.push(...(await listSandboxTransactions(bank, id, { ...window, offset, limit })));
        }
        const inside = posted.filter(({ bookingDate: date }) => isOpen || (date >= from && date <= to));
        // Of one day, the last that was posted is the first: the sort is stable.
        inside.reverse().sort((one, other) => other.bookingDate.localeCompare(one.bookingDate));
        expect(pages.map(({ bookingDate, amount }) => ({ bookingDate, amount: amount.minor }))).toEqual(inside);
        await bank.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe('S5: a deleted mock transaction', () => {
  test('is hidden with its reversal, and no balance of any day remembers it', async () => {
    const { bank, id, balance } = await openBank();
    const [first, second] = await addTransactions(bank, id, [mock(), mock({ amount: -2110n })]);
    await deleteTransaction(bank, id, transactionIdOf(first?.transactionNumber ?? 0));
    expect(await listSandboxTransactions(bank, id, everything)).toEqual([second]);
    expect(await balance()).toBe(1_800_000n - 2110n);
    const entries = (await dump(bank))['entry'] ?? [];
    const account = entries.find((row) => row['id'] === first?.transactionNumber)?.['account_id'];
    const ofDay = entries.filter((row) => row['account_id'] === account && row['booking_date'] === day);
    expect(ofDay.reduce((sum, row) => sum + (row['amount_minor'] as bigint), 0n)).toBe(-2110n);
    expect(await brokenProofs(bank)).toEqual({});
    await bank.close();
  });

  test('is unknown afterwards, like one of another account and one that never was', async () => {
    const { bank, id } = await openBank();
    const [added] = await addTransactions(bank, id, [mock()]);
    const transactionId = transactionIdOf(added?.transactionNumber ?? 0);
    const even = await bank.ledger.read((reader) => accountByNumber(reader, people.even.bban));
    const elsewhere = readSandboxTransaction(bank, even?.resource_id ?? '', transactionId);
    expect(await refused(elsewhere)).toMatchObject([{ code: 'RESOURCE_UNKNOWN', place: 'path' }]);
    await deleteTransaction(bank, id, transactionId);
    for (const wanted of [transactionId, transactionIdOf(1), 'enc!!none=', '']) {
      for (const call of [readSandboxTransaction(bank, id, wanted), deleteTransaction(bank, id, wanted)]) {
        expect(await refused(call)).toMatchObject([{ code: 'RESOURCE_UNKNOWN', place: 'path' }]);
      }
    }
    await bank.close();
  });

  test('all at once: every mock transaction goes, those of payments stay and cannot be deleted', async () => {
    const { bank, id, balance } = await openBank();
    const { payment } = await pay(bank, { from: 'nora', to: 'shop', amount: '100.00' });
    await sign(bank, payment.resource_id, 'nora');
    await advanceClock(bank, at('2027-03-24T15:30:00+01:00'));
    await addTransactions(bank, id, [mock(), mock({ amount: -5n }), mock({ bookingDate: localDate('2026-12-31') })]);
    await deleteTransactions(bank, id);
    const [left, ...others] = await listSandboxTransactions(bank, id, everything);
    expect([left?.amount.minor, others]).toEqual([-10_000n, []]);
    expect(await balance()).toBe(1_790_000n);
    const paid = deleteTransaction(bank, id, transactionIdOf(left?.transactionNumber ?? 0));
    expect(await refused(paid)).toMatchObject([{ code: 'SERVICE_INVALID', place: 'method' }]);
    await deleteTransactions(bank, id);
    expect(await brokenProofs(bank)).toEqual({});
    await bank.close();
  });
});
