import { describe, expect, test } from '@jest/globals';
import { debtorBban, singlePath, singlePayment } from '../lab/bodies.ts';
import { testBank } from '../support/test-bank.ts';

const psu = '13039319955';
const id = expect.stringMatching(/^enc!![\w-]+==$/);
const scaRedirect = { href: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sca\/[\w-]{32}$/), verbs: ['GET'] };

const bank = testBank('2027-03-16T12:00:00+01:00');
let headers: Record<string, string>;
let account: string;

const get = (target: string, more: Record<string, string | null> = headers) => {
  return bank.signed('GET', target, { headers: more });
};

describe('from no consent to transactions', () => {
  test('E1: without PSU-ID the list of accounts is 401 CONSENT_INVALID with scaRedirect', async () => {
    const answer = await get('/v1/accounts', {});
    expect(answer).toMatchObject({
      status: 401,
      body: { tppMessages: [{ category: 'ERROR', code: 'CONSENT_INVALID' }], _links: { scaRedirect } },
    });
    const redirect = await bank.approve(answer.body, psu);
    headers = { 'psu-id': redirect.searchParams.get('psu-id') ?? '' };
    expect(await get('/v1/accounts')).toMatchObject({ status: 200 });
  });

  test.each(['/v1/bank-offered-consents', '/v1/consents'])('8: POST %s offers an SCA', async (path) => {
    const answer = await bank.signed('POST', path, { headers: { 'psu-context': 'PRIVATE' } });
    expect(answer).toMatchObject({ status: 201, body: { _links: { scaRedirect } } });
    expect(Object.keys(answer.body)).toEqual(['_links']);
    expect(answer.headers.get('deprecation')).toBe(path === '/v1/consents' ? '@1707091200' : null);
    expect(await bank.signed('POST', path, { headers: { 'tpp-redirect-uri': null } })).toMatchObject({
      status: 400,
      body: { tppMessages: [{ code: 'HTTP_HEADER_REQUIRED', path: 'tpp-redirect-uri' }] },
    });
  });

  test('9.1: the accounts, with links that can be followed as they are', async () => {
    const list = await get('/v1/accounts');
    expect(Object.keys(list.body)).toEqual(['accounts']);
    const [first] = list.body.accounts;
    account = `/v1/accounts/${first.resourceId}`;
    expect(first).toEqual({
      resourceId: id,
      bban: debtorBban,
      iban: 'NO7809232911044',
      currency: 'NOK',
      name: 'Totalkonto',
      product: 'Brukskonto',
      cashAccountType: 'CACC',
      bic: 'SBNKNO20',
      _links: {
        self: { href: account, verbs: ['GET'] },
        balances: { href: `${account}/balances`, verbs: ['GET'] },
        transactions: { href: `${account}/transactions?bookingStatus=both`, verbs: ['GET'] },
      },
    });
    for (const { href } of Object.values<{ href: string }>(first._links)) {
      expect(await get(href)).toMatchObject({ status: 200 });
      expect(await get(`/api-sandbox${href}`)).toMatchObject({ status: 200 });
    }
    expect((await get(account)).body).toEqual({ account: first });
  });

  test('9.1, 9.2: balances, alone and with the accounts', async () => {
    const types = ['openingBooked', 'interimBooked', 'interimAvailable', 'expected'];
    const balances = types.map((balanceType) => {
      return { balanceAmount: { amount: '18000.00', currency: 'NOK' }, balanceType };
    });
    expect(await get(`${account}/balances`)).toMatchObject({ status: 200 });
    expect((await get(`${account}/balances`)).body).toEqual({
      account: { bban: debtorBban, iban: 'NO7809232911044', currency: 'NOK' },
      balances,
      _links: { self: { href: `${account}/balances`, verbs: ['GET'] } },
    });
    expect((await get('/v1/accounts?withBalance=true')).body.accounts[0].balances).toEqual(balances);
    expect((await get(`${account}?withBalance=true`)).body.account.balances).toEqual(balances);
  });

  test('9.3, 9.4: a payment becomes a pending and then a booked transaction', async () => {
    const text = { remittanceInformationUnstructured: 'Kredittrente' };
    const single = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
    const payment = await bank.signed('POST', singlePath, { body: singlePayment(text), headers: single });
    await bank.approve(payment.body, psu);
    await bank.advance({ runs: 1 });
    const { booked, pending } = (await get(`${account}/transactions`)).body.transactions;
    expect([booked, pending.length, pending[0].transactionAmount.amount]).toEqual([[], 1, '-100.00']);
    await bank.advance({ runs: 1 });
    const list = await get(`${account}/transactions?bookingStatus=booked&limit=10`);
    const self = `${account}/transactions?bookingStatus=booked&dateFrom=2026-12-16&offset=0&limit=10`;
    expect(list.body).toEqual({
      account: { bban: debtorBban, iban: 'NO7809232911044' },
      transactions: {
        booked: [
          {
            transactionId: id,
            bookingDate: '2027-03-16',
            valueDate: '2027-03-16',
            transactionAmount: { amount: '-100.00', currency: 'NOK' },
            creditorName: 'Company 123',
            creditorAccount: { bban: '90491105991', iban: 'NO6290491105991' },
            debtorName: 'Test Testperson 3',
            debtorAccount: { bban: debtorBban, iban: 'NO7809232911044' },
            remittanceInformationUnstructured: 'Kredittrente',
            remittanceInformationUnstructuredArray: ['Kredittrente'],
          },
        ],
        _links: { self: { href: self, verbs: ['GET'] } },
      },
    });
    const [transaction] = list.body.transactions.booked;
    for (const path of [transaction.transactionId, encodeURIComponent(transaction.transactionId)]) {
      const details = await get(`${account}/transactions/${path}`);
      expect(details).toMatchObject({ status: 200, body: { transactionsDetails: transaction } });
    }
  });
});

