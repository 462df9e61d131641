import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { startTestBank, type Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const psu = '13039319955';
const now = '2027-03-24T12:00:00+01:00';

const bank = testBank(now);

const headersOf = (requestId: string) => ({
  'x-request-id': requestId,
  'x-psu-identity': psu,
  'psu-context': 'PRIVATE',
});
const call = (path: string, body: object, requestId: string, at = bank): Promise<Reply> =>
  at.signed('POST', path, { body, headers: headersOf(requestId) });
const amount = (kroner: string): object => ({ instructedAmount: { amount: kroner, currency: 'NOK' } });
interface Customer {
  readonly customerNumber: string;
  readonly _links: { readonly self: { readonly href: string } };
}

const isTaken = { status: 400, body: { tppMessages: [{ code: 'FORMAT_ERROR', path: 'x-request-id' }] } };

describe('P9: the same initiation twice', () => {
  test.each<[string, string, object]>([
    ['single', singlePath, singlePayment(amount('1.00'))],
    ['periodic', periodicPath, periodicPayment()],
    ['bulk', bulkPath, bulkPayment([bulkItem('1.01')])],
    ['straks', '/v1/payments/instant-norwegian-domestic-credit-transfers-straks', singlePayment(amount('1.02'))],
  ])('%s: gets the first answer, links and all, and creates nothing', async (_, path, body) => {
    const id = randomUUID();
    const first = await call(path, body, id);
    expect(first.status).toBe(201);
    const second = await call(path, body, id);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(second.headers.get('x-request-id')).toBe(id);
  });

  test('also after the payment has gone on: the answer is as it was then', async () => {
    const id = randomUUID();
    const body = singlePayment(amount('2.00'));
    const first = await call(singlePath, body, id);
    await bank.approve(first.body, psu);
    const second = await call(singlePath, body, id);
    expect(second.body).toEqual(first.body);
    expect(second.body.transactionStatus).toBe('RCVD');
  });
});

describe('P9: another call under the same id is a FORMAT_ERROR on x-request-id', () => {
  test.each<[string, string, object]>([
    ['another amount', '?allowLogicalDuplicate=true', singlePayment(amount('3.01'))],
    ['another query', '', singlePayment(amount('3.00'))],
  ])('%s', async (_, query, body) => {
    const id = randomUUID();
    await call(`${singlePath}?allowLogicalDuplicate=true`, singlePayment(amount('3.00')), id);
    expect(await call(`${singlePath}${query}`, body, id)).toMatchObject(isTaken);
  });

  test.each<[string, string, string, object]>([
    ['another service', '3.02', bulkPath, bulkPayment([bulkItem('3.03')])],
    [
      'another product',
      '3.04',
      '/v1/payments/instant-norwegian-domestic-credit-transfers-straks',
      singlePayment(amount('3.05')),
    ],
  ])('but P9b: %s is another path, and so another call', async (_, kroner, path, body) => {
    const id = randomUUID();
    const first = await call(singlePath, singlePayment(amount(kroner)), id);
    const second = await call(path, body, id);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.paymentId).not.toBe(first.body.paymentId);
  });

  test.each([
    ['X-PSU-IDENTITY', '2.21', { 'x-psu-identity': '12085592767' }],
    [
      'PSU-Corporate-ID',
      '2.22',
      { 'psu-context': 'CORPORATE', 'psu-corporate-id': 'a6e0b2c4-0000-4000-8000-000000000000' },
    ],
  ])('for another PSU, or on behalf of another corporation, the id is taken: %s', async (_, kroner, headers) => {
    const id = randomUUID();
    const body = singlePayment(amount(kroner));
    expect((await call(singlePath, body, id)).status).toBe(201);
    const other = { ...headersOf(id), ...headers };
    expect(await bank.signed('POST', singlePath, { body, headers: other })).toMatchObject(isTaken);
  });

  test('and a refused call leaves its id free', async () => {
    const id = randomUUID();
    expect((await call(singlePath, singlePayment(amount('3.2')), id)).status).toBe(400);
    expect(
      (await call(singlePath, singlePayment({ debtorAccount: { bban: '11111111111', currency: 'NOK' } }), id)).status,
    ).toBe(400);
    expect((await call(singlePath, singlePayment(amount('3.20')), id)).status).toBe(201);
  });
});

test('P9: under /v1/sandbox one id serves every call', async () => {
  const headers = { 'x-request-id': 'TEST_SCRIPT_REQUEST_ID_1' };
  for (const customerNumber of ['20079718492', '23119621380']) {
    const body = { customerNumber, name: 'Test Testperson', type: 'private' };
    expect((await bank.signed('POST', '/v1/sandbox/customers', { body, headers })).status).toBe(201);
  }
});

describe('P9: what is remembered', () => {
  test('goes with the debtor account, so that published scripts can begin anew', async () => {
    await using other = await startTestBank(now);
    const id = randomUUID();
    const { body } = await other.signed('GET', '/v1/sandbox/customers');
    const customers: readonly Customer[] = body.customers ?? body;
    const self = customers.find(({ customerNumber }) => customerNumber === psu)?._links.self.href ?? '';
    await call(singlePath, singlePayment(), id, other);
    expect((await other.signed('DELETE', self)).status).toBeLessThan(300);
    expect(await call(singlePath, singlePayment(), id, other)).toMatchObject({ status: 401 });
  });

  test('a reset forgets it', async () => {
    await using other = await startTestBank(now);
    const id = randomUUID();
    const first = await call(singlePath, singlePayment(), id, other);
    expect((await other.control('POST', '/sandbox/reset', {})).status).toBe(200);
    const second = await call(singlePath, singlePayment(), id, other);
    expect(second.status).toBe(201);
    expect(second.body.paymentId).not.toBe(first.body.paymentId);
  });
});
