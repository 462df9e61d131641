import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { transaction, transactionReport } from '../../api/interface/accounts/accounts.ts';
import { storedQuirks } from '../../engine/bank/bank-context.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { transactionIdOf, type ReportQuery } from '../../engine/accounts/rules/transaction-list.ts';
import { addTransactions, deleteTransactions } from '../../engine/accounts/mock-transactions.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { listTransactions, readTransaction } from '../../engine/consents/list-transactions.ts';
import type { AccountRequest } from '../../engine/consents/account-access.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { type Person, paySigned } from '../lab/payments.ts';
import { accountIdOf, consented, everything, refusalOf } from '../lab/consented.ts';

let bank: Bank;
let request: AccountRequest;
let accountId: string;

async function begin(now: string, options: Parameters<typeof memoryBank>[1] = {}): Promise<void> {
  bank = await memoryBank(now, options);
  request = await consented(bank, 'nora');
  accountId = await accountIdOf(bank, 'nora');
}

beforeEach(() => begin('2027-03-16T12:00:00+01:00'));
afterEach(() => bank.close());

async function report(change: Partial<ReportQuery> = {}) {
  return transactionReport(await listTransactions(bank, request, accountId, { ...everything, ...change }));
}

/** The amounts of a report: booked ones, a bar, pending ones. */
async function amounts(change: Partial<ReportQuery> = {}): Promise<string> {
  const { booked, pending } = (await report(change)).transactions;
  const list = (items: typeof booked | typeof pending) =>
    items?.map((item) => item.transactionAmount.amount).join(' ') ?? 'none';
  return `${list(booked)} | ${list(pending)}`.trim();
}

async function payNow(from: Person, to: Person, amount: string): Promise<void> {
  await paySigned(bank, { from, to, amount });
}

/** Mock transactions of 1.00, 2.00, ... on these dates. */
async function mocks(...days: string[]): Promise<void> {
  const wanted = days.map((day, index) => {
    const date = localDate(day);
    return {
      amount: BigInt(index + 1) * 100n,
      currency: 'NOK' as const,
      bookingDate: date,
      valueDate: date,
      details: {},
    };
  });
  await addTransactions(bank, accountId, wanted);
}

describe('S6: a payment becomes a transaction', () => {
  test('pending after its run, without id and dates; booked by the next run, with them', async () => {
    await payNow('nora', 'shop', '21.10');
    expect(await amounts()).toBe('|');
    await advanceClock(bank, at('2027-03-16T13:30:00+01:00'));
    const told = {
      transactionAmount: { amount: '-21.10', currency: 'NOK' },
      creditorName: 'shop',
      creditorAccount: { bban: '90491105991', iban: 'NO6290491105991' },
      debtorName: 'Test Testperson 3',
      debtorAccount: { bban: '09232911044', iban: 'NO7809232911044' },
    };
    expect((await report()).transactions).toMatchObject({ booked: [], pending: [told] });
    expect((await report()).transactions.pending).toEqual([told]);
    await advanceClock(bank, at('2027-03-16T15:30:00+01:00'));
    const dates = { bookingDate: '2027-03-16', valueDate: '2027-03-16' };
    const booked = { transactionId: expect.stringMatching(/^enc!![\w-]+==$/), ...dates, ...told };
    expect((await report()).transactions).toMatchObject({ booked: [booked], pending: [] });
  });

  test('pending over the turn of a month, beside what is booked on the day after', async () => {
    await bank.close();
    await begin('2027-04-30T14:00:00+02:00');
    await payNow('nora', 'shop', '21.10');
    await advanceClock(bank, at('2027-05-01T12:00:00+02:00'));
    await mocks('2027-05-01');
    expect(await amounts()).toBe('1.00 | -21.10');
    await advanceClock(bank, at('2027-05-03T05:30:00+02:00'));
    expect(await amounts()).toBe('-21.10 1.00 |');
  });

  test('the creditor sees the same parties and the amount as a credit', async () => {
    await payNow('nora', 'even', '100.00');
    await advanceClock(bank, at('2027-03-17T12:00:00+01:00'));
    const [own] = (await report()).transactions.booked ?? [];
    request = await consented(bank, 'even');
    accountId = await accountIdOf(bank, 'even');
    const [theirs] = (await report()).transactions.booked ?? [];
    const { transactionId } = theirs ?? {};
    expect(transactionId).not.toBe(own?.transactionId);
    expect(theirs).toEqual({ ...own, transactionId, transactionAmount: { amount: '100.00', currency: 'NOK' } });
  });

  test('the value date is the execution date, the booking date that of the run that booked', async () => {
    await payNow('nora', 'shop', '20000.00');
    await advanceClock(bank, at('2027-03-17T06:00:00+01:00'));
    await addTransactions(bank, accountId, [
      {
        amount: 500_000n,
        currency: 'NOK',
        bookingDate: localDate('2027-03-15'),
        valueDate: localDate('2027-03-15'),
        details: {},
      },
    ]);
    await advanceClock(bank, at('2027-03-17T15:30:00+01:00'));
    const [latest] = (await report()).transactions.booked ?? [];
    expect(latest).toMatchObject({ bookingDate: '2027-03-17', valueDate: '2027-03-16' });
  });

  test('a booked transactionId never changes, and reads the transaction', async () => {
    await payNow('nora', 'shop', '21.10');
    await advanceClock(bank, at('2027-03-16T15:30:00+01:00'));
    const [booked] = (await report()).transactions.booked ?? [];
    await mocks('2027-03-10', '2027-03-16');
    await payNow('nora', 'shop', '5.00');
    await advanceClock(bank, at('2027-04-20'));
    const now = (await report()).transactions.booked ?? [];
    expect(now.filter((item) => item.transactionId === booked?.transactionId)).toEqual([booked]);
    const id = booked?.transactionId ?? '';
    expect(transaction(await readTransaction(bank, request, accountId, id))).toEqual(booked);
  });
});

