import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { storedQuirks } from '../../engine/bank/bank-context.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import type { AccountRequest } from '../../engine/consents/account-access.ts';
import { listTransactions, type TransactionReport } from '../../engine/consents/list-transactions.ts';
import { resetBank, restoreSnapshot, setClock } from '../../engine/reset-and-restore.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { initializeSandbox } from '../../engine/sandbox-data/create-known-state.ts';
import { addTransactions, deleteTransaction } from '../../engine/accounts/mock-transactions.ts';
import { transactionIdOf, type ReportQuery } from '../../engine/accounts/rules/transaction-list.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { paySigned } from '../lab/payments.ts';
import { accountIdOf, consented, everything, otherTpp, refusalOf } from '../lab/consented.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

const now = '2027-03-16T12:00:00+01:00';
let bank: Bank;
let request: AccountRequest;
let account: string;

async function begin(options: Parameters<typeof memoryBank>[1] = {}): Promise<void> {
  bank = await memoryBank(now, options);
  await beginReading();
  await post('2027-03-10', '2027-03-11', '2027-03-12', '2027-03-13', '2027-03-14', '2027-03-15');
}

async function beginReading(): Promise<void> {
  request = await consented(bank, 'nora');
  account = await accountIdOf(bank, 'nora');
}

beforeEach(() => begin());
afterEach(() => bank.close());

/** Mock transactions of 10.00, 11.00, ...: as many kroner as the day of the month. Returns their ids. */
async function post(...days: readonly string[]): Promise<string[]> {
  const wanted = days.map((day) => {
    const amount = BigInt(day.slice(-2)) * 100n;
    return { amount, currency: 'NOK', bookingDate: localDate(day), valueDate: localDate(day), details: {} } as const;
  });
  const posted = await addTransactions(bank, account, wanted);
  return posted.map(({ transactionNumber }) => transactionIdOf(transactionNumber));
}

function read(change: Partial<ReportQuery> = {}): Promise<TransactionReport> {
  return listTransactions(bank, request, account, { ...everything, limit: 2, ...change });
}

/** The kroner of what is booked, a bar, of what is pending. */
function kroner({ booked, pending }: TransactionReport): string {
  const list = (items: typeof booked) => items?.map(({ amount }) => String(amount.minor / 100n)).join(' ') ?? 'none';
  return `${list(booked)} | ${list(pending)}`.trim();
}

/** The rest of a list, a page after the other. */
async function rest(cursor: string | null): Promise<string[]> {
  if (cursor === null) return [];
  const page = await read({ cursor });
  return [kroner(page), ...(await rest(page.next))];
}

async function payNow(amount: string): Promise<void> {
  await paySigned(bank, { from: 'nora', to: 'shop', amount });
}

describe('A9c: next goes on in the list that the first page had', () => {
  test('A9c: what is posted and booked between two pages moves nothing', async () => {
    await payNow('50.00');
    await advanceClock(bank, at('2027-03-16T13:30:00+01:00'));
    const first = await read();
    expect(kroner(first)).toBe('15 14 | -50');
    await payNow('60.00');
    await advanceClock(bank, at('2027-03-16T15:30:00+01:00'));
    await post('2027-03-12', '2027-03-16', '2027-03-10');
    // Page one showed 50.00 as pending: it is not added, and pending items stand on every page.
    expect(await rest(first.next)).toEqual(['13 12 | -60', '11 10 | -60']);
    expect(kroner(await read({ limit: 9 }))).toBe('16 -50 15 14 13 12 12 11 10 | -60');
  });

  test('A9c: the limit may change, and previous leads back in the same list', async () => {
    const first = await read();
    await post('2027-03-16', '2027-03-15');
    const second = await read({ cursor: first.next, limit: 3 });
    expect(kroner(second)).toBe('13 12 11 |');
    expect(kroner(await read({ cursor: second.next, limit: 3 }))).toBe('10 |');
    expect(second.previous).not.toBeNull();
    const back = await read({ cursor: second.previous, limit: 2 });
    expect([kroner(back), back.previous]).toEqual(['15 14 |', null]);
    expect(kroner(await read({ cursor: back.next }))).toBe('13 12 |');
  });

  test('A9c: after a deletion on an earlier page, previous repeats rows of the page that it leads back from', async () => {
    const first = await read();
    const second = await read({ cursor: first.next });
    expect([kroner(first), kroner(second)]).toEqual(['15 14 |', '13 12 |']);
    await deleteTransaction(bank, account, transactionIdOf(first.booked?.[0]?.transactionNumber ?? 0));
    expect(kroner(await read({ cursor: second.previous }))).toBe('14 13 |');
  });

  test('A9: offset is still taken, and its next is a cursor', async () => {
    const { next } = await read({ offset: 3 });
    await post('2027-03-16');
    expect(await rest(next)).toEqual(['10 |']);
    expect((await read({ offset: 5 })).next).toBeNull();
  });

  test('A9c: after midnight the list is the same, and needs no session that its first page did not need', async () => {
    await post('2026-12-16');
    request = { ...request, sessionId: null };
    const first = await read({ limit: 6 });
    await advanceClock(bank, at('2027-03-18T12:00:00+01:00'));
    expect(await rest(first.next)).toEqual(['16 |']);
    expect((await refusalOf(read({ dateFrom: localDate('2026-12-16') }))).code).toBe('CONSENT_INVALID');
  });

  test('A7: a list that needed a session needs one on every page', async () => {
    await post('2026-12-15');
    const { next } = await read({ dateFrom: localDate('2026-12-15'), limit: 6 });
    expect(kroner(await read({ cursor: next }))).toBe('15 |');
    await advanceClock(bank, at('2027-03-16T13:30:00+01:00'));
    expect((await refusalOf(read({ cursor: next }))).code).toBe('CONSENT_INVALID');
  });

  test('A9c: under the quirk pending-filtered pending ones are paged by it too', async () => {
    await bank.close();
    await begin({ quirks: storedQuirks('pending-filtered') });
    for (const amount of ['50.00', '60.00', '70.00']) await payNow(amount);
    await advanceClock(bank, at('2027-03-16T13:30:00+01:00'));
    // S8b: reservations, the second of them on a later value date; they have keys of their own.
    const reserved = (['16', '17', '16'] as const).map((day, index) => {
      const [amount, valueDate] = [-(80n + BigInt(index)) * 100n, localDate(`2027-03-${day}`)];
      return { amount, currency: 'NOK', bookingDate: null, valueDate, details: {} } as const;
    });
    await addTransactions(bank, account, reserved);
    const first = await read({ limit: 1 });
    expect(kroner(first)).toBe('15 | -82');
    const pages = [];
    for (let page = first; page.next !== null; pages.push(kroner(page)))
      page = await read({ cursor: page.next, limit: 1 });
    expect(pages).toEqual(['14 | -80', '13 | -70', '12 | -60', '11 | -50', '10 |']);
    const { next } = await read({ bookingStatus: 'pending', limit: 4 });
    expect(kroner(await read({ bookingStatus: null, cursor: next }))).toBe('none | -50');
  });
});

