import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sandboxTransaction } from '../../api/interface/sandbox-data/transactions.ts';
import type { TransactionWindow } from '../../engine/accounts/rows/transactions.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { addDays, localDate, type LocalDate } from '../../engine/values/local-date.ts';
import type { MockTransaction } from '../../engine/accounts/rules/mock-transaction.ts';
import { transactionIdOf } from '../../engine/accounts/rules/transaction-list.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import {
  addTransactions,
  changeTransactionDetails,
  deleteTransaction,
  deleteTransactions,
  listSandboxTransactions,
  readSandboxTransaction,
} from '../../engine/accounts/mock-transactions.ts';
import { noQuirks, type Quirks, switched } from '../../engine/bank/rules/quirk.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { deleteAccount } from '../../engine/sandbox-data/customers.ts';
import { inspectAccount } from '../../engine/sandbox-data/inspect-accounts.ts';
import { type Instant, osloDate } from '../../engine/values/instant.ts';
import { balanceLimit, formatAmount } from '../../engine/values/money.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { followClock, advanceClock } from '../../engine/runs/advance-clock.ts';
import type { Transaction } from '../../engine/accounts/transaction.ts';
import { at, manualClock, memoryBank } from '../lab/bank.ts';
import { payInstantly, people, sign, paySigned } from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';
import { dump } from '../lab/rows.ts';
import { refused } from './refused.ts';
import { runs } from '../support/sample.ts';

const now = '2027-03-24T12:00:00+01:00';
const everything: TransactionWindow = { from: null, to: null, offset: 0, limit: 1000 };
const day = localDate('2027-03-01');

function mock(change: Partial<MockTransaction> = {}): MockTransaction {
  return { amount: 150_000n, currency: 'NOK', bookingDate: day, valueDate: day, details: {}, ...change };
}