describe('what is shown of it', () => {
  test('10: a mock transaction tells what it was given, and the text as a list too', async () => {
    const details = {
      remittanceInformationUnstructured: 'Kredittrente',
      creditorId: 'id',
      creditorName: 'Company 123',
      creditorAccount: { bban: '90491105991', iban: 'NO6290491105991' },
      ultimateCreditor: 'Company ABC',
      debtorName: 'Ola',
      debtorAccount: { iban: 'DE89370400440532013000' },
      ultimateDebtor: 'Company CBA',
      purposeCode: 'SALA',
      bankTransactionCode: 'PMNT',
    };
    const day = localDate('2027-03-01');
    const mock = {
      amount: 1n,
      currency: 'NOK' as const,
      bookingDate: day,
      valueDate: localDate('2027-03-02'),
      details,
    };
    await addTransactions(bank, accountId, [mock]);
    expect((await report()).transactions.booked).toEqual([
      {
        transactionId: expect.any(String),
        bookingDate: '2027-03-01',
        valueDate: '2027-03-02',
        transactionAmount: { amount: '0.01', currency: 'NOK' },
        ...details,
        remittanceInformationUnstructuredArray: ['Kredittrente'],
      },
    ]);
  });

  test('opening balances are none, and S5: a deleted one and its reversal are hidden', async () => {
    await advanceClock(bank, at('2027-03-20'));
    await mocks('2027-03-16', '2027-03-17');
    expect(await amounts()).toBe('2.00 1.00 |');
    await deleteTransactions(bank, accountId);
    expect(await amounts()).toBe('|');
  });
});

