import { describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { basketOf, basketPath, initiated, refusal, scaOf, statusOf } from './baskets.ts';
import { testBank } from '../support/test-bank.ts';

const first = '17818050100';
const second = '20818850094';
const sent = { headers: { 'x-psu-identity': first, 'psu-context': 'CORPORATE' } };
const toSecond = { headers: { 'x-psu-identity': second, 'psu-context': 'CORPORATE' } };
const ofPrivate = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const account = { debtorAccount: { bban: '34330000017', currency: 'NOK' } };
const corporate = { context: 'CORPORATE', agreement: '33333333' };

const bank = testBank('2027-03-24T12:00:00+01:00');

test('States: a basket puts one signature under each payment; PATC ones are free for the next PSU', async () => {
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
  await bank.approve(next.body, second, corporate);
  expect(await Promise.all(ids.map((id) => statusOf(bank, id)))).toEqual([
    expect.stringMatching(/^(ACSP|PDNG)$/),
    'PATC',
  ]);
});

test('not atomic: the payment that this PSU has signed is refused, and the other one is signed', async () => {
  const [signed, other] = [await initiated(bank, 9, account, sent), await initiated(bank, 10, account, sent)];
  const alone = await bank.signed('POST', `${singlePath}/${signed}/authorisations`, sent);
  await bank.approve(alone.body, first, corporate);
  const { body } = await basketOf(bank, [signed, other]);
  const redirect = await bank.approve(await scaOf(bank, body.basketId), first, corporate);
  expect(redirect.searchParams.get('code')).toBeNull();
  expect([await statusOf(bank, signed), await statusOf(bank, other)]).toEqual(['PATC', 'PATC']);
});

describe('A4c: a signer rejects the payment for all', () => {
  const reject = (scaRedirect: string) =>
    bank.control('POST', `/sandbox/sca/${new URL(scaRedirect).pathname.split('/').at(-1)}`, { outcome: 'reject' });
  const authorised = async (id: string, psu: string): Promise<string> => {
    const started = await bank.signed('POST', `${singlePath}/${id}/authorisations`, {
      headers: { 'x-psu-identity': psu, 'psu-context': 'CORPORATE' },
    });
    return started.body._links.scaRedirect.href;
  };

  test.each([
    ['before any signature', 21, false],
    ['after the first one', 22, true],
  ])(
    '%s: CANC, a redirect with SCA_INVALID, and the other signer has nothing left to sign',
    async (_when, amount, signs) => {
      const id = await initiated(bank, amount, account, sent);
      if (signs) await bank.approve(await authorised(id, first), first, corporate);
      const other = await authorised(id, second);
      const answer = await reject(await authorised(id, second));
      expect(answer.status).toBe(200);
      expect(new URL(answer.body.redirect).searchParams.get('code')).toBe('SCA_INVALID');
      expect(await statusOf(bank, id)).toBe('CANC');
      const { history } = await bank.payment(id);
      expect(history.at(-1)).toMatchObject({ status: 'CANC', cause: 'rejected by a signer' });
      const late = await bank.approve(other, second, corporate);
      expect(late.searchParams.get('code')).toBe('STATUS_INVALID');
    },
  );

  test('a payment that one signs, and any other SCA: 400, and the SCA stays open', async () => {
    const single = await bank.signed('POST', singlePath, { body: singlePayment(), headers: ofPrivate });
    const consent = await bank.signed('POST', '/v1/bank-offered-consents');
    for (const { body } of [single, consent]) {
      const { href } = body._links.scaRedirect;
      const answer = await reject(href);
      expect([answer.status, answer.body.code, answer.body.allowed]).toEqual([
        400,
        'FORMAT_ERROR',
        ['approve', 'cancel', 'fail', 'expire'],
      ]);
      expect((await bank.approve(href, '13039319955', { context: 'PRIVATE' })).searchParams.get('code')).toBeNull();
    }
  });

  test('one that waits in a signing basket is not rejected alone', async () => {
    const id = await initiated(bank, 23, account, sent);
    const alone = await authorised(id, second);
    expect((await basketOf(bank, [id], sent)).status).toBe(201);
    const answer = await reject(alone);
    expect(new URL(answer.body.redirect).searchParams.get('code')).toBe('RESOURCE_BLOCKED');
    expect(await statusOf(bank, id)).toBe('RCVD');
  });
});

test('Endpoints, 5: a basket belongs to the PSU who makes it, also over payments that another initiated', async () => {
  const ids = [await initiated(bank, 3, account, sent), await initiated(bank, 4, account, sent)];
  const { body } = await basketOf(bank, ids, toSecond);
  const path = `${basketPath}/${body.basketId}`;
  expect((await bank.signed('GET', path, toSecond)).status).toBe(200);
  expect((await bank.signed('GET', path, sent)).status).toBe(403);
  const start = await bank.signed('POST', `${path}/authorisations`, toSecond);
  const redirect = await bank.approve(start.body, second, corporate);
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

test('D2: the open basket of a deleted customer ends, and the payments of another in it are free', async () => {
  const id = await initiated(bank, 11, account, sent);
  const { body } = await basketOf(bank, [id], toSecond);
  expect(refusal(await basketOf(bank, [id], sent))).toBe('400 RESOURCE_BLOCKED paymentIds[0]');
  const customers = (await bank.signed('GET', '/v1/sandbox/customers')).body;
  const found = customers.find((each: Record<string, string>) => each['customerNumber'] === second);
  expect((await bank.signed('DELETE', `/v1/sandbox/customers/${found.customerId}`)).status).toBe(204);
  expect(refusal(await bank.signed('GET', `${basketPath}/${body.basketId}`))).toBe('403 RESOURCE_EXPIRED');
  expect((await basketOf(bank, [id], sent)).status).toBe(201);
});
