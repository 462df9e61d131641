import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { periodicPath, periodicPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { brokenProofs } from '../lab/proof.ts';
import { startTestBank, type Reply, type TestBank } from '../lab/server.ts';

const psu = '13039319955';
// Every amount is new, so that no payment is like another (P7).
let kroner = 100;
const headers = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank('2027-03-24T12:00:00+01:00');
});
afterAll(async () => {
  expect(await brokenProofs(bank.bank)).toEqual({});
});
// A hook of its own runs after a broken proof too: a bank left open would keep jest running.
afterAll(() => bank.stop());

const future = (amount: string, date = '2027-04-15'): Promise<string> =>
  bank.pays(singlePath, singlePayment({ instructedAmount: { amount, currency: 'NOK' }, requestedExecutionDate: date }));
const act = (method: string, id: string, suffix = '', body?: object): Promise<Reply> =>
  bank.control(method, `/sandbox/payments/${encodeURIComponent(id)}${suffix}`, body);
const read = (id: string): Promise<Reply> => bank.signed('GET', `${singlePath}/${id}`);
const lastOf = ({ body }: Reply): string => `${body.history.at(-1).status} ${body.history.at(-1).cause}`;

describe('P14: changed in another channel', () => {
  test('a payment keeps its id; the TPP reads the new amount and date, and the bank pays them', async () => {
    const id = await future('10.00');
    const amount = { amount: '12.50', currency: 'NOK' };
    const changed = await act('PATCH', id, '', { amount, requestedExecutionDate: '2027-04-18' });
    expect(changed).toMatchObject({
      status: 200,
      body: { paymentId: id, status: 'ACSP', executionDate: '2027-04-19' },
    });
    expect(lastOf(changed)).toBe('ACSP changed in another channel: amount 12.50 NOK, date 2027-04-18');
    expect((await read(id)).body).toMatchObject({
      instructedAmount: amount,
      requestedExecutionDate: '2027-04-18',
      transactionStatus: 'ACSP',
      _links: { self: { verbs: ['GET', 'DELETE'] } },
    });
    await bank.advance({ until: { paymentId: id, status: 'ACSC' } });
    const { body } = await act('GET', id);
    expect(body.entries[0]).toMatchObject({ amount: { amount: '-12.50' }, valueDate: '2027-04-19' });
  });

  test('P7: from then on another payment is a logical duplicate', async () => {
    const id = await future('20.00', '2027-05-14');
    await act('PATCH', id, '', { amount: { amount: '21.00', currency: 'NOK' }, requestedExecutionDate: '2027-05-20' });
    const like = (amount: string, date: string) =>
      singlePayment({ instructedAmount: { amount, currency: 'NOK' }, requestedExecutionDate: date });
    const twice = await bank.signed('POST', singlePath, { body: like('21.00', '2027-05-20'), headers });
    expect(twice).toMatchObject({ status: 400, body: { tppMessages: [{ code: 'CONFLICT' }] } });
    const asBefore = await bank.signed('POST', singlePath, { body: like('20.00', '2027-05-14'), headers });
    expect(asBefore.status).toBe(201);
  });

  test('R9: of a periodic payment the occurrences to come have the new amount', async () => {
    const id = await bank.pays(periodicPath, periodicPayment({ startDate: '2027-06-15', endDate: '2027-07-31' }));
    await act('PATCH', id, '', { amount: { amount: '33.00', currency: 'NOK' } });
    await bank.advance({ to: '2027-08-01' });
    const { body } = await act('GET', id);
    const debits = body.entries.filter(({ amount }: { amount: { amount: string } }) => amount.amount.startsWith('-'));
    expect(debits.map(({ amount }: { amount: { amount: string } }) => amount.amount)).toEqual(['-33.00', '-33.00']);
  });

  test.each<[string, object, number, string]>([
    ['a date of today', { requestedExecutionDate: '2027-08-02' }, 400, 'EXECUTION_DATE_INVALID'],
    ['a date that has passed', { requestedExecutionDate: '2027-07-01' }, 400, 'EXECUTION_DATE_INVALID'],
    ['another currency', { amount: { amount: '1.00', currency: 'EUR' } }, 400, 'PAYMENT_FAILED'],
    ['an amount of nothing', { amount: { amount: '0.00', currency: 'NOK' } }, 400, 'FORMAT_ERROR'],
    ['nothing', {}, 400, 'FORMAT_ERROR'],
    ['another creditor', { creditorName: 'Me' }, 400, 'FORMAT_ERROR'],
  ])('%s is refused and changes nothing', async (_what, change, status, code) => {
    await bank.control('PUT', '/sandbox/clock', { now: '2027-08-02T12:00:00+02:00' });
    const id = await future(`${(kroner += 1)}.00`, '2027-09-15');
    const before = await act('GET', id);
    expect(await act('PATCH', id, '', change)).toMatchObject({ status, body: { code } });
    expect((await act('GET', id)).body).toEqual(before.body);
  });

  test('a periodic payment has no date to change', async () => {
    const id = await bank.pays(periodicPath, periodicPayment({ startDate: '2027-09-15' }));
    const answer = await act('PATCH', id, '', { requestedExecutionDate: '2027-10-01' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'SERVICE_INVALID' } });
  });
});

