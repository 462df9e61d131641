import { beforeAll, describe, expect, test } from '@jest/globals';
import { statementForAll } from './statement.ts';

/* rules.md Q10: how much of a list a client gets. */
const statement = statementForAll();
beforeAll(async () => {
  await statement.postToCard(['-1.00'], '2027-03-10');
});

describe('Q10: no-next-link', () => {
  /** The names of the links of the first two pages of the account, and of the first of the card. */
  async function linksOfPages(): Promise<string[]> {
    const [first, second] = [0, 2].map((offset) => statement.list(`bookingStatus=booked&limit=2&offset=${offset}`));
    const pages = await Promise.all([first, second, statement.cardList('bookingStatus=booked&limit=1')]);
    return pages.map((page) => Object.keys(page?._links).join(' '));
  }

  test('by default a page names the next one while more follow', async () => {
    await statement.under({});
    expect(await linksOfPages()).toEqual(['self next', 'self next previous', 'self next']);
  });

  test('register 35: no page of an account or a card does', async () => {
    await statement.under({ 'no-next-link': true });
    expect(await linksOfPages()).toEqual(['self', 'self previous', 'self']);
  });

  test('register 35: a client that pages by offset still reads all', async () => {
    await statement.under({});
    const { booked } = await statement.list('bookingStatus=booked');
    await statement.under({ 'no-next-link': true });
    const seen = [];
    for (let offset = 0; offset < booked.length; offset += 6)
      seen.push(...(await statement.list(`bookingStatus=booked&limit=6&offset=${offset}`)).booked);
    expect(seen).toEqual(booked);
  });
});