describe('A9d: a cursor ends', () => {
  const unknown = { code: 'PARAMETER_NOT_CONSISTENT', path: 'cursor', scaId: null };

  test.each([
    ['a reset', () => resetBank(bank)],
    ['an initialize', () => initializeSandbox(bank)],
    ['a restore', () => restoreSnapshot(bank, 'before')],
    ['a second restore', () => restoreSnapshot(bank, 'before').then(() => restoreSnapshot(bank, 'before'))],
    ['a clock that goes back', () => setClock(bank, { now: at('2027-03-16'), mode: null, rate: null })],
  ])('A9d: with %s', async (_what, end) => {
    await saveSnapshot(bank, 'before');
    const { next } = await read();
    await end();
    await beginReading();
    expect(await refusalOf(read({ cursor: next }))).toMatchObject(unknown);
    // With seeded ids TPP, PSU-ID and account are the same again.
    await bank.close();
    bank = await memoryBank(now, { ids: { seed: 'cursor' } });
    await beginReading();
    await saveSnapshot(bank, 'before');
    await post('2027-03-10', '2027-03-11', '2027-03-12');
    const seeded = await read();
    expect(seeded.next).not.toBeNull();
    await end();
    await beginReading();
    expect(await refusalOf(read({ cursor: seeded.next }))).toMatchObject(unknown);
  });

  test('A9d: not with a restart, and not with a snapshot that is taken', async () => {
    try {
      await bank.close();
      const ledger = join(folder, 'ledger.sqlite');
      await begin({ ledger });
      const { next } = await read();
      await saveSnapshot(bank, 'taken');
      await bank.close();
      bank = await memoryBank(now, { ledger });
      expect(await rest(next)).toEqual(['13 12 |', '11 10 |']);
    } finally {
      await bank.close();
      await begin();
    }
  });

  test('A9d: two banks know no cursor of each other, though they begin as copies of one prepared ledger', async () => {
    const { next } = await read();
    await bank.close();
    await begin();
    expect(await refusalOf(read({ cursor: next }))).toMatchObject(unknown);
  });

  test('A9d: one of another account or TPP is unknown', async () => {
    const { next } = await read();
    const mine = { request, account };
    account = await accountIdOf(bank, 'savings');
    expect(await refusalOf(read({ cursor: next }))).toMatchObject(unknown);
    account = mine.account;
    request = await consented(bank, 'nora', { tpp: otherTpp });
    expect(await refusalOf(read({ cursor: next }))).toMatchObject(unknown);
    request = mine.request;
    expect(kroner(await read({ cursor: next }))).toBe('13 12 |');
  });

  test('A9d: and so is one that was changed in any place, or is none', async () => {
    const { next } = await read();
    const cursor = next ?? '';
    const changed = Array.from(cursor, (letter, index) => {
      return `${cursor.slice(0, index)}${letter === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`;
    });
    // Of the last letter only some bits count.
    const others = [
      '',
      'x',
      'null',
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      `${cursor} `,
      '%00',
      'e30',
    ];
    for (const each of [...changed, ...others, cursor.repeat(20)]) {
      expect(await refusalOf(read({ cursor: each }))).toMatchObject(unknown);
    }
  });

  test.each<[string, Partial<ReportQuery>, string]>([
    ['offset', { offset: 2 }, 'offset'],
    ['another bookingStatus', { bookingStatus: 'booked' }, 'bookingStatus'],
    ['another dateFrom', { dateFrom: localDate('2027-03-01') }, 'dateFrom'],
    ['a dateTo', { dateTo: localDate('2027-03-16') }, 'dateTo'],
  ])('A9c: beside a cursor %s is PARAMETER_NOT_CONSISTENT', async (_what, change, path) => {
    const { next } = await read();
    expect(await refusalOf(read({ cursor: next, ...change }))).toMatchObject({ ...unknown, path });
  });

  test('A9c: what the link says beside it may be sent or left out', async () => {
    const { next, place } = await read({ bookingStatus: 'booked', dateTo: localDate('2027-03-14') });
    const { dateFrom, dateTo } = place;
    for (const beside of [{ bookingStatus: null }, { bookingStatus: 'booked', dateFrom, dateTo, offset: 0 }] as const) {
      const page = await read({ cursor: next, ...beside });
      expect(kroner(page)).toBe('12 11 | none');
    }
  });
});
