import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { singlePath } from '../support/bodies.ts';
import { startTestBank, type TestBank } from '../support/server.ts';
import { basketOf, basketPath, initiated, scaOf, statusOf } from './baskets.ts';

const first = '17818050100';
const second = '20818850094';
const sent = { headers: { 'x-psu-identity': first, 'psu-context': 'CORPORATE' } };
const corporate = { context: 'CORPORATE', agreement: '33333333' };

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank('2027-03-24T12:00:00+01:00');
});
afterAll(() => bank.stop());

test('States: a basket puts one signature under each payment; PATC ones are free for the next PSU', async () => {
  const account = { debtorAccount: { bban: '34330000017', currency: 'NOK' } };
  const ids = [await initiated(bank, 1, account, sent), await initiated(bank, 2, account, sent)];
  const { body } = await basketOf(bank, ids);
  const redirect = await bank.approve(await scaOf(bank, body.basketId), first, corporate);
  expect(redirect.searchParams.get('code')).toBeNull();
  const read = await bank.signed('GET', `${basketPath}/${body.basketId}`);
  expect(read.body).toMatchObject({ transactionStatus: 'PATC', paymentIds: ids });
  expect(Object.keys(read.body._links)).toEqual(['self']);

  const next = await bank.signed('POST', `${singlePath}/${ids[0]}/authorisations`, {
    headers: { 'x-psu-identity': second, 'psu-context': 'CORPORATE' },
  });
  await bank.approve(next.body._links.scaRedirect.href, second, corporate);
  expect(await Promise.all(ids.map((id) => statusOf(bank, id)))).toEqual([
    expect.stringMatching(/^(ACSP|PDNG)$/),
    'PATC',
  ]);
});
