import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Shown, statementForEach } from './statement.ts';

/* rules.md Q5, register 34: the order is that of posting. */
const statement = statementForEach();
beforeEach(async () => {
  // Posted last, and of an earlier day.
  await statement.post([-1, -2, -3], '2027-03-10');
});

const amountsOf = (items: readonly Shown[]): string[] => items.map((item) => item.transactionAmount.amount);
const late = ['-3.00', '-2.00', '-1.00'];

describe('Q5h: order', () => {
  test.each([
    ['by default the latest booking date is first', {}, -3],
    ['register 34: the last posted is first', { order: 'posting' }, 0],
  ])('%s', async (_what, quirks, from) => {
    await statement.under(quirks);
    const { booked } = await statement.list();
    expect(amountsOf(booked).slice(from).slice(0, 3)).toEqual(late);
    expect(booked).toHaveLength(20);
  });

  test('register 34, A9c: whoever follows next and previous sees each booked one once, in its order', async () => {
    await statement.under({ order: 'posting' });
    const { booked } = await statement.list();
    const seen: string[] = [];
    let page = await statement.list('bookingStatus=booked&limit=4');
    for (;;) {
      seen.push(...amountsOf(page.booked));
      const { next } = page._links;
      if (next === undefined) break;
      // What is posted meanwhile is not in this list.
      await statement.post([-7], '2027-03-17');
      page = await statement.follow(next);
    }
    expect(seen).toEqual(amountsOf(booked));
    const before = await statement.follow(page._links.previous);
    expect(amountsOf(before.booked)).toEqual(seen.slice(12, 16));
  });

  test('register 34, A9c: a list keeps the order that it began in, whatever is switched meanwhile', async () => {
    for (const [first, then] of [
      [{}, { order: 'posting' }],
      [{ order: 'posting' }, {}],
    ] as const) {
      await statement.under(first);
      const { booked } = await statement.list();
      const one = await statement.list('bookingStatus=booked&limit=15');
      await statement.under(then);
      const two = await statement.follow(one._links.next);
      expect(amountsOf([...one.booked, ...two.booked])).toEqual(amountsOf(booked));
    }
  });

  test('register 34: the dates of a query still choose', async () => {
    await statement.under({ order: 'posting' });
    const { booked } = await statement.list('bookingStatus=booked&dateFrom=2027-03-10&dateTo=2027-03-10');
    expect(amountsOf(booked)).toEqual(late);
  });

  test('register 34: the transactions of a card too, on each page', async () => {
    await statement.postToCard(['-1.00', '-2.00'], '2027-03-10');
    const booked = async () => {
      const first = await statement.cardList('bookingStatus=booked&limit=2');
      return amountsOf([...first.booked, ...(await statement.followCard(first._links.next)).booked]);
    };
    await statement.under({});
    expect(await booked()).toEqual(['1165.50', '-2.00', '-1.00']);
    await statement.under({ order: 'posting' });
    expect(await booked()).toEqual(['-2.00', '-1.00', '1165.50']);
  });
});
