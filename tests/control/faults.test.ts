import { afterEach, describe, expect, test } from '@jest/globals';
import { endpoints } from '../../api/interface/index.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
afterEach(() => bank.control('DELETE', '/sandbox/faults'));

const arm = (order: object): Promise<Reply> => bank.control('POST', '/sandbox/faults', order);
const codeOf = (answer: Reply): string => `${answer.status} ${answer.body?.tppMessages?.[0]?.code ?? ''}`;
const initiate = (): Promise<Reply> =>
  bank.signed('POST', singlePath, {
    body: singlePayment(),
    headers: { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' },
  });

test('K15: a hundred faults are armed at most, however many calls they take; a spent one makes room', async () => {
  const armed = await Promise.all(
    Array.from({ length: 110 }, (_, index) => arm({ code: 'FORBIDDEN', times: index === 0 ? 1 : 1_000_000 })),
  );
  const refused = armed.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(10);
  expect(refused[0]?.headers.get('content-type')).toContain('application/problem+json');
  expect(refused[0]).toMatchObject({
    status: 429,
    body: {
      detail: 'There are 100 armed faults, which is the most. DELETE /sandbox/faults disarms all of them.',
      allowed: { faults: '100' },
    },
  });
  expect((await bank.signed('GET', '/v1/sandbox/customers')).status).toBe(403);
  expect([(await arm({ code: 'FORBIDDEN' })).status, (await arm({ code: 'FORBIDDEN' })).status]).toEqual([200, 429]);
  await bank.control('DELETE', '/sandbox/faults');
  expect((await arm({ code: 'FORBIDDEN' })).status).toBe(200);
});

describe('E6: which calls a fault takes', () => {
  test('as many as its times say, and GET tells how many are left', async () => {
    await arm({ code: 'SYSTEM_ERROR', times: 2 });
    const all = [];
    for (let call = 0; call < 3; call += 1) all.push(codeOf(await bank.signed('GET', '/v1/sandbox/customers')));
    expect(all).toEqual(['500 SYSTEM_ERROR', '500 SYSTEM_ERROR', '200 ']);
    await arm({ code: 'FORBIDDEN', times: 2 });
    await bank.signed('GET', '/v1/sandbox/customers');
    const { body } = await bank.control('GET', '/sandbox/faults');
    expect(body).toEqual({ faults: [{ id: expect.any(Number), code: 'FORBIDDEN', times: 2, remaining: 1 }] });
  });

  test('those of its method and path, whose * is one segment, in either base', async () => {
    const [{ resourceId: id }, { resourceId: other }] = (await bank.signed('GET', '/v1/sandbox/accounts')).body;
    await arm({ code: 'FORBIDDEN', method: 'GET', path: `/v1/sandbox/*/${id}/transactions`, times: 10 });
    for (const [target, expected] of [
      [`/v1/sandbox/accounts/${id}/transactions`, '403 FORBIDDEN'],
      [`/v1/sandbox/accounts/${id}/transactions?limit=1`, '403 FORBIDDEN'],
      [`/api-sandbox/v1/sandbox/accounts/${encodeURIComponent(id)}/transactions`, '403 FORBIDDEN'],
      [`/v1/sandbox/accounts/${other}/transactions`, '200 '],
      ['/v1/sandbox/accounts', '200 '],
    ] as const) {
      expect([target, codeOf(await bank.signed('GET', target))]).toEqual([target, expected]);
    }
    expect(codeOf(await bank.signed('DELETE', `/v1/sandbox/accounts/${id}/transactions`))).toBe('204 ');
    expect((await bank.control('GET', '/sandbox/faults')).body.faults).toMatchObject([{ remaining: 7 }]);
    await arm({ code: 'CONFLICT', path: '/v1/sandbox/accounts/*' });
    expect(codeOf(await bank.signed('GET', '/v1/sandbox/accounts'))).toBe('200 ');
    expect(codeOf(await bank.signed('GET', `/v1/sandbox/accounts/${other}`))).toBe('409 CONFLICT');
  });

  test('one after the other, the oldest that matches first', async () => {
    await arm({ code: 'CONFLICT', path: '/v1/sandbox' });
    await arm({ code: 'FORBIDDEN' });
    const answers = [
      await bank.signed('GET', '/v1/sandbox/customers'),
      await bank.signed('GET', '/v1/sandbox/customers'),
    ];
    expect(answers.map(codeOf)).toEqual(['409 CONFLICT', '403 FORBIDDEN']);
  });

  test.each<[string, string, Record<string, string>, string]>([
    ['an unknown PSU', '/v1/accounts', { 'psu-id': '4eba4445-1a4b-47b8-bdd5-4e56ef026b19' }, 'PSU_CREDENTIALS_INVALID'],
    ['no consent', '/v1/accounts', { 'x-psu-identity': '13039319955' }, 'CONSENT_INVALID'],
    ['an unknown account', '/v1/sandbox/accounts/a', {}, 'RESOURCE_UNKNOWN'],
    ['an unknown payment', `${singlePath}/a`, {}, 'RESOURCE_UNKNOWN'],
    ['an unknown parameter', '/v1/sandbox/accounts?colour=red', {}, 'PARAMETER_NOT_SUPPORTED'],
  ])('E6b: none of a call that the bank refuses: %s', async (_, target, headers, refusal) => {
    await arm({ code: 'SERVICE_BLOCKED', times: 3 });
    const { body } = await bank.signed('GET', target, { headers });
    expect(body.tppMessages[0].code).toBe(refusal);
    expect(body.tppMessages[0].text).not.toContain('Provoked');
    expect((await bank.control('GET', '/sandbox/faults')).body.faults).toMatchObject([{ times: 3, remaining: 3 }]);
  });

  test('E6b, A8: a refused read is not counted, and one too many is refused for itself', async () => {
    const headers = { ...(await bank.consents()), 'psu-ip-address': null };
    const [{ resourceId }] = (await bank.signed('GET', '/v1/accounts', { headers })).body.accounts;
    const read = async (): Promise<string> =>
      codeOf(await bank.signed('GET', `/v1/accounts/${resourceId}/balances`, { headers }));
    await arm({ code: 'SERVICE_BLOCKED', times: 3 });
    for (let call = 0; call < 3; call += 1) expect(await read()).toBe('403 SERVICE_BLOCKED');
    for (let call = 0; call < 4; call += 1) expect(await read()).toBe('200 ');
    await arm({ code: 'SERVICE_BLOCKED' });
    expect(await read()).toBe('429 ACCESS_EXCEEDED');
    expect((await bank.control('GET', '/sandbox/faults')).body.faults).toMatchObject([{ remaining: 1 }]);
  });

  test('E6b: one call of several at the same time, when its times are one', async () => {
    await arm({ code: 'SERVICE_BLOCKED' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => bank.signed('GET', '/v1/sandbox/customers')));
    expect(answers.map(codeOf).sort()).toEqual(['200 ', '200 ', '200 ', '200 ', '403 SERVICE_BLOCKED']);
  });

  test('every path that names a resource says of which kind it is', () => {
    const ids = (path: string): number => path.replace('/:product', '').split('/:').length - 1;
    for (const { path, names } of endpoints) {
      const wanted = ids(path) === 0 ? undefined : /^(\/sandbox)?\/(card-)?accounts\//.test(path) ? 'account' : 'path';
      expect([path, names]).toEqual([path, wanted]);
    }
  });

  test('G1: only those that have passed the checks before meaning; they do nothing of what was asked', async () => {
    await arm({ code: 'PAYMENT_FAILED' });
    expect((await bank.raw('GET', '/v1/accounts')).body.tppMessages[0].code).toBe('SIGNATURE_MISSING');
    const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
    expect(codeOf(await bank.signed('POST', singlePath, { body: {}, headers }))).toBe('400 FORMAT_ERROR');
    expect((await bank.control('GET', '/sandbox/faults')).body.faults).toHaveLength(1);
    expect(codeOf(await initiate())).toBe('400 PAYMENT_FAILED');
    expect(await bank.bank.ledger.read((reader) => reader.selectFrom('payment').selectAll().execute())).toEqual([]);
  });

  test('none that is not below /v1: the control plane cannot lock itself out', async () => {
    await arm({ code: 'FORBIDDEN' });
    expect((await bank.control('GET', '/sandbox/clock')).status).toBe(200);
  });
});

describe('K15: disarming', () => {
  test.each<[string, () => Promise<Reply>]>([
    ['DELETE /sandbox/faults', () => bank.control('DELETE', '/sandbox/faults')],
    ['POST /sandbox/reset', () => bank.reset()],
    ['a restore of seeded', () => bank.control('POST', '/sandbox/snapshots/seeded/restore')],
    ['D7: initialize', () => bank.signed('POST', '/v1/sandbox/initialize')],
    ['D7: initialize at the other base', () => bank.signed('POST', '/api-sandbox/v1/sandbox/initialize')],
  ])('%s disarms all', async (_, disarm) => {
    await arm({ code: 'FORBIDDEN', path: '/v1/sandbox/customers', times: 9 });
    expect((await disarm()).status).toBe(200);
    expect((await bank.control('GET', '/sandbox/faults')).body).toEqual({ faults: [] });
    expect((await bank.signed('GET', '/v1/sandbox/customers')).status).toBe(200);
  });

  test('D7: an initialize that is refused disarms nothing', async () => {
    await arm({ code: 'FORBIDDEN', times: 2 });
    expect(codeOf(await bank.signed('POST', '/v1/sandbox/initialize'))).toBe('403 FORBIDDEN');
    expect((await bank.control('GET', '/sandbox/faults')).body.faults).toMatchObject([{ remaining: 1 }]);
  });
});

test.each([
  [{}, 'code'],
  [{ code: 'NO_SUCH' }, 'code'],
  [{ code: 'FORBIDDEN', method: 'PATCH' }, 'method'],
  [{ code: 'FORBIDDEN', path: '/sandbox/clock' }, 'path'],
  [{ code: 'FORBIDDEN', path: '/v10' }, 'path'],
  [{ code: 'FORBIDDEN', path: '/v1/acounts' }, 'path'],
  [{ close: true, path: '/v1/accounts/*/balance' }, 'path'],
  [{ close: true, path: '/v1/accounts/1/balances/2' }, 'path'],
  [{ close: true, method: 'DELETE', path: '/v1/accounts' }, 'path'],
  [{ code: 'FORBIDDEN', times: 0 }, 'times'],
  [{ code: 'FORBIDDEN', status: 400 }, 'status'],
])('K15: %j is refused: %s', async (order, path) => {
  expect(await arm(order)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
});

test('E6: a path that no call has is refused with the nearest one; the beginning of one, and both bases, are taken', async () => {
  const { body } = await arm({ close: true, path: '/v1/acounts' });
  expect(body.detail).toBe('No call of the interface has the path "/v1/acounts". The nearest is /v1/accounts.');
  for (const path of ['/v1/accounts/*/balance', '/v1/accounts/{accountId}/balances']) {
    const { detail, allowed } = (await arm({ close: true, path })).body;
    expect([path, detail]).toEqual([path, expect.stringMatching(/The nearest is \/v1\/accounts\/\*\/balances\.$/)]);
    for (const each of allowed) expect([each, (await arm({ close: true, path: each })).status]).toEqual([each, 200]);
    await bank.control('DELETE', '/sandbox/faults');
  }
  const typo = (await arm({ close: true, path: '/v1/payments/norwegian-domestic-credit-transfer/*' })).body;
  expect(typo.detail).toMatch(/The nearest is \/v1\/payments\/norwegian-domestic-credit-transfers\/\*\.$/);
  expect((await arm({ close: true, path: '/v1/bulk-payments/sepa-credit-transfers' })).status).toBe(400);
  const products = '/v1/payments/sepa-credit-transfers/*/status';
  for (const path of [
    '/v1',
    '/v1/',
    '/v1/payments/*',
    products,
    '/v1/signing-baskets/*',
    '/api-sandbox/v1/accounts/x/balances',
    '/v1/*/*',
  ])
    expect([path, (await arm({ close: true, path })).status]).toEqual([path, 200]);
});