describe('refusals on the wire', () => {
  test('an account outside the consent is 404, a transaction 403', async () => {
    const unknown = { tppMessages: [{ code: 'RESOURCE_UNKNOWN' }] };
    for (const path of ['', '/balances', '/transactions', '/transactions/enc!!none']) {
      expect(await get(`/v1/accounts/enc!!none${path}`)).toMatchObject({ status: 404, body: unknown });
    }
    expect(await get(`${account}/transactions/enc!!none`)).toMatchObject({ status: 403, body: unknown });
  });

  test.each([
    ['2027-03-02', '2027-03-01'],
    // Before any bound: 90 days without the session, and today.
    ['2026-02-02', '2026-02-01'],
    ['2031-01-02', '2031-01-01'],
  ])('A9b: dateFrom %s after dateTo %s is PARAMETER_NOT_CONSISTENT', async (from, to) => {
    const without = { ...headers, 'tpp-session-id': null };
    for (const status of ['booked', 'both']) {
      const dates = `dateFrom=${from}&dateTo=${to}`;
      expect(await get(`${account}/transactions?bookingStatus=${status}&${dates}`, without)).toMatchObject({
        status: 400,
        body: { tppMessages: [{ code: 'PARAMETER_NOT_CONSISTENT', path: 'dateFrom' }] },
      });
    }
  });

  test('A9b: a date out of bounds is PERIOD_INVALID', async () => {
    for (const query of ['dateFrom=2031-01-01', 'dateTo=2026-01-01']) {
      const body = { tppMessages: [{ code: 'PERIOD_INVALID', path: 'dateFrom' }] };
      expect(await get(`${account}/transactions?${query}`)).toMatchObject({ status: 400, body });
    }
  });

  test('A9b: dates beside bookingStatus=pending are ignored when they are well formed', async () => {
    const without = { ...headers, 'tpp-session-id': null };
    const list = (query: string) => get(`${account}/transactions?bookingStatus=pending${query}`, without);
    const { transactions } = (await list('')).body;
    for (const dates of ['&dateFrom=2027-03-02&dateTo=2027-03-01', '&dateFrom=2020-01-01', '&dateFrom=2031-01-01']) {
      const answer = await list(dates);
      expect([answer.status, answer.body.transactions.pending]).toEqual([200, transactions.pending]);
    }
    expect(await list('&dateFrom=2027-02-30')).toMatchObject({
      status: 400,
      body: { tppMessages: [{ code: 'FORMAT_ERROR', path: 'dateFrom' }] },
    });
  });
});