describe('P14: cancelled in another channel', () => {
  test('it is CANC, nothing of it is paid, and its id stays valid', async () => {
    const id = await future('60.00', '2027-09-15');
    const answer = await act('POST', id, '/cancel');
    expect(lastOf(answer)).toBe('CANC cancelled in another channel');
    expect((await read(id)).body.transactionStatus).toBe('CANC');
    await bank.advance({ to: '2027-09-17' });
    expect((await act('GET', id)).body.entries).toEqual([]);
  });

  test.each(['/cancel', ''])('STATUS_INVALID: only a payment that is ACSP is reached by it (%j)', async (suffix) => {
    const body = await bank.initiates(
      singlePath,
      singlePayment({ instructedAmount: { amount: `7${suffix.length}.00`, currency: 'NOK' } }),
    );
    const change = suffix === '' ? { requestedExecutionDate: '2027-12-01' } : undefined;
    const answer = await act(suffix === '' ? 'PATCH' : 'POST', body.paymentId, suffix, change);
    expect(answer).toMatchObject({ status: 409, body: { code: 'STATUS_INVALID', allowed: ['ACSP'] } });
  });
});

describe('S9b: a status that the bank never gives', () => {
  test.each(['ACTC', 'ACWC', 'ACWP', 'ACCC', 'ACFC'])(
    '%s is what the TPP reads until the bank goes on',
    async (status) => {
      const id = await future(`80.${status.charCodeAt(2)}`, '2027-10-15');
      const answer = await act('POST', id, '/status', { status });
      expect(answer).toMatchObject({ status: 200, body: { status: 'ACSP', forcedStatus: status } });
      expect(lastOf(answer)).toBe(`${status} forced`);
      expect((await read(id)).body.transactionStatus).toBe(status);
      expect((await bank.signed('GET', `${singlePath}/${id}/status`)).body.transactionStatus).toBe(status);
      await act('POST', id, '/cancel');
      expect((await read(id)).body.transactionStatus).toBe('CANC');
    },
  );

  test('what the bank does with the payment stays as it is: it settles', async () => {
    const id = await future('90.00', '2027-10-15');
    await act('POST', id, '/status', { status: 'ACWC' });
    await bank.advance({ until: { paymentId: id, status: 'ACSC' } });
    expect((await act('GET', id)).body).toMatchObject({ status: 'ACSC', forcedStatus: null });
    const late = await act('POST', id, '/status', { status: 'ACCC' });
    expect(late).toMatchObject({ status: 409, body: { code: 'STATUS_INVALID' } });
  });

  test('a change in another channel leaves it, and the history ends with it', async () => {
    const id = await future('91.00', '2027-11-15');
    await act('POST', id, '/status', { status: 'ACWC' });
    const changed = await act('PATCH', id, '', { requestedExecutionDate: '2027-11-18' });
    expect(lastOf(changed)).toBe('ACWC changed in another channel: date 2027-11-18');
    expect((await read(id)).body.transactionStatus).toBe('ACWC');
    expect(await brokenProofs(bank.bank)).toEqual({});
  });

  test.each(['ACSC', 'RJCT', 'XXXX'])('%s is not one of them', async (status) => {
    const { body } = await act('POST', 'nothing', '/status', { status });
    expect(body).toMatchObject({ status: 400, allowed: ['ACTC', 'ACWC', 'ACWP', 'ACCC', 'ACFC'] });
  });
});

test('an unknown payment is 404, whatever is asked of it', async () => {
  for (const [method, suffix, body] of [
    ['PATCH', '', { requestedExecutionDate: '2027-12-01' }],
    ['POST', '/cancel', undefined],
    ['POST', '/status', { status: 'ACTC' }],
  ] as const) {
    expect(await act(method, 'nothing', suffix, body)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
});
