import { describe, expect, test } from '@jest/globals';
import type { BankEvent } from '../../engine/bank/outlet.ts';
import { followClock } from '../../engine/runs/advance-clock.ts';
import { at, manualClock, memoryBank } from '../lab/bank.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { people, paySigned } from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';
import type { Reply } from '../lab/server.ts';
import { testBankForEach } from '../support/test-bank.ts';

/*
 * S2b over signed HTTP: payments due on Tuesday 30 March 2027, the first banking day after Easter. Its midnight is 22:00 UTC
 * on the 29th; the bank's clock begins on Wednesday 24 March.
 */
const psu = people.nora.psu;
const singleSca = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
const dueDay = { requestedExecutionDate: '2027-03-30' };
const midnight = '2027-03-30T00:00:00.000+02:00';

const bank = testBankForEach('2027-03-24T12:00:00+01:00');

const advance = (target: object): Promise<Reply> => bank.advance(target);
const justBefore = (): Promise<Reply> => advance({ to: '2027-03-29T23:59:59+02:00' });
const toMidnight = (): Promise<Reply> => advance({ to: midnight });
const read = async (path: string) => (await bank.signed('GET', path)).body;
const inspected = async (id: string) => (await bank.control('GET', `/sandbox/payments/${id}`)).body;

/** Initiates a payment and signs it; its path. */
async function signed(path: string, body: object): Promise<string> {
  return `${path}/${await bank.pays(path, body, psu)}`;
}

const idOf = (path: string): string => path.split('/').at(-1) ?? '';

/** Opens the SCA of a cancellation; the id of the SCA. */
async function cancellation(path: string): Promise<string> {
  expect((await bank.signed('DELETE', path)).status).toBe(202);
  const { body } = await bank.signed('POST', `${path}/cancellation-authorisations`);
  return idOf(body._links.scaRedirect.href);
}

const answerSca = async (id: string, outcome: object): Promise<URL> =>
  new URL((await bank.control('POST', `/sandbox/sca/${id}`, outcome)).body.redirect);

const approval = { outcome: 'approve', psu, context: 'PRIVATE' };