describe('9.3: which are listed', () => {
  beforeEach(async () => {
    await mocks('2027-01-10', '2027-01-11', '2027-01-12', '2027-03-16');
    await payNow('nora', 'shop', '50.00');
    await advanceClock(bank, at('2027-03-16T13:30:00+01:00'));
  });

  test.each([
    ['both', '4.00 3.00 2.00 1.00 | -50.00'],
    ['booked', '4.00 3.00 2.00 1.00 | none'],
    ['pending', 'none | -50.00'],
  ] as const)('bookingStatus %s: %s', async (bookingStatus, expected) => {
    expect(await amounts({ bookingStatus })).toBe(expected);
  });

  test.each([
    ['2027-01-11', null, '4.00 3.00 2.00 | -50.00'],
    ['2027-01-11', '2027-01-11', '2.00 | -50.00'],
    [null, '2027-01-11', '2.00 1.00 | -50.00'],
    ['2027-01-13', '2027-03-15', '| -50.00'],
    ['2027-03-16', '2028-01-01', '4.00 | -50.00'],
  ])('A9: from %s to %s, both inclusive: %s', async (from, to, expected) => {
    const dateFrom = from === null ? null : localDate(from);
    const dateTo = to === null ? null : localDate(to);
    expect(await amounts({ dateFrom, dateTo })).toBe(expected);
  });

  test.each([
    ['2027-03-17', null, /today, the bank's date/],
    [null, '2026-12-15', /90 days ago/],
    ['2027-02-02', '2027-02-01', /dateFrom 2027-02-02 is after dateTo 2027-02-01/, 'PARAMETER_NOT_CONSISTENT'],
  ])('from %s to %s is PERIOD_INVALID', async (from, to, text, code = 'PERIOD_INVALID') => {
    const dateFrom = from === null ? null : localDate(from);
    const dateTo = to === null ? null : localDate(to);
    const refusal = await refusalOf(amounts({ dateFrom, dateTo }));
    expect(refusal).toMatchObject({ code, path: 'dateFrom', text: expect.stringMatching(text) });
  });

  test('A9: pages hold booked ones; pending ones are on each', async () => {
    expect(await amounts({ limit: 3 })).toBe('4.00 3.00 2.00 | -50.00');
    expect(await amounts({ limit: 3, offset: 3 })).toBe('1.00 | -50.00');
    expect(await amounts({ limit: 3, offset: 9 })).toBe('| -50.00');
  });

  test('H29: the links of a page lead to itself and its neighbours, with the dates it was read with', async () => {
    const path = `/v1/accounts/${accountId}/transactions?bookingStatus=both&dateFrom=2026-12-16`;
    const links = async (offset: number, limit: number) => (await report({ offset, limit })).transactions._links;
    const link = (page: string) => ({ href: `${path}&${page}`, verbs: ['GET'] });
    const linkTo = (limit: number) => {
      const start = `${path}&cursor=`.replaceAll(/[?$!]/g, '\\$&');
      return { href: expect.stringMatching(new RegExp(`^${start}[\\w-]+&limit=${limit}$`)), verbs: ['GET'] };
    };
    expect(await links(0, 3)).toEqual({ self: link('offset=0&limit=3'), next: linkTo(3) });
    expect(await links(3, 3)).toEqual({ self: link('offset=3&limit=3'), previous: linkTo(3) });
    expect(await links(1, 2)).toEqual({ self: link('offset=1&limit=2'), next: linkTo(2), previous: linkTo(1) });
    expect(await links(0, 4)).toEqual({ self: link('offset=0&limit=4') });
  });

  test('a pending transaction cannot be read by id, nor that of another account', async () => {
    const others = await accountIdOf(bank, 'even');
    const both = await consented(bank, 'even');
    const { booked, pending } = await listTransactions(bank, request, accountId, everything);
    const ids = [pending?.[0]?.transactionNumber ?? 0, 1, 999_999].map(transactionIdOf);
    for (const id of [...ids, 'enc!!garbage', '']) {
      const refusal = await refusalOf(readTransaction(bank, request, accountId, id));
      expect(refusal).toMatchObject({ code: 'RESOURCE_UNKNOWN', place: 'path', scaId: null });
    }
    const id = transactionIdOf(booked?.[0]?.transactionNumber ?? 0);
    expect((await refusalOf(readTransaction(bank, both, others, id))).code).toBe('RESOURCE_UNKNOWN');
  });

  test('A7: an old transaction is read by its id in a session only', async () => {
    await advanceClock(bank, at('2027-04-11T12:00:00+02:00'));
    request = await consented(bank, 'nora');
    const booked = (await report({ dateFrom: localDate('2027-01-01') })).transactions.booked ?? [];
    const [id = '', next = ''] = booked
      .slice(-2)
      .map((item) => item.transactionId)
      .reverse();
    expect(await readTransaction(bank, request, accountId, id)).toMatchObject({ bookingDate: '2027-01-10' });
    const later = { ...request, sessionId: null };
    expect(await refusalOf(readTransaction(bank, later, accountId, id))).toMatchObject({
      code: 'CONSENT_INVALID',
      scaId: expect.any(String),
    });
    expect(await readTransaction(bank, later, accountId, next)).toMatchObject({ bookingDate: '2027-01-11' });
  });
});

test('quirk pending-filtered: dates and limit hold for pending ones too', async () => {
  await bank.close();
  await begin('2027-03-16T12:00:00+01:00', { quirks: storedQuirks('pending-filtered') });
  await mocks('2027-01-10', '2027-03-16');
  for (const amount of ['50.00', '60.00']) await payNow('nora', 'shop', amount);
  await advanceClock(bank, at('2027-03-16T13:30:00+01:00'));
  expect(await amounts()).toBe('2.00 1.00 | -60.00 -50.00');
  expect(await amounts({ dateTo: localDate('2027-03-15') })).toBe('1.00 |');
  expect(await amounts({ limit: 1 })).toBe('2.00 | -60.00');
  expect(await amounts({ limit: 1, offset: 1 })).toBe('1.00 | -50.00');
  const { next } = (await report({ bookingStatus: 'pending', limit: 1 })).transactions._links;
  expect(next?.href).toMatch(/bookingStatus=pending&dateFrom=2026-12-16&cursor=[\w-]+&limit=1$/);
});
