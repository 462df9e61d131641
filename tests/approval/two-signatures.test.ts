import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { singlePath } from '../support/bodies.ts';
import { startTestBank, type TestBank } from '../support/server.ts';
import { basketOf, basketPath, initiated, refusal, scaOf, statusOf } from './baskets.ts';

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

const toSecond = { headers: { 'x-psu-identity': second, 'psu-context': 'CORPORATE' } };
const account = { debtorAccount: { bban: '34330000017', currency: 'NOK' } };

test('Endpoints, 5: a basket belongs to the PSU who makes it, also over payments that another initiated', async () => {
  const ids = [await initiated(bank, 3, account, sent), await initiated(bank, 4, account, sent)];
  const { body } = await basketOf(bank, ids, toSecond);
  const path = `${basketPath}/${body.basketId}`;
  expect((await bank.signed('GET', path, toSecond)).status).toBe(200);
  expect((await bank.signed('GET', path, sent)).status).toBe(403);
  const start = await bank.signed('POST', `${path}/authorisations`, toSecond);
  const redirect = await bank.approve(start.body._links.scaRedirect.href, second, corporate);
  expect(redirect.searchParams.get('code')).toBeNull();
  expect(await Promise.all(ids.map((id) => statusOf(bank, id)))).toEqual(['PATC', 'PATC']);
});

test('without a PSU in the request it belongs to who initiated the first payment, who must be able to sign the others', async () => {
  const firsts = await initiated(bank, 5, account, sent);
  const seconds = await initiated(bank, 6, account, toSecond);
  const privateOne = await initiated(bank, 7);
  expect((await basketOf(bank, [firsts, seconds])).status).toBe(201);
  expect(refusal(await basketOf(bank, [privateOne, await initiated(bank, 8, account, sent)]))).toBe(
    '400 REFERENCE_MIX_INVALID paymentIds[1]',
  );
});