describe('S2b: from 00:00 Oslo of its execution date an ACSP payment reads PDNG', () => {
  test.each([
    ['single', singlePath, singlePayment(dueDay)],
    ['bulk', bulkPath, bulkPayment([bulkItem('1.00'), bulkItem('2.00')], dueDay)],
  ])('%s: details, status, links and the control plane, at midnight and not a second before', async (_, path, body) => {
    const payment = await signed(path, body);
    await justBefore();
    for (const [suffix, verbs, status] of [
      ['', ['GET', 'DELETE'], 'ACSP'],
      ['/status', ['GET', 'DELETE'], 'ACSP'],
    ] as const) {
      expect(await read(payment + suffix)).toMatchObject({ transactionStatus: status, _links: { self: { verbs } } });
    }
    await toMidnight();
    for (const suffix of ['', '/status']) {
      const seen = await read(payment + suffix);
      expect(seen).toMatchObject({ transactionStatus: 'PDNG', _links: { self: { verbs: ['GET'] } } });
      expect(seen._links).not.toHaveProperty('startAuthorisation');
    }
    const whole = await inspected(idOf(payment));
    expect(whole.status).toBe('PDNG');
    expect(new Set(whole.occurrences.map((one: { status: string }) => one.status))).toEqual(new Set(['PDNG']));
    expect((await advance({ runs: 1 })).body.runs).toMatchObject([{ id: '2027-03-30/1' }]);
    expect(await read(`${payment}/status`)).toMatchObject({ transactionStatus: 'ACSC' });
  });

  test('on a Saturday asked for, it is due on the banking day to which it moved', async () => {
    const payment = await signed(singlePath, singlePayment({ requestedExecutionDate: '2027-03-27' }));
    await justBefore();
    expect((await read(payment)).transactionStatus).toBe('ACSP');
    await toMidnight();
    expect((await read(payment)).transactionStatus).toBe('PDNG');
  });

  test('a standing order stays ACSP on the day of an occurrence, and can be deleted (R9)', async () => {
    const order = await signed(periodicPath, periodicPayment({ startDate: '2027-03-30' }));
    await toMidnight();
    expect((await read(order)).transactionStatus).toBe('ACSP');
    expect((await inspected(idOf(order))).occurrences[0].status).toBe('ACSP');
    expect((await bank.signed('DELETE', order)).status).toBe(202);
  });

  test('a basket, a duplicate and an SCA that has ended show it too', async () => {
    // A basket lives for a day.
    await advance({ to: '2027-03-29T20:00:00+02:00' });
    const { body: first } = await bank.signed('POST', singlePath, { body: singlePayment(dueDay), headers: singleSca });
    const { body: basket } = await bank.signed('POST', '/v1/signing-baskets', {
      body: { paymentIds: [first.paymentId] },
    });
    const basketPath = `/v1/signing-baskets/${basket.basketId}`;
    const { body: sca } = await bank.signed('POST', `${basketPath}/authorisations`);
    await bank.approve(sca, psu);
    const other = await signed(
      singlePath,
      singlePayment({ ...dueDay, creditorName: 'Other', instructedAmount: { amount: '7.00', currency: 'NOK' } }),
    );
    const cancelling = await cancellation(other);
    await answerSca(cancelling, { outcome: 'cancel' });
    await toMidnight();
    expect((await read(basketPath)).transactionStatus).toBe('PDNG');
    const again = await bank.signed('POST', singlePath, { body: singlePayment(dueDay), headers: singleSca });
    expect(again.body.tppMessages[0]).toMatchObject({ code: 'CONFLICT' });
    expect(again.body.tppMessages[0].text).toContain(`${first.paymentId} (PDNG)`);
    const ended = await bank.control('POST', `/sandbox/sca/${cancelling}`, approval);
    expect(ended.body.detail).toContain('The payment is PDNG by now.');
  });

  test('a forced status ends as the own one changes, and one forced since then is shown', async () => {
    const payment = await signed(singlePath, singlePayment(dueDay));
    const force = (status: string): Promise<Reply> =>
      bank.control('POST', `/sandbox/payments/${idOf(payment)}/status`, { status });
    await force('ACWC');
    await justBefore();
    expect((await read(payment)).transactionStatus).toBe('ACWC');
    await toMidnight();
    expect((await read(payment)).transactionStatus).toBe('PDNG');
    await force('ACTC');
    expect((await read(payment)).transactionStatus).toBe('ACTC');
    const { history } = await inspected(idOf(payment));
    expect(history.map((line: { status: string }) => line.status)).toEqual(['RCVD', 'ACSP', 'ACWC', 'PDNG', 'ACTC']);
  });
});

describe('S2b: a payment that is due cannot be taken back', () => {
  test('DELETE is 405 CANCELLATION_INVALID, and another channel 409', async () => {
    const payment = await signed(singlePath, singlePayment(dueDay));
    await toMidnight();
    const deleted = await bank.signed('DELETE', payment);
    expect(deleted).toMatchObject({ status: 405, body: { tppMessages: [{ code: 'CANCELLATION_INVALID' }] } });
    const control = `/sandbox/payments/${idOf(payment)}`;
    for (const refused of [
      await bank.control('POST', `${control}/cancel`),
      await bank.control('PATCH', control, { requestedExecutionDate: '2027-04-01' }),
      await bank.control('PATCH', control, { amount: { amount: '1.00', currency: 'NOK' } }),
    ]) {
      expect(refused).toMatchObject({ status: 409, body: { code: 'STATUS_INVALID', allowed: ['ACSP'] } });
      expect(refused.body.detail).toContain('The payment is PDNG');
    }
    expect((await read(payment)).transactionStatus).toBe('PDNG');
  });

  test('a cancellation that is open then ends in a failure redirect, CANCELLATION_INVALID; none can be started', async () => {
    const payment = await signed(singlePath, singlePayment(dueDay));
    const sca = await cancellation(payment);
    await justBefore();
    const other = idOf(
      (await bank.signed('POST', `${payment}/cancellation-authorisations`)).body._links.scaRedirect.href,
    );
    await toMidnight();
    for (const [id, outcome] of [
      [sca, approval],
      [other, { outcome: 'cancel' }],
    ] as const) {
      const redirect = await answerSca(id, outcome);
      expect(Object.fromEntries(redirect.searchParams)).toMatchObject({ code: 'CANCELLATION_INVALID', state: 'abc' });
      expect(redirect.searchParams.get('message')).toContain('PDNG');
    }
    const started = await bank.signed('POST', `${payment}/cancellation-authorisations`);
    expect(started).toMatchObject({ status: 409, body: { tppMessages: [{ code: 'STATUS_INVALID' }] } });
    await advance({ runs: 1 });
    expect((await read(`${payment}/status`)).transactionStatus).toBe('ACSC');
  });
});

