import { describe, expect, test } from '@jest/globals';
import { cards, codesOf, consentedHeaders, holder, purchase, sandboxCards, scriptedCard } from './card-client.ts';
import { testBankForEach } from '../support/test-bank.ts';

const bank = testBankForEach('2027-03-24T12:00:00+01:00');

const post = (path: string, body: unknown) => bank.signed('POST', path, { body });

/** A balance as the vendor's scripts send it, twice in one card. */
const balance = {
  balanceAmount: { currency: 'NOK', amount: 0 },
  balanceType: 'EXPECTED',
  referenceDate: '2020-01-01',
  lastChangeDateTime: '2019-10-14T13:55:45.494Z',
  lastCommittedTransaction: 'test',
};
const balanceOf = (changes: object) => ({ ...balance, ...changes });

describe('D5: the balances of a card', () => {
  test('several of one type are taken when they are equal, and come back as one with its dates', async () => {
    const same = balanceOf({ balanceAmount: { currency: 'NOK', amount: '0.00' } });
    for (const balances of [[balance], [balance, balance], [balance, same, balance]]) {
      const made = await post(sandboxCards, { ...scriptedCard, balances });
      expect(made.status).toBe(201);
      const told = { ...balance, balanceAmount: { currency: 'NOK', amount: '0.00' } };
      expect(made.body.balances).toEqual([told]);
      expect((await bank.signed('GET', `${sandboxCards}/${made.body.resourceId}`)).body).toEqual(made.body);
    }
    const list = (await bank.signed('GET', sandboxCards)).body;
    expect(list.at(-1).balances[0]).toMatchObject({ referenceDate: '2020-01-01' });
  });

  test('a card without balances has none of their dates', async () => {
    const made = await post(sandboxCards, { ...scriptedCard, balances: undefined });
    expect(made.body.balances).toEqual([
      { balanceType: 'EXPECTED', balanceAmount: { amount: '0.00', currency: 'NOK' } },
    ]);
    expect(made.body).not.toHaveProperty('balance');
  });

  test.each([
    ['amount', { balanceAmount: { currency: 'NOK', amount: 1 } }],
    ['referenceDate', { referenceDate: '2020-01-02' }],
    ['lastChangeDateTime', { lastChangeDateTime: undefined }],
    ['lastCommittedTransaction', { lastCommittedTransaction: '' }],
  ])('two that differ in %s are refused, with the place of the second', async (_, changes) => {
    const refused = await post(sandboxCards, { ...scriptedCard, balances: [balance, balance, balanceOf(changes)] });
    expect([refused.status, codesOf(refused)]).toEqual([400, ['FORMAT_ERROR balances[2]']]);
    expect((await bank.signed('GET', sandboxCards)).body).toHaveLength(2);
  });

  test.each([
    [[null], ['balances[0]']],
    [[balanceOf({ balanceType: 'AUTHORISED' })], ['balances[0].balanceType']],
    [[balanceOf({ balanceAmount: { currency: 'EUR', amount: 0 } })], ['balances[0].balanceAmount.currency']],
    ['none', ['balances']],
  ])('%j is refused', async (balances, paths) => {
    const refused = await post(sandboxCards, { ...scriptedCard, balances });
    expect([refused.status, codesOf(refused)]).toEqual([400, paths.map((path) => `FORMAT_ERROR ${path}`)]);
  });
});

describe('D5: a posted card transaction is a purchase', () => {
  test('a positive amount lowers what is available, a negative one is a refund; the sign is read as it was posted', async () => {
    const { resourceId } = (await post(sandboxCards, { ...scriptedCard, balances: [balance] })).body;
    const amounts = [100, 1000, -30.5];
    const body = amounts.map((amount, index) => {
      const money = { currency: 'NOK', amount };
      return { ...purchase, cardTransactionId: `t${index}`, transactionAmount: money, originalAmount: money };
    });
    expect((await post(`${sandboxCards}/${resourceId}/transactions`, body)).status).toBe(201);
    const made = (await bank.signed('GET', `${sandboxCards}/${resourceId}`)).body;
    expect(made.balances[0].balanceAmount.amount).toBe('-1069.50');
    const headers = await consentedHeaders(bank);
    const { balances } = (await bank.signed('GET', `${cards}/${resourceId}/balances`, { headers })).body;
    // 20000.00 - 1069.50
    expect(balances[0].balanceAmount.amount).toBe('18930.50');
    const read = await bank.signed('GET', `${cards}/${resourceId}/transactions`, { headers });
    const told = read.body.cardTransactions.booked.map((each: Record<string, { amount: string }>) => [
      each['transactionAmount']?.amount,
      each['originalAmount']?.amount,
    ]);
    expect(told).toEqual([
      ['-30.50', '-30.50'],
      ['1000.00', '1000.00'],
      ['100.00', '100.00'],
    ]);
  });
});

describe('D5: cards by their numbers', () => {
  test('/sandbox/info shows the cards of a PSU with resourceId', async () => {
    const { resourceId } = (await post(sandboxCards, scriptedCard)).body;
    const { psus } = (await bank.control('GET', '/sandbox/info')).body;
    const psu = psus.find(({ customerNumber }: { customerNumber: string }) => customerNumber === holder);
    const [seeded] = (await bank.signed('GET', sandboxCards)).body;
    const { maskedPan, name, currency } = seeded;
    expect(psu.cards).toEqual([
      { resourceId: seeded.resourceId, maskedPan, name, currency },
      { resourceId, maskedPan: '1234xxxxxxxx4321', name: 'Kredittkort', currency: 'NOK' },
    ]);
    expect(psus.find(({ cards: held }: { cards: unknown[] }) => held.length === 0)).toBeDefined();
  });

  test('a masked number in accounts of the one-call SCA means all cards of the PSU that have it, and nobody else has', async () => {
    const one = (await post(sandboxCards, scriptedCard)).body.resourceId;
    const two = (await post(sandboxCards, { ...scriptedCard, name: 'To' })).body.resourceId;
    await post(sandboxCards, { ...scriptedCard, customerNumber: '12085592767' });
    const headers = await consentedHeaders(bank, ['1234xxxxxxxx4321']);
    const { cardAccounts } = (await bank.signed('GET', cards, { headers })).body;
    expect(cardAccounts.map(({ resourceId }: { resourceId: string }) => resourceId)).toEqual([one, two]);
    expect((await bank.signed('GET', '/v1/accounts', { headers })).body.accounts).toEqual([]);
    const offer = await bank.signed('POST', '/v1/bank-offered-consents');
    const unknown = { accounts: ['4321xxxxxxxx1234'] };
    const redirect = await bank.approve(offer.body, holder, unknown);
    expect(redirect.searchParams.get('code')).toBe('RESOURCE_UNKNOWN');
  });
});
