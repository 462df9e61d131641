import { beforeEach, describe, expect, test } from '@jest/globals';
import { answer, openPage } from '../sca/pages.ts';
import { cards, consentedHeaders, purchase, sandboxCards, scriptedCard } from './card-client.ts';
import { testBankForEach } from '../support/test-bank.ts';

const bank = testBankForEach('2027-03-24T12:00:00+01:00');
let headers: Record<string, string | null>;
let card: string;

beforeEach(async () => {
  card = (await bank.signed('POST', sandboxCards, { body: scriptedCard })).body.resourceId;
  const pending = ['2027-03-23', '2027-03-22', '2027-02-01'].map((date, index) => ({
    ...purchase,
    cardTransactionId: `pending-${index}`,
    bookingDate: '',
    transactionDate: date,
  }));
  await bank.signed('POST', `${sandboxCards}/${card}/transactions`, { body: [purchase, ...pending] });
  headers = await consentedHeaders(bank);
});

const get = (path: string) => bank.signed('GET', `${cards}${path}`, { headers });

describe('real-api-facts 9.5: card accounts', () => {
  test('a consent covers them, and the list has them as the banks print them', async () => {
    const { status, body } = await get('');
    expect([status, body.cardAccounts.length]).toEqual([200, 2]);
    expect(body.cardAccounts[1]).toEqual({
      resourceId: card,
      maskedPan: '1234xxxxxxxx4321',
      currency: 'NOK',
      product: 'Basic Credit',
      name: 'Kredittkort',
      creditLimit: { amount: '20000.00', currency: 'NOK' },
      _links: {
        self: { href: `${cards}/${card}`, verbs: ['GET'] },
        balances: { href: `${cards}/${card}/balances`, verbs: ['GET'] },
        transactions: { href: `${cards}/${card}/transactions?bookingStatus=both`, verbs: ['GET'] },
      },
    });
    expect((await get(`/${card}`)).body.cardAccount).toEqual(body.cardAccounts[1]);
  });

  test('forwardAvailable is the credit limit and all that was bought, pending too', async () => {
    // 20000.00 - 500.00 - 4 x 1165.50
    const balances = [{ balanceAmount: { amount: '14838.00', currency: 'NOK' }, balanceType: 'forwardAvailable' }];
    const { body } = await get(`/${card}/balances`);
    expect(body).toEqual({
      cardAccount: { maskedPan: '1234xxxxxxxx4321' },
      balances,
      _links: { self: { href: `${cards}/${card}/balances`, verbs: ['GET'] } },
    });
    expect((await get(`/${card}?withBalance=true`)).body.cardAccount.balances).toEqual(balances);
    expect((await get('?withBalance=true')).body.cardAccounts[1].balances).toEqual(balances);
  });

  test('the amounts are the right way round: transactionAmount is what the card is charged', async () => {
    const { body } = await get(`/${card}/transactions?bookingStatus=booked`);
    expect(body.cardTransactions.booked).toEqual([
      expect.objectContaining({
        cardTransactionId: 'purchase-1',
        bookingDate: '2027-03-20',
        transactionDate: '2027-03-18',
        transactionAmount: { amount: '1165.50', currency: 'NOK' },
        originalAmount: { amount: '100.00', currency: 'EUR' },
        invoiced: true,
        transactionDetails: 'Supermercado',
      }),
    ]);
    expect(body.cardTransactions).not.toHaveProperty('pending');
  });

  test('A9: pending ones are filtered by date and limit, unlike those of an account', async () => {
    const ids = async (query: string) => {
      const { body } = await get(`/${card}/transactions?bookingStatus=pending&${query}`);
      return body.cardTransactions.pending.map((each: Record<string, string>) => each['cardTransactionId']);
    };
    expect(await ids('limit=10')).toEqual(['pending-0', 'pending-1', 'pending-2']);
    expect(await ids('dateFrom=2027-03-01')).toEqual(['pending-0', 'pending-1']);
    expect(await ids('dateFrom=2027-01-01&dateTo=2027-03-22&limit=1')).toEqual(['pending-1']);
    expect(await ids('limit=1&offset=2')).toEqual(['pending-2']);
  });

  test('A9c: next goes on in both lists of the first page, and the last has none, whatever is posted and deleted meanwhile', async () => {
    const post = (changes: readonly object[]) => {
      const body = changes.map((change) => ({ ...purchase, ...change }));
      return bank.signed('POST', `${sandboxCards}/${card}/transactions`, { body });
    };
    const booked = ['2027-03-19', '2027-03-18', '2027-03-18'].map((bookingDate, index) => {
      return { cardTransactionId: `booked-${index}`, bookingDate };
    });
    await post(booked);
    const idsOf = (list: readonly Record<string, string>[] = []) => list.map((each) => each['cardTransactionId']);
    const pages: unknown[] = [];
    let path = `${cards}/${card}/transactions?limit=1`;
    for (let page = 0; path !== ''; page += 1) {
      const { cardTransactions } = (await bank.signed('GET', path, { headers })).body;
      pages.push([...idsOf(cardTransactions.booked), ...idsOf(cardTransactions.pending)]);
      path = cardTransactions._links.next?.href ?? '';
      const days = ['2027-03-20', '2027-03-18', '2027-03-01'];
      await post(days.map((bookingDate) => ({ cardTransactionId: `late-${page}-${bookingDate}`, bookingDate })));
      await post([{ cardTransactionId: `late-${page}`, bookingDate: '', transactionDate: '2027-03-20' }]);
      if (page === 0) await bank.signed('DELETE', `${sandboxCards}/${card}/transactions/purchase-1`);
      if (page === 1) await bank.signed('DELETE', `${sandboxCards}/${card}/transactions/booked-2`);
    }
    expect(pages).toEqual([
      ['purchase-1', 'pending-0'],
      ['booked-0', 'pending-1'],
      ['booked-1', 'pending-2'],
    ]);
  });

  test('register 34, A9c: in the order of posting, whoever follows next sees each booked one once', async () => {
    await bank.quirks({ order: 'posting' });
    const body = ['2027-03-19', '2027-03-17', '2027-03-18'].map((bookingDate, index) => {
      return { ...purchase, cardTransactionId: `posted-${index}`, bookingDate };
    });
    await bank.signed('POST', `${sandboxCards}/${card}/transactions`, { body });
    const seen: string[] = [];
    for (let path = `${cards}/${card}/transactions?bookingStatus=booked&limit=1`; path !== '' && seen.length < 30;) {
      const { cardTransactions } = (await bank.signed('GET', path, { headers })).body;
      seen.push(...cardTransactions.booked.map((each: Record<string, string>) => each['cardTransactionId']));
      path = cardTransactions._links.next?.href ?? '';
    }
    await bank.quirks({});
    expect(seen.slice(0, 3)).toEqual(['posted-2', 'posted-1', 'posted-0']);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('D3d: one with a booking date to come is pending until 00:00 of that day, by its transaction date', async () => {
    const later = { ...purchase, cardTransactionId: 'later', bookingDate: '2027-03-25', transactionDate: '2027-03-21' };
    const added = await bank.signed('POST', `${sandboxCards}/${card}/transactions`, { body: [later] });
    expect([added.status, added.body]).toMatchObject([201, [{ bookingDate: '2027-03-25' }]]);
    const read = async (day: string) => {
      const { body } = await get(`/${card}/transactions?dateFrom=${day}&dateTo=${day}`);
      return [body.cardTransactions.booked, body.cardTransactions.pending];
    };
    const [, [shown]] = await read('2027-03-21');
    expect([shown.cardTransactionId, shown.bookingDate]).toEqual(['later', undefined]);
    expect(await read('2027-03-25')).toEqual([[], []]);
    await bank.advance({ to: '2027-03-25T00:00:00+01:00' });
    expect(await read('2027-03-21')).toEqual([[], []]);
    expect(await read('2027-03-25')).toMatchObject([[{ cardTransactionId: 'later', bookingDate: '2027-03-25' }], []]);
  });

  test('A9b: the dates of a card filter pending transactions too, and are judged', async () => {
    const reply = await get(`/${card}/transactions?bookingStatus=pending&dateFrom=2027-03-02&dateTo=2027-03-01`);
    expect([reply.status, reply.body.tppMessages[0].code]).toEqual([400, 'PARAMETER_NOT_CONSISTENT']);
  });

  test('A8: without the PSU a card is read four times in 24 hours, and 90 days back', async () => {
    headers = { ...headers, 'psu-ip-address': null };
    for (const path of [`/${card}/balances`, `/${card}/transactions`]) {
      for (let call = 0; call < 4; call++) expect((await get(path)).status).toBe(200);
      const fifth = await get(path);
      expect([fifth.status, fifth.body.tppMessages[0].code]).toEqual([429, 'ACCESS_EXCEEDED']);
    }
    expect((await get(`/${card}/transactions?dateFrom=2026-12-01`)).body.tppMessages[0].code).toBe('PERIOD_INVALID');
  });

  test('A7: a card outside the consent is RESOURCE_UNKNOWN, one that is not there too', async () => {
    const { body } = await bank.signed('GET', sandboxCards);
    headers = await consentedHeaders(bank, [card]);
    for (const id of [body[0].resourceId, 'enc!!none']) {
      for (const path of [`/${id}`, `/${id}/balances`, `/${id}/transactions`]) {
        const reply = await get(path);
        expect([reply.status, reply.body.tppMessages[0].code]).toEqual([404, 'RESOURCE_UNKNOWN']);
      }
    }
  });

  test('interface, PSU identification 9: the page offers cards by their masked number beside the accounts', async () => {
    const offer = await bank.signed('POST', '/v1/bank-offered-consents', {
      headers: { 'x-psu-identity': '13039319955' },
    });
    const first = await openPage(offer.body._links.scaRedirect.href);
    const page = await answer(first, { action: 'identify', psu: '13039319955' });
    const text = await page.text();
    expect(text).toContain('1234xxxxxxxx4321');
    expect(text).toContain('123456******1234');
  });
});