describe('S2b: the instant at which it becomes due', () => {
  test('stands in the history with the cause `due` and no wall time, before and after settlement', async () => {
    const payment = await signed(singlePath, singlePayment(dueDay));
    const control = `/sandbox/payments/${idOf(payment)}`;
    await bank.control('PATCH', control, { requestedExecutionDate: '2027-03-31' });
    await bank.control('PATCH', control, dueDay);
    const due = { status: 'PDNG', at: midnight, wall: null, cause: 'due' };
    await justBefore();
    expect((await inspected(idOf(payment))).history).toHaveLength(4);
    await advance({ to: '2027-03-30T03:00:00+02:00' });
    expect((await inspected(idOf(payment))).history.slice(4)).toEqual([due]);
    await advance({ runs: 1 });
    const { history } = await inspected(idOf(payment));
    expect(history.slice(4)).toEqual([due, expect.objectContaining({ status: 'ACSC', wall: expect.any(String) })]);
  });

  test('is where `advance {until: PDNG}` stops, with the runs before it carried out', async () => {
    const payment = await signed(singlePath, singlePayment(dueDay));
    await signed(
      singlePath,
      singlePayment({ requestedExecutionDate: '2027-03-24', instructedAmount: { amount: '9.00', currency: 'NOK' } }),
    );
    const until = { until: { paymentId: idOf(payment), status: 'PDNG' } };
    const { status, body } = await advance(until);
    expect([status, body.reached, body.to]).toEqual([200, true, midnight]);
    expect(body.runs).toMatchObject([
      { id: '2027-03-24/4', settled: 1 },
      { id: '2027-03-24/5', booked: 1 },
    ]);
    // The days from then on are closed.
    expect(body.skippedEmptyRuns).toBe(0);
    expect((await bank.control('GET', '/sandbox/clock')).body).toMatchObject({
      now: midnight,
      lastRun: { id: '2027-03-24/5' },
    });
    expect((await advance(until)).body).toMatchObject({ reached: true, from: midnight, to: midnight });
  });

  test('a payment that was cancelled or due at signing has no such line', async () => {
    const today = await signed(singlePath, singlePayment());
    const later = await signed(singlePath, singlePayment(dueDay));
    await bank.control('POST', `/sandbox/payments/${idOf(later)}/cancel`);
    await toMidnight();
    for (const payment of [today, later]) {
      const { history } = await inspected(idOf(payment));
      expect(history.filter(({ cause }: { cause: string }) => cause === 'due')).toEqual([]);
    }
    expect((await read(later)).transactionStatus).toBe('CANC');
  });
});

