import { describe, expect, test } from '@jest/globals';
import '../../api/harness/jest.ts';
import { judgeReader } from '../../api/harness/index.ts';
import type { BookEntry, Night, ReadBookedTransaction } from '../../api/harness/types.ts';

/* Programs that read an account each night, and what the judge says of their books (docs/tests.md). */

interface Kept {
  books: Map<string, BookEntry>;
}

type Key = (one: ReadBookedTransaction, night: number) => string;

/** Reads all days each night, and keeps what has another key. `isFirstKept`: a known one stays as it was first. */
function keeping(keyOf: Key, { isFirstKept = false } = {}) {
  return async ({ reader, account, state }: Night<Kept>): Promise<BookEntry[]> => {
    state.books ??= new Map();
    const { booked } = await reader.transactions(account, { from: '2027-01-04' });
    for (const one of booked) {
      const key = keyOf(one, state.books.size);
      if (!isFirstKept || !state.books.has(key)) state.books.set(key, one);
    }
    return [...state.books.values()];
  };
}

const byId: Key = ({ transactionId = '' }) => transactionId;
/** A bank with one habit. */
const bankWith = (quirks: object): object => ({
  id: 'one-habit',
  name: 'One Habit',
  group: 'none',
  quality: 'name only',
  settings: {},
  quirks,
  facts: [],
  unknown: [],
});

describe('DW12: the judge of a reader', () => {
  test('a program that knows transactions by their ids has each once where ids stay', async () => {
    const judged = await judgeReader(keeping(byId), { profiles: ['obos-banken', bankWith({})], days: 12 });
    expect(judged.map(({ line }) => line.replace(/\d+/, 'N'))).toEqual([
      'obos-banken: N transactions, each once',
      'one-habit: N transactions, each once',
    ]);
    expect(judged[0]?.transactions).toBeGreaterThan(20);
    await expect(judged).toBookEachOnce();
  });

  test('doubled: ids are reissued, and the line names the habit and the first transaction', async () => {
    const [judged] = await judgeReader(keeping(byId), { profiles: ['sparebank1-ostlandet'], days: 10 });
    expect([judged?.lost, judged?.changed]).toEqual([[], []]);
    const [first] =
      judged?.doubled.toSorted((one, other) =>
        String(one.transaction?.bookingDate) < String(other.transaction?.bookingDate) ? -1 : 1,
      ) ?? [];
    expect(first?.habit).toBe('reissued-ids');
    expect(first?.entries.length).toBeGreaterThan(1);
    expect(judged?.line).toMatch(/^sparebank1-ostlandet: \d+ doubled, first 4 January .+ [−\d.]+ \(reissued ids\)$/);
    await expect(expect([judged]).toBookEachOnce()).rejects.toThrow(judged?.line);
  });

  test('changed: the bank rewrites a text, and the books have the first one', async () => {
    const profiles = [bankWith({ 'rewritten-texts': 'P1D' })];
    const [judged] = await judgeReader(keeping(byId, { isFirstKept: true }), { profiles, days: 5 });
    expect([judged?.lost, judged?.doubled]).toEqual([[], []]);
    expect(judged?.changed[0]).toMatchObject({ habit: 'rewritten-texts', entries: [expect.anything()] });
    const [updated] = await judgeReader(keeping(byId), { profiles, days: 5 });
    expect(updated?.line).toMatch(/each once$/);
  });

  test('lost: the program drops a transaction, and no habit has done it', async () => {
    const keyOf: Key = ({ bookingDate }) => bookingDate;
    const [judged] = await judgeReader(keeping(keyOf), { profiles: ['sparebank1-ostlandet'], days: 4 });
    const { transactions = 0, lost = [] } = judged ?? {};
    expect(transactions - lost.length).toBeLessThanOrEqual(4);
    expect(lost[0]).toMatchObject({ habit: null, entries: [] });
    expect(judged?.line).toMatch(/^sparebank1-ostlandet: \d+ lost, first 4 January .+ \(without the habits too\)$/);
  });

  test('lost by a habit: a program that trusts the link to the next page reads the first one', async () => {
    const read = async ({ reader, account, state }: Night<Kept>): Promise<BookEntry[]> => {
      state.books ??= new Map();
      for (const one of (await reader.transactions(account)).booked) state.books.set(byId(one, 0), one);
      return [...state.books.values()];
    };
    const profiles = [bankWith({ 'limit-cap': '2', 'no-next-link': true, 'plain-json': true })];
    const [judged] = await judgeReader(read, { profiles, days: 4 });
    // Both of two do it together, and without the first it does not happen.
    expect(judged?.lost[0]?.habit).toBe('limit-cap');
  });

  test('books without ids and texts are compared by date and amount, and an invented entry is changed', async () => {
    const read = async (night: Night<Kept>): Promise<BookEntry[]> => {
      const all = await keeping(byId)(night);
      const plain = all.map(({ bookingDate, transactionAmount }) => ({ bookingDate, transactionAmount }));
      return [...plain, { bookingDate: '2027-01-05', transactionAmount: { amount: '-0.01', currency: 'NOK' } }];
    };
    const [judged] = await judgeReader(read, { profiles: [bankWith({})], days: 3 });
    expect([judged?.lost, judged?.doubled, judged?.changed.length]).toEqual([[], [], 1]);
    expect(judged?.changed[0]).toMatchObject({ transaction: null, habit: null });
    expect(judged?.line).toBe('one-habit: 1 changed, first 5 January −0.01 (without the habits too)');
  });

  test('DW12: without profiles, the banks of which most is known are read; every-habit is no bank', async () => {
    const judged = await judgeReader(() => [], { days: 1 });
    expect(judged.map(({ profile }) => profile)).toEqual(['bien-sparebank', 'sparebank1-sor-norge-sr']);
  });

  test('each bank begins with an empty state, and each program is told the day that ends', async () => {
    const told: unknown[] = [];
    const read = ({ day, account, state }: Night<{ nights: number }>): BookEntry[] => {
      state.nights = (state.nights ?? 0) + 1;
      told.push([day, account, state.nights]);
      return [];
    };
    await judgeReader(read, { profiles: [bankWith({}), bankWith({})], days: 2, from: '2027-03-27' });
    const once = [
      ['2027-03-27', '09232911044', 1],
      ['2027-03-28', '09232911044', 2],
    ];
    expect(told).toEqual([...once, ...once]);
  });

  test.each<[string, unknown, object, RegExp]>([
    ['no function', 'books', {}, /^judgeReader takes a function that reads, and got "books"/],
    ['an unknown option', () => [], { profile: 'x' }, /^judgeReader has no option profile; the nearest is profiles/],
    ['no day', () => [], { days: 0 }, /^judgeReader takes 1 to 1000 days, and got 0/],
    ['an unknown persona', () => [], { persona: 'nobody' }, /^judgeReader: .*persona/],
    [
      'no list',
      () => 7,
      {},
      /has to return a list of \{bookingDate, transactionAmount, ...\} at bien-sparebank, in the/,
    ],
    [
      'a program that fails',
      () => Promise.reject(new Error('no network')),
      {},
      /^judgeReader: the program failed at bien-sparebank, in the night of 2027-01-04: no network$/,
    ],
  ])('%s is told', async (_, read, options, message) => {
    const all = { profiles: ['bien-sparebank'], days: 1, ...options };
    await expect(judgeReader(read as never, all as never)).rejects.toThrow(message);
  });
});
