import { afterEach, describe, expect, test } from '@jest/globals';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { startTestBank, type Reply, type TestBank } from '../lab/server.ts';
import { answer, openPage, read as textOfPage } from '../sca/pages.ts';

/*
 * P3b over signed HTTP. 2027-04-12 is a Monday, its last run is at 15:30. What is due that day and comes later is carried out by
 * the first run of Tuesday. What a warning names is held against what the forecast and then the run itself say.
 */
const psu = '13039319955';
const headers = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
const today = '2027-04-12';
const lateAt = `${today}T16:00:00+02:00`;
const named =
  /No settlement run of 2027-04-12 is left\. The (first )?payment stays due on that day, and run 2027-04-13\/1 carries it out, on 2027-04-13 at 05:30\./;

let bank: TestBank;
afterEach(() => bank.stop());

const late = (path: string) => ({
  tppMessages: [{ category: 'WARNING', code: 'EXECUTION_DATE_INVALID', path, text: expect.stringMatching(named) }],
  psuMessage: expect.stringMatching(named),
});
const initiate = (path: string, body: object): Promise<Reply> => bank.signed('POST', path, { body, headers });
const get = async (path: string) => (await bank.signed('GET', path)).body;

const kinds: [string, string, string, object][] = [
  ['single', singlePath, 'requestedExecutionDate', singlePayment()],
  ['single for today by name', singlePath, 'requestedExecutionDate', singlePayment({ requestedExecutionDate: today })],
  ['bulk', bulkPath, 'requestedExecutionDate', bulkPayment([bulkItem('1.00'), bulkItem('2.00')])],
  ['standing order', periodicPath, 'startDate', periodicPayment({ startDate: today, frequency: 'Monthly' })],
];

describe('P3b: due today, and no run of today is left', () => {
  test.each(kinds)(
    '%s: the warning names the run, in every answer until that run has settled it',
    async (_, path, member, body) => {
      bank = await startTestBank(lateAt);
      const made = await initiate(path, body);
      expect(made.body).toMatchObject(late(member));
      const payment = `${path}/${made.body.paymentId}`;
      expect(await get(payment)).toMatchObject(late(member));
      await bank.approve(made.body, psu);
      for (const suffix of ['', '/status']) expect(await get(payment + suffix)).toMatchObject(late(member));
      const { body: forecast } = await bank.control('GET', '/sandbox/forecast?to=2027-04-13T12:00:00%2B02:00');
      expect(forecast.executions[0]).toMatchObject({
        paymentId: made.body.paymentId,
        executionDate: today,
        run: { date: '2027-04-13', number: 1 },
      });
      await bank.advance({ to: '2027-04-13T05:29:59+02:00' });
      expect(await get(`${payment}/status`)).toMatchObject(late(member));
      const { body: advanced } = await bank.advance({ runs: 1 });
      expect(advanced.runs).toMatchObject([{ id: '2027-04-13/1' }]);
      expect(advanced.runs[0].settled).toBeGreaterThan(0);
      for (const suffix of ['', '/status']) {
        const settled = await get(payment + suffix);
        expect(settled).not.toHaveProperty('tppMessages');
        expect(settled).not.toHaveProperty('psuMessage');
      }
    },
  );

  test('an exempt payment, which is PDNG at once, says it too', async () => {
    bank = await startTestBank('2027-04-12T12:00:00+02:00');
    const { body: offered } = await bank.signed('POST', '/v1/bank-offered-consents', { headers });
    await bank.approve(offered, psu);
    await bank.advance({ to: lateAt });
    const own = singlePayment({ creditorAccount: { bban: '70323119469', currency: 'NOK' } });
    expect((await initiate(singlePath, own)).body).toMatchObject({
      transactionStatus: 'PDNG',
      ...late('requestedExecutionDate'),
    });
  });

  test('signed late: initiated in time without a warning, which comes with the hour', async () => {
    bank = await startTestBank('2027-04-12T12:00:00+02:00');
    const { body } = await initiate(singlePath, singlePayment());
    expect(body).not.toHaveProperty('tppMessages');
    await bank.advance({ to: lateAt });
    const payment = `${singlePath}/${body.paymentId}`;
    expect(await get(payment)).toMatchObject(late('requestedExecutionDate'));
    await bank.approve(body, psu);
    expect(await get(payment)).toMatchObject({ transactionStatus: 'PDNG', ...late('requestedExecutionDate') });
  });

  test('P13: signed on a later day it counts as due then, which is told (P3c): late only when no run of that day is left', async () => {
    bank = await startTestBank('2027-04-09T12:00:00+02:00');
    const { body } = await initiate(singlePath, singlePayment());
    const payment = `${singlePath}/${body.paymentId}`;
    await bank.advance({ to: '2027-04-12T12:00:00+02:00' });
    const moved = (does: string) => ({
      text: `2027-04-09 has passed, and a signature is missing. The payment ${does} on 2027-04-12.`,
    });
    expect((await get(payment)).tppMessages).toMatchObject([moved('is executed')]);
    await bank.advance({ to: lateAt });
    expect((await get(payment)).tppMessages).toMatchObject([
      moved('is due'),
      ...late('requestedExecutionDate').tppMessages,
    ]);
  });

  test('at the instant of the last run itself: what that run took has no warning, what was signed after it has', async () => {
    bank = await startTestBank('2027-04-12T15:00:00+02:00');
    const first = await initiate(singlePath, singlePayment());
    await bank.approve(first.body, psu);
    expect(await get(`${singlePath}/${first.body.paymentId}`)).not.toHaveProperty('tppMessages');
    await bank.advance({ runs: 1 });
    const second = await initiate(
      singlePath,
      singlePayment({ creditorName: 'Two', instructedAmount: { amount: '2.00', currency: 'NOK' } }),
    );
    expect(second.body).toMatchObject(late('requestedExecutionDate'));
  });

  test('before an Easter, the run of the next banking day; for a later day, a straks payment and a later occurrence: no warning', async () => {
    bank = await startTestBank('2027-03-24T16:00:00+01:00');
    const { body } = await initiate(singlePath, singlePayment());
    expect(body.tppMessages[0].text).toContain('run 2027-03-30/1 carries it out, on 2027-03-30 at 05:30');
    for (const [path, other] of [
      [singlePath, singlePayment({ requestedExecutionDate: '2027-03-30' })],
      [
        '/v1/payments/instant-norwegian-domestic-credit-transfers-straks',
        singlePayment({ instructedAmount: { amount: '3.00', currency: 'NOK' } }),
      ],
      [periodicPath, periodicPayment({ startDate: '2027-03-25', dayOfExecution: '30' })],
    ] as const) {
      expect((await initiate(path, other)).body).not.toHaveProperty('tppMessages');
    }
  });
});

describe('P3b: the SCA page says it', () => {
  test.each(kinds)('%s', async (_, path, __, body) => {
    bank = await startTestBank(lateAt);
    const { body: made } = await initiate(path, body);
    const first = await openPage(made._links.scaRedirect.href);
    const page = await answer(first, { action: 'identify', psu });
    const text = textOfPage(await page.text());
    expect(text).toContain('No settlement run of Mon 12 Apr 2027 is left.');
    expect(text).toMatch(/13 Apr 2027, 05:30/);
  });

  test('and says nothing while a run is left', async () => {
    bank = await startTestBank('2027-04-12T12:00:00+02:00');
    const { body: made } = await initiate(singlePath, singlePayment());
    const page = await answer(await openPage(made._links.scaRedirect.href), { action: 'identify', psu });
    expect(textOfPage(await page.text())).not.toContain('No settlement run');
  });
});