describe('S2b, P14b: a rejection that is asked for of a payment', () => {
  const asked = 'payment to be rejected at its next attempt: wanted';
  const lines = async (payment: string): Promise<string[]> =>
    (await inspected(idOf(payment))).history.map(
      (line: { status: string; cause: string }) => `${line.status} ${line.cause}`,
    );

  test('on its due day: the line says PDNG, as it reads, and the books hold', async () => {
    const payment = await signed(singlePath, singlePayment(dueDay));
    await bank.control('POST', `/sandbox/payments/${idOf(payment)}/status`, { status: 'ACWC' });
    await toMidnight();
    await bank.control('POST', `/sandbox/payments/${idOf(payment)}/reject`, { reason: 'wanted' });
    expect((await lines(payment)).slice(2)).toEqual(['ACWC forced', 'PDNG due', `PDNG ${asked}`]);
    expect(await brokenProofs(bank.bank)).toEqual({});
  });

  test('under a forced status: the due day has its line all the same', async () => {
    const payment = await signed(singlePath, singlePayment(dueDay));
    await bank.control('POST', `/sandbox/payments/${idOf(payment)}/status`, { status: 'ACWC' });
    await bank.control('POST', `/sandbox/payments/${idOf(payment)}/reject`, { reason: 'wanted' });
    await toMidnight();
    expect((await lines(payment)).slice(2)).toEqual(['ACWC forced', `ACWC ${asked}`, 'PDNG due']);
    expect(await brokenProofs(bank.bank)).toEqual({});
  });
});

describe('S2: the last of several signatures on the due day', () => {
  test('PATC to PDNG when due today, to ACSP when due later', async () => {
    for (const [date, status] of [
      ['2027-03-24', 'PDNG'],
      ['2027-03-30', 'ACSP'],
    ] as const) {
      const body = singlePayment({
        debtorAccount: { bban: people.tor.bban, currency: 'NOK' },
        requestedExecutionDate: date,
      });
      const headers = { 'x-psu-identity': people.tor.psu, 'psu-context': 'CORPORATE' };
      const { body: made } = await bank.signed('POST', singlePath, { body, headers });
      const payment = `${singlePath}/${made.paymentId}`;
      await bank.approve(made, people.tor.psu, { context: 'CORPORATE' });
      expect((await read(payment)).transactionStatus).toBe('PATC');
      const { body: second } = await bank.signed('POST', `${payment}/authorisations`);
      await bank.approve(second, people.sigrid.psu, { context: 'CORPORATE' });
      expect((await read(payment)).transactionStatus).toBe(status);
    }
  });
});

describe('S2b: it is told when the clock passes midnight, once', () => {
  const due = (paymentId: string) => ({ kind: 'payment', at: at(midnight), paymentId, status: 'PDNG', cause: 'due' });

  test('by a running clock, at its first check after midnight, without a run and without a row of the payment written', async () => {
    const wall = manualClock(at('2027-03-29T23:59:58+02:00'));
    await using running = await memoryBank('2027-03-29', { wall, start: { mode: 'running', now: wall.now() } });
    const check = followClock(running).catchUp;
    await check();
    const { payment } = await paySigned(running, { from: 'nora', to: 'even', amount: '5.00' }, '2027-03-30' as never);
    const heard: BankEvent[] = [];
    running.listen({
      kinds: new Set(['payment']),
      hear: (one) => heard.push(one),
      failed: (error) => {
        throw error;
      },
    });
    wall.set(at('2027-03-29T23:59:59.999+02:00'));
    await check();
    expect(heard).toEqual([]);
    wall.set(at(midnight));
    await check();
    expect(heard).toEqual([due(payment.resource_id)]);
    wall.set(at('2027-03-30T05:29:00+02:00'));
    await check();
    await check();
    expect(heard).toHaveLength(1);
    wall.set(at('2027-03-30T05:30:00+02:00'));
    await check();
    expect(heard.slice(1)).toMatchObject([{ status: 'ACSC' }]);
  });

  test('several days at once: each at its own midnight, in order, between the runs', async () => {
    const first = idOf(await signed(singlePath, singlePayment(dueDay)));
    const second = idOf(await signed(singlePath, singlePayment({ requestedExecutionDate: '2027-03-31' })));
    const heard: BankEvent[] = [];
    bank.bank.listen({
      kinds: new Set(['payment']),
      hear: (one) => heard.push(one),
      failed: (error) => {
        throw error;
      },
    });
    await bank.control('PUT', '/sandbox/clock', { now: '2027-04-01T12:00:00+02:00' });
    expect(heard).toMatchObject([
      due(first),
      { paymentId: first, status: 'ACSC' },
      { ...due(second), at: at('2027-03-31T00:00:00+02:00') },
      { paymentId: second, status: 'ACSC' },
    ]);
  });
});