async function openBank(quirks = noQuirks): Promise<{ bank: Bank; id: string; balance: () => Promise<bigint> }> {
  const bank = await memoryBank(now, { quirks });
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
    ['2027-03-24', '2027-03-24', []],
    ['2027-03-24', '2027-03-25', ['[1].valueDate']],
    ['2027-03-25', '2027-03-25', []],
  ])('that is booked has its value date by the bank date of today: %s, %s', async (booked, value, paths) => {
    const { bank, id } = await openBank();
    const dates = { bookingDate: localDate(booked), valueDate: localDate(value) };
    const call = addTransactions(bank, id, [mock(), mock(dates)]);
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
    await paySigned(bank, { from: 'nora', to: 'even', amount: '100.00' });
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
      { numRuns: runs(10) },
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
    await paySigned(bank, { from: 'nora', to: 'shop', amount: '100.00' });
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

describe('D3d, S8b: a mock transaction whose booking date is after today, or that has none', () => {
  const tomorrow = localDate('2027-03-25');
  const announced = (change: Partial<MockTransaction> = {}) =>
    mock({ bookingDate: null, valueDate: localDate('2027-03-24'), ...change });
  const balancesIn = async (bank: Bank) => {
    const { account, balances } = await inspectAccount(bank, people.nora.bban, { from: null, to: null });
    const { interimBooked: booked, interimAvailable: available, expected } = balances;
    return [account.balance_minor, booked, available, expected].map((minor) => minor - 1_800_000n);
  };

  test('is no entry: a debit is reserved, a credit is expected, and the books do not know them', async () => {
    const { bank, id } = await openBank();
    await addTransactions(bank, id, [announced({ amount: -300n }), announced({ amount: 7n, bookingDate: tomorrow })]);
    expect(await balancesIn(bank)).toEqual([0n, 0n, -300n, -293n]);
    expect(await brokenProofs(bank)).toEqual({});
    const { ok, reservations } = await proveLedger(bank);
    expect(ok).toBe(true);
    expect(reservations).toMatchObject([
      { account: people.nora.bban, amount: { minor: -300n }, bookingDate: null },
      { account: people.nora.bban, amount: { minor: 7n }, bookingDate: tomorrow },
    ]);
    await bank.close();
  });

  test('is booked as it is at 00:00 of its booking date, a closed day too; one without a date stays', async () => {
    const { bank, id } = await openBank();
    const sunday = localDate('2027-03-28');
    const list = [announced({ amount: -300n }), announced({ amount: -20n, bookingDate: sunday, valueDate: sunday })];
    const [stays, comes] = (await addTransactions(bank, id, list)).map(sandboxTransaction);
    expect([stays?.bookingDate, comes]).toMatchObject([undefined, { bookingStatus: 'pending', bookingDate: sunday }]);
    await advanceClock(bank, at('2027-03-27T23:59:59+01:00'));
    expect(await balancesIn(bank)).toEqual([0n, 0n, -320n, -320n]);
    const report = await advanceClock(bank, at('2027-03-28T00:00:00+01:00'));
    expect(report.runs).toEqual([]);
    expect(await balancesIn(bank)).toEqual([-20n, -20n, -320n, -320n]);
    const listed = (await listSandboxTransactions(bank, id, everything)).map(sandboxTransaction);
    expect(listed).toMatchObject([
      { transactionId: stays?.transactionId, bookingStatus: 'pending' },
      { bookingStatus: 'booked', bookingDate: sunday, valueDate: sunday, amount: '-0.20' },
    ]);
    expect(await refused(readSandboxTransaction(bank, id, comes?.transactionId ?? ''))).toMatchObject([
      { code: 'RESOURCE_UNKNOWN' },
    ]);
    expect(await brokenProofs(bank)).toEqual({});
    await bank.close();
  });

  test('is in the hash of the content, which is the same whatever the steps of the clock', async () => {
    const hashes = await Promise.all(
      [1, 24, 7 * 24].map(async (hours) => {
        const { bank, id } = await openBank();
        const before = await hashLedger(bank, 'left-out');
        const list = [2, 4, 5].map((days) => addDays(tomorrow, days));
        await addTransactions(
          bank,
          id,
          list.map((date, index) => announced({ amount: BigInt(index) - 9n, bookingDate: date, valueDate: date })),
        );
        const first = at(now);
        const after = await hashLedger(bank, 'left-out');
        for (let passed = hours; passed <= 7 * 24; passed += hours)
          await advanceClock(bank, (first + passed * 3_600_000) as Instant);
        const last = await hashLedger(bank, 'left-out');
        await bank.close();
        return [before, after, last];
      }),
    );
    expect(new Set(hashes[0]).size).toBe(3);
    expect(hashes).toEqual([hashes[0], hashes[0], hashes[0]]);
  });

  test('is booked by a running clock at its first check after midnight, which a read awaits', async () => {
    const wall = manualClock(at('2027-03-24T23:59:58+01:00'));
    await using bank = await memoryBank('2027-03-24', { wall, start: { mode: 'running', now: wall.now() } });
    const account = await bank.ledger.read((reader) => accountByNumber(reader, people.nora.bban));
    const dates = { bookingDate: tomorrow, valueDate: tomorrow };
    await addTransactions(bank, account?.resource_id ?? '', [mock({ amount: -20n, ...dates })]);
    const clock = followClock(bank);
    await clock.catchUp();
    expect([clock.isLate(), await balancesIn(bank)]).toEqual([false, [0n, 0n, -20n, -20n]]);
    wall.set(at('2027-03-25T00:00:00+01:00'));
    expect(clock.isLate()).toBe(true);
    await clock.catchUp();
    // As with a run, the next check knows that it is done.
    await clock.catchUp();
    expect([clock.isLate(), await balancesIn(bank)]).toEqual([false, [-20n, -20n, -20n, -20n]]);
  });

  test.each([
    ['without a day', null, '2027-03-24', '2027-03-24'],
    ['of a banking day', '2027-03-31', '2027-03-31', '2027-04-01'],
    ['of a Saturday', '2027-04-03', '2027-04-03', '2027-04-05'],
    ['of the last day of the calendar', '2099-12-31', '2099-12-31', '2100-01-04'],
    ['of the last day of all', '9999-12-31', '9999-12-31', '9999-12-31'],
  ])(
    'D3c: under card-value-dates a purchase abroad %s is valued as one that is booked, and takes what was sent',
    async (_, booked, value, valued) => {
      const { bank, id } = await openBank(switched(noQuirks, [['card-value-dates', true]]) as Quirks);
      const dates = { bookingDate: booked === null ? null : localDate(booked), valueDate: localDate(value) };
      const details = { originalAmount: { amount: '-2.00', currency: 'EUR' as const } };
      const abroad = announced({ amount: -2_300n, ...dates, details });
      const [added] = await addTransactions(bank, id, [abroad]);
      const key = added === undefined ? '' : (sandboxTransaction(added).transactionId ?? '');
      expect(added).toMatchObject({ valueDate: valued, bookingDate: null });
      expect(await changeTransactionDetails(bank, id, key, abroad)).toEqual(added);
      await bank.close();
    },
  );

  test('takes other details, is deleted, alone and with all others, and goes with its account', async () => {
    const { bank, id } = await openBank();
    const list = [announced({ amount: -300n }), announced({ amount: -20n }), mock({ amount: -1n })];
    const [first] = (await addTransactions(bank, id, list)).map(sandboxTransaction);
    const key = first?.transactionId ?? '';
    const told = announced({ amount: -300n, details: { creditorName: 'Kiosk', entryDetails: [] } });
    expect(await changeTransactionDetails(bank, id, key, told)).toMatchObject({ details: told.details });
    expect(await refused(changeTransactionDetails(bank, id, key, { ...told, bookingDate: tomorrow }))).toMatchObject([
      { path: 'bookingDate' },
    ]);
    await deleteTransaction(bank, id, key);
    expect(await balancesIn(bank)).toEqual([-1n, -1n, -21n, -21n]);
    await deleteTransactions(bank, id);
    expect(await balancesIn(bank)).toEqual([0n, 0n, 0n, 0n]);
    await addTransactions(bank, id, list);
    await deleteAccount(bank, id);
    expect(await proveLedger(bank)).toMatchObject({ ok: true, reservations: [] });
    await bank.close();
  });

  test('S4: a run, an instant payment and the forecast have what is left; an announced credit counts from its day on', async () => {
    const { bank, id } = await openBank();
    const on = localDate('2027-03-30');
    await addTransactions(bank, id, [
      announced({ amount: -1_790_000n }),
      announced({ amount: 5_000n, bookingDate: localDate('2027-03-31'), valueDate: localDate('2027-03-31') }),
    ]);
    await advanceClock(bank, at('2027-03-30T14:00:00+02:00'));
    const { payment } = await paySigned(bank, { from: 'nora', to: 'even', amount: '120.00' }, on);
    const straks = await payInstantly(bank, { from: 'nora', to: 'shop', amount: '100.01' });
    await sign(bank, straks.payment.resource_id, 'nora');
    const refusedAtOnce = { status: 'RJCT', attempts: [{ available: { minor: 10_000n } }] };
    expect(await inspectPayment(bank, straks.payment.resource_id)).toMatchObject(refusedAtOnce);
    const until = at('2027-03-31T12:00:00+02:00');
    const foreseen = (await forecast(bank, { to: until })).executions;
    const tried = [
      { outcome: 'retry', available: { minor: 10_000n } },
      { outcome: 'settle', available: { minor: 15_000n } },
    ];
    expect(foreseen).toMatchObject(tried);
    await advanceClock(bank, until);
    expect((await inspectPayment(bank, payment.resource_id)).attempts).toMatchObject(tried);
    await bank.close();
  });

  test('P4: what is reserved, or announced, takes no balance beyond its limit; what no longer fits on its day lapses', async () => {
    const { bank, id } = await openBank();
    const most = balanceLimit - 1_800_000n;
    const [faults] = [
      await refused(addTransactions(bank, id, [announced({ amount: most }), announced({ amount: 1n })])),
    ];
    expect(faults).toMatchObject([{ code: 'FORMAT_ERROR' }]);
    await addTransactions(bank, id, [announced({ amount: most, bookingDate: tomorrow, valueDate: tomorrow }), mock()]);
    await advanceClock(bank, at('2027-03-25T01:00:00+01:00'));
    expect(await balancesIn(bank)).toEqual([150_000n, 150_000n, 150_000n, 150_000n]);
    await bank.close();
  });

  test('by any steps, with deletions: balances and lists are those of a list of transactions (seeded)', async () => {
    const day = fc.option(fc.nat({ max: 6 }), { nil: null });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add'), amount: fc.integer({ min: -500, max: 500 }).filter(Boolean), day }),
      fc.record({ kind: fc.constant('delete'), index: fc.nat({ max: 9 }) }),
      fc.record({ kind: fc.constant('advance'), hours: fc.integer({ min: 1, max: 60 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const { bank, id } = await openBank();
        const start = at(now);
        let clock: number = start;
        let model: { amount: bigint; date: LocalDate | null; isBooked: boolean }[] = [];
        for (const one of steps) {
          const today = osloDate(clock as Instant);
          if (one.kind === 'add') {
            const date = one.day === null ? null : addDays(today, one.day);
            const amount = BigInt(one.amount);
            await addTransactions(bank, id, [announced({ amount, bookingDate: date, valueDate: date ?? today })]);
            model.push({ amount, date, isBooked: date === today });
          } else if (one.kind === 'delete') {
            const listed = (await listSandboxTransactions(bank, id, everything)).map(sandboxTransaction);
            const gone = listed[one.index];
            if (gone === undefined) continue;
            await deleteTransaction(bank, id, gone.transactionId);
            const index = model.findIndex(
              ({ amount, date, isBooked }) =>
                gone.amount === formatAmount({ minor: amount, currency: 'NOK' }) &&
                (gone.bookingDate ?? null) === date &&
                (gone.bookingStatus === 'booked') === isBooked,
            );
            expect(index).not.toBe(-1);
            model = model.toSpliced(index, 1);
          } else {
            clock += one.hours * 3_600_000;
            await advanceClock(bank, clock as Instant);
            const reached = osloDate(clock as Instant);
            model = model.map((each) => ({ ...each, isBooked: each.date !== null && each.date <= reached }));
          }
          const sum = (isWanted: (each: (typeof model)[number]) => boolean) =>
            model.filter(isWanted).reduce((total, { amount }) => total + amount, 0n);
          const booked = sum(({ isBooked }) => isBooked);
          const reserved = sum(({ isBooked, amount }) => !isBooked && amount < 0n);
          expect(await balancesIn(bank)).toEqual([booked, booked, booked + reserved, sum(() => true)]);
        }
        expect(await brokenProofs(bank)).toEqual({});
        await bank.close();
      }),
      { numRuns: runs(10) },
    );
  });
});
