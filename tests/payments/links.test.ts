import { describe, expect, test } from '@jest/globals';
import { periodicPath, periodicPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { basketOf, basketPath, initiated, psu } from '../approval/baskets.ts';
import { testBankForEach } from '../support/test-bank.ts';

/* P12b over signed HTTP: a link that is shown works, and what works has a link. */
const bank = testBankForEach('2027-03-24T12:00:00+01:00');

const headers = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
const linksOf = async (path: string) => (await bank.signed('GET', path)).body._links;
const paymentPath = (id: string): string => `${singlePath}/${id}`;

describe('P12b: a payment in an open basket', () => {
  test('shows no startAuthorisation, and shows it again when the basket is removed', async () => {
    const [inside, outside] = [await initiated(bank, 1), await initiated(bank, 2)];
    await basketOf(bank, [inside]);
    expect(await linksOf(paymentPath(inside))).not.toHaveProperty('startAuthorisation');
    expect(await linksOf(paymentPath(outside))).toHaveProperty('startAuthorisation');
    await bank.advance({ by: 'P2D' });
    const { startAuthorisation } = await linksOf(paymentPath(inside));
    expect((await bank.signed('POST', startAuthorisation.href)).status).toBe(201);
  });

  test('a refusal that the basket causes names it: of an authorisation, and of another basket', async () => {
    const payment = await initiated(bank, 1);
    const { body: basket } = await basketOf(bank, [payment]);
    for (const refused of [
      await bank.signed('POST', `${paymentPath(payment)}/authorisations`),
      await basketOf(bank, [payment]),
    ]) {
      expect(refused).toMatchObject({ status: 400, body: { tppMessages: [{ code: 'RESOURCE_BLOCKED' }] } });
      expect(refused.body.tppMessages[0].text).toContain(`signing basket ${basket.basketId}`);
    }
    expect((await bank.signed('GET', `${basketPath}/${basket.basketId}`)).status).toBe(200);
  });
});

describe('P12b: after DELETE 202', () => {
  test.each([
    ['single', singlePath, singlePayment({ requestedExecutionDate: '2027-03-31' })],
    ['standing order', periodicPath, periodicPayment()],
  ])(
    '%s: details and status carry the link of the 202, also after a PSU cancelled it or failed',
    async (_, path, body) => {
      const { body: made } = await bank.signed('POST', path, { body, headers });
      const payment = `${path}/${made.paymentId}`;
      await bank.approve(made, psu);
      expect(await linksOf(payment)).not.toHaveProperty('startAuthorisation');
      const { body: deleted } = await bank.signed('DELETE', payment);
      const link = deleted._links.startAuthorisation;
      expect(link.href).toBe(`${payment}/cancellation-authorisations`);
      for (const outcome of [{ outcome: 'cancel' }, { outcome: 'approve', psu: '12085592767', context: 'PRIVATE' }]) {
        const { body: sca } = await bank.signed('POST', link.href);
        const id = sca._links.scaRedirect.href.split('/').at(-1);
        const { body: ended } = await bank.control('POST', `/sandbox/sca/${id}`, outcome);
        expect(new URL(ended.redirect).searchParams.get('status')).not.toBeNull();
        for (const suffix of ['', '/status'])
          expect((await linksOf(payment + suffix)).startAuthorisation).toEqual(link);
      }
      const { body: last } = await bank.signed('POST', link.href);
      await bank.approve(last, psu);
      expect((await bank.signed('GET', payment)).body.transactionStatus).toBe('CANC');
      expect(await linksOf(payment)).not.toHaveProperty('startAuthorisation');
    },
  );

  test('the link is gone when the payment can no longer be cancelled: on its due day', async () => {
    const body = singlePayment({ requestedExecutionDate: '2027-03-31' });
    const { body: made } = await bank.signed('POST', singlePath, { body, headers });
    await bank.approve(made, psu);
    await bank.signed('DELETE', paymentPath(made.paymentId));
    await bank.advance({ to: '2027-03-31T00:00:00+02:00' });
    expect(await linksOf(paymentPath(made.paymentId))).not.toHaveProperty('startAuthorisation');
  });
});
