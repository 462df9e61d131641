import { describe, expect, test } from '@jest/globals';
import { periodicPath, periodicPayment, singlePath } from '../lab/bodies.ts';
import type { Reply } from '../lab/server.ts';
import { basketOf, basketPath, initiated, psu, refusal, scaOf, statusOf } from './baskets.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

describe('interface, Other operations 5: a signing basket from creation to signature', () => {
  let ids: string[];
  let basket: Reply;

  test('it is made of payments and carries its startAuthorisation link', async () => {
    ids = [
      await initiated(bank, 1),
      await initiated(bank, 2, { requestedExecutionDate: '2027-04-15' }),
      (
        await bank.signed('POST', periodicPath, {
          body: periodicPayment(),
          headers: { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' },
        })
      ).body.paymentId,
    ];
    basket = await basketOf(bank, ids);
    expect(basket.status).toBe(201);
    const self = `${basketPath}/${basket.body.basketId}`;
    expect(basket.body).toEqual({
      basketId: expect.stringMatching(/^enc!![\w-]{42}==$/),
      transactionStatus: 'RCVD',
      paymentIds: ids,
      _links: {
        self: { href: self, verbs: ['GET'] },
        startAuthorisation: { href: `${self}/authorisations`, verbs: ['POST'] },
      },
    });
    expect(await bank.signed('GET', self)).toMatchObject({ status: 200, body: basket.body });
  });

  test('it cannot be deleted', async () => {
    const answer = await bank.signed('DELETE', `${basketPath}/${basket.body.basketId}`);
    expect(refusal(answer)).toBe('405 SERVICE_INVALID');
    expect(answer.headers.get('allow')).toBe('GET');
  });

  test('cancelled by the PSU it can be authorised again', async () => {
    const id = new URL(await scaOf(bank, basket.body.basketId)).pathname.split('/').at(-1);
    const { body } = await bank.control('POST', `/sandbox/sca/${id}`, { outcome: 'cancel' });
    expect(new URL(body.redirect).searchParams.get('code')).toBe('SCA_INVALID');
    expect(await statusOf(bank, ids[0] ?? '')).toBe('RCVD');
  });

  test('one SCA signs every payment, and the basket has the most negative status', async () => {
    const sca = await scaOf(bank, basket.body.basketId);
    const redirect = await bank.approve(sca, psu);
    expect(redirect.searchParams.get('psu-id')).toMatch(/^[\w-]{36}$/);
    const { body } = await bank.signed('GET', `${basketPath}/${basket.body.basketId}`);
    expect(body.transactionStatus).toBe('PDNG');
    expect(Object.keys(body._links)).toEqual(['self']);
    expect(await statusOf(bank, ids[0] ?? '')).toBe('PDNG');
    expect(await statusOf(bank, ids[1] ?? '')).toBe('ACSP');
  });

  test('signed once, it takes no second signature', async () => {
    const answer = await bank.signed('POST', `${basketPath}/${basket.body.basketId}/authorisations`);
    expect(refusal(answer)).toBe('409 STATUS_INVALID');
  });
});

describe('not atomic: each payment signs for itself', () => {
  test('a payment deleted meanwhile leaves the others to be signed, and makes the basket CANC', async () => {
    const [kept = '', deleted = ''] = [await initiated(bank, 11), await initiated(bank, 12)];
    const { body } = await basketOf(bank, [kept, deleted]);
    const sca = await scaOf(bank, body.basketId);
    expect((await bank.signed('DELETE', `${singlePath}/${deleted}`)).status).toBe(204);
    await bank.approve(sca, psu);
    expect(await statusOf(bank, kept)).toBe('PDNG');
    const read = await bank.signed('GET', `${basketPath}/${body.basketId}`);
    expect(read.body.transactionStatus).toBe('CANC');
  });

  test('when every payment is gone, there is nothing to authorise', async () => {
    const id = await initiated(bank, 13);
    const { body } = await basketOf(bank, [id]);
    await bank.signed('DELETE', `${singlePath}/${id}`);
    const answer = await bank.signed('POST', `${basketPath}/${body.basketId}/authorisations`);
    expect(refusal(answer)).toBe('409 STATUS_INVALID');
  });

  test('a link that was there before the basket does not sign the payment alone', async () => {
    const id = await initiated(bank, 14);
    const started = await bank.signed('POST', `${singlePath}/${id}/authorisations`);
    await basketOf(bank, [id]);
    const redirect = await bank.approve(started.body, psu);
    expect(redirect.searchParams.get('code')).toBe('RESOURCE_BLOCKED');
    expect(await statusOf(bank, id)).toBe('RCVD');
  });
});
