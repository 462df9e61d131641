import { describe, expect, test } from '@jest/globals';
import { Statement, statementForAll } from './statement.ts';

/* rules.md Q4. The account has two pending payments of 2027-03-17, the card a purchase of the day before. */
const statement = statementForAll();

const dates = ['bookingDate', 'valueDate', 'transactionDate'];

/** The dates of the pending ones among these: `bookingDate 2027-03-17`. */
function datesOf(items: readonly object[]): string[][] {
  return items.map((item) =>
    Object.entries(item)
      .filter(([name]) => dates.includes(name))
      .map(([name, value]) => `${name} ${value}`)
      .toSorted(),
  );
}

async function pendingDates(): Promise<{ account: string[][]; card: string[][] }> {
  const [list, cards] = [await statement.list(), await statement.cardList()];
  return { account: datesOf(list.pending), card: datesOf(cards.pending) };
}

describe('Q4: pending-dates', () => {
  const [booking, value] = ['bookingDate 2027-03-17', 'valueDate 2027-03-17'];
  const bought = 'transactionDate 2027-03-16';

  test.each([
    ['by default: none on an account, the day of the purchase on a card', {}, [], [bought]],
    ['register 16, 18: none', { 'pending-dates': 'none' }, [], []],
    ['register 14: a bookingDate, which is the day of the call', { 'pending-dates': 'booking' }, [booking], [booking]],
    ['register 15: both', { 'pending-dates': 'both' }, [booking, value], [booking, bought]],
  ])('%s', async (_what, quirks, account, card) => {
    await statement.under(quirks);
    expect(await pendingDates()).toEqual({ account: [account, account], card: [card] });
  });

  test('register 15: the value date of a reservation is the day of the call or the day before', async () => {
    await using own = await Statement.begin();
    await own.under({ 'pending-dates': 'both' });
    for (const valueDate of ['2027-03-10', '2027-03-16', '2027-03-17', '2027-03-22'])
      await own.post([-9], '', { valueDate });
    const { pending } = await own.list();
    const shown = pending.filter(({ transactionAmount }) => transactionAmount.amount === '-9.00');
    const days = shown.map((one) => `${one.bookingDate} ${one.valueDate}`).toSorted();
    const [before, same] = ['2027-03-17 2027-03-16', '2027-03-17 2027-03-17'];
    expect(days).toEqual([before, before, same, same]);
  });

  test('register 14, 15: the booked ones keep their dates', async () => {
    await statement.under({});
    const usual = [await statement.list(), await statement.cardList()];
    await statement.under({ 'pending-dates': 'none' });
    const shown = [await statement.list(), await statement.cardList()];
    expect(shown.map(({ booked }) => booked)).toEqual(usual.map(({ booked }) => booked));
  });
});

describe('Q4: pending-members', () => {
  test('register 16: only dates, amount and text; booked ones keep all', async () => {
    await statement.under({});
    const usual = [await statement.list(), await statement.cardList()];
    await statement.under({ 'pending-members': 'bare' });
    const [list, cards] = [await statement.list(), await statement.cardList()];
    const amount = { amount: '-14.00', currency: 'NOK' };
    expect(list.pending[1]).toEqual({
      transactionAmount: amount,
      remittanceInformationUnstructured: 'Strøm',
      remittanceInformationUnstructuredArray: ['Strøm'],
    });
    expect(cards.pending).toEqual([
      {
        transactionDate: '2027-03-16',
        transactionAmount: { amount: '1165.50', currency: 'NOK' },
        transactionDetails: 'Farmacia',
      },
    ]);
    expect([list.booked, cards.booked]).toEqual(usual.map(({ booked }) => booked));
    expect(usual.map(({ pending }) => Object.keys(pending[0]).length)).toEqual([6, 9]);
  });

  test('register 15, 16: with the dates of pending-dates', async () => {
    await statement.under({ 'pending-members': 'bare', 'pending-dates': 'both' });
    const [list, cards] = [await statement.list(), await statement.cardList()];
    const names = [...list.pending, ...cards.pending].map((item) => Object.keys(item).toSorted().join(' '));
    const texts = 'remittanceInformationUnstructured remittanceInformationUnstructuredArray';
    expect(names).toEqual([
      'bookingDate transactionAmount valueDate',
      `bookingDate ${texts} transactionAmount valueDate`,
      'bookingDate transactionAmount transactionDate transactionDetails',
    ]);
  });
});

describe('what the default does already', () => {
  const query = 'bookingStatus=both&limit=1';

  test('register 13: a pending transaction has no id', async () => {
    await statement.under({});
    const { pending, booked } = await statement.list();
    expect(pending.map((item) => 'transactionId' in item)).toEqual([false, false]);
    expect(booked.every((item) => 'transactionId' in item)).toBe(true);
  });

  test.each([
    ['page', `${query}&offset=2`],
    ['page without booked ones', `${query}&offset=99`],
    ['range', `${query}&dateFrom=2027-01-01&dateTo=2027-01-02`],
  ])('register 18: every %s has all pending ones', async (_what, narrow) => {
    await statement.under({});
    const { pending } = await statement.list();
    expect((await statement.list(narrow)).pending).toEqual(pending);
    expect(pending).toHaveLength(2);
  });
});
