import { beforeAll, describe, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import { people } from '../lab/payments.ts';
import { someOf } from '../support/sample.ts';
import { forAll } from '../support/test-bank.ts';

/* K11: every date of every call is of the years of the bank clock, or refused; none is an error of the bank. */

const bank = forAll(
  () => createBank({ now: '2027-02-01T12:00:00+01:00' }),
  (own) => own.close(),
);
let paymentId: string;
let account: string;

beforeAll(async () => {
  await send('POST', '/sandbox/life', { account: people.even.bban, persona: 'family' });
  const made = await send('POST', '/sandbox/payments', { from: people.nora.bban, to: '90491105991', amount: '10.00' });
  paymentId = made.body.payment.paymentId;
  await send('POST', '/sandbox/clock/advance', { to: '2027-02-05' });
  const { body } = await send('GET', '/sandbox/as/pay/v1/sandbox/accounts');
  account = body.accounts?.[0]?.id ?? body[0].id;
});

// oxlint-disable-next-line typescript/no-explicit-any -- reads members of answers whose shape it knows
async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const reply = await bank.fetch(path, {
    method,
    headers: { 'content-type': body === undefined ? null : 'application/json', 'PSU-Context': 'PRIVATE' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  } as never);
  const text = await reply.text();
  return { status: reply.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
}

const beyond = ['0001-01-01', '1700-02-28', '1989-12-31', '2100-01-01', '2101-12-31', '2102-01-01', '9999-12-31'];
const within = ['1990-01-01', '2099-12-31'];

const windows = [
  `/sandbox/life/${people.even.bban}/truth`,
  `/sandbox/accounts/${people.nora.bban}`,
  '/sandbox/payments',
  '/sandbox/runs',
];

describe('K11: a date beyond the years of the bank clock', () => {
  test.each(windows)('of %s is refused by its name, and the first and last day are taken', async (path) => {
    for (const name of ['from', 'to'])
      for (const date of beyond) {
        const { status, body } = await send('GET', `${path}?${name}=${date}`);
        expect([path, name, date, status, body.errors?.[0]?.path]).toEqual([path, name, date, 400, name]);
      }
    for (const date of within)
      for (const name of ['from', 'to']) expect((await send('GET', `${path}?${name}=${date}`)).status).toBe(200);
  });

  test('S12: a return is not planned for a day that never comes', async () => {
    for (const on of beyond) {
      const { status, body } = await send('POST', `/sandbox/payments/${paymentId}/return`, { reason: 'AC04', on });
      expect([on, status, body.errors?.[0]?.path]).toEqual([on, 400, 'on']);
    }
    const last = await send('POST', `/sandbox/payments/${paymentId}/return`, { reason: 'AC04', on: '2099-12-31' });
    expect(last.status).toBe(200);
  });

  test('of any call is no error of the bank', async () => {
    const failed: unknown[] = [];
    for (const date of someOf('dates of any call', [...beyond, ...within], 2)) {
      const at = encodeURIComponent(`${date}T23:59:59+14:00`);
      const transaction = { amount: 1, currency: 'NOK', bookingDate: date, valueDate: date };
      const payment = { from: people.nora.bban, to: '90491105991', amount: '1.00', allowDuplicate: true };
      const calls: readonly (readonly [method: string, path: string, body?: unknown])[] = [
        ...[`from=${date}&to=${date}`, `from=${date}&to=2027-02-02`, `from=2027-02-02&to=${date}`].flatMap((query) =>
          ['calendar', 'timeline', 'payments', 'runs'].map((path) => ['GET', `/sandbox/${path}?${query}`] as const),
        ),
        ...[date, at].flatMap((one) => [
          ['GET', `/sandbox/forecast?to=${one}`] as const,
          ['GET', `/sandbox/when?at=${one}`] as const,
          ['POST', '/sandbox/clock/advance', { to: decodeURIComponent(one), dryRun: true }] as const,
          [
            'POST',
            `/sandbox/schedule?signedAt=${one}`,
            { startDate: date, endDate: date, frequency: 'Monthly' },
          ] as const,
        ]),
        ['GET', `/sandbox/runs/${date}/1`],
        ['GET', `/sandbox/search?q=${date}`],
        ...[1, 2].map((half) => ['GET', `/console/calendar/run/${date}/${half}`] as const),
        ['GET', `/console/calendar?month=${date.slice(0, 7)}`],
        ['GET', `/console/when?date=${date}`],
        ['POST', `/sandbox/payments/${paymentId}/reject`, { occurrence: date, reason: 'closed' }],
        ['POST', `/sandbox/payments/${paymentId}/return`, { occurrence: date, reason: 'AC04' }],
        ['PATCH', `/sandbox/payments/${paymentId}`, { requestedExecutionDate: date }],
        ['POST', '/sandbox/payments', { ...payment, on: date }],
        ['POST', '/sandbox/payments', { ...payment, on: date, every: 'Monthly' }],
        ['POST', '/sandbox/payments', { ...payment, on: '2027-03-01', every: 'Monthly', until: date }],
        ['POST', `/sandbox/as/pay/v1/sandbox/accounts/${account}/transactions`, [transaction]],
        ...['booked', 'pending', 'both'].map(
          (status) =>
            [
              'GET',
              `/sandbox/as/pay/v1/accounts/${account}/transactions?bookingStatus=${status}&dateFrom=${date}&dateTo=${date}`,
            ] as const,
        ),
      ];
      for (const [method, path, body] of calls) {
        const { status } = await send(method, path, body);
        if (status >= 500) failed.push([method, path, body, status]);
      }
    }
    expect(failed).toEqual([]);
    expect((await send('GET', '/sandbox/ledger/proof')).body.ok).not.toBe(false);
  });
});
