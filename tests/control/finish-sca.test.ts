import { beforeEach, expect, test } from '@jest/globals';
import { controlForEach } from './control-client.ts';
import { pay, beginSigning } from '../lab/payments.ts';
import type { Answer } from './control-client.ts';

const control = controlForEach('2027-03-24T12:00:00.000+01:00');
let paymentId: string;
let scaId: string;

beforeEach(async () => {
  const { payment } = await pay(control.bank, { from: 'nora', to: 'even', amount: '100.00' });
  paymentId = payment.resource_id;
  scaId = await beginSigning(control.bank, paymentId, 'payment');
});

const finish = (body: unknown, id = scaId): Promise<Answer> => control.post(`/sandbox/sca/${id}`, body);
const approval = { outcome: 'approve', psu: '13039319955', context: 'PRIVATE' };

async function status(): Promise<string> {
  return (await control.get(`/sandbox/payments/${encodeURIComponent(paymentId)}`)).body.status;
}

test('A3: approved in one call; the answer is the exact redirect, and the payment is signed', async () => {
  const answer = await finish(approval);
  expect(answer.status).toBe(200);
  const redirect = new URL(answer.body.redirect);
  expect([redirect.origin, redirect.searchParams.get('tpp-session-id')]).toEqual(['https://tpp.example', 'session-1']);
  expect(redirect.searchParams.get('psu-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await status()).toBe('PDNG');
});

test.each([
  ['cancelled', { outcome: 'cancel' }],
  ['failed', { outcome: 'fail' }],
  ['failed with a code', { outcome: 'fail', failure: 'PSU_CREDENTIALS_INVALID' }],
  ['the wrong PSU', { ...approval, psu: '12085592767' }],
  ['an unknown PSU', { ...approval, psu: '1' }],
])('A4b: %s: a failure redirect, and the payment can be authorised again', async (_why, body) => {
  const answer = await finish(body);
  expect(answer.status).toBe(200);
  expect(new URL(answer.body.redirect).searchParams.has('psu-id')).toBe(false);
  expect(await status()).toBe('RCVD');
  scaId = await beginSigning(control.bank, paymentId, 'payment');
  await finish(approval);
  expect(await status()).toBe('PDNG');
});

test('A2: an SCA works once; an unknown one is 404', async () => {
  await finish(approval);
  const again = await finish(approval);
  expect([again.status, again.body.code]).toEqual([400, 'SCA_INVALID']);
  const unknown = await finish(approval, 'nothing');
  expect([unknown.status, unknown.body.code]).toEqual([404, 'SCA_NOT_FOUND']);
});

test.each([
  [{ outcome: 'approve' }, ['psu', 'context']],
  [{ ...approval, outcome: 'agree' }, ['outcome']],
  [{ ...approval, failure: 'SCA_INVALID' }, ['failure']],
  [{ outcome: 'fail', failure: 'NO_SUCH_CODE' }, ['failure']],
  [{}, ['outcome']],
])('%j: 400, and the SCA is still open', async (body, paths) => {
  const answer = await finish(body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
  if (paths[0] === 'failure' && !('psu' in body)) expect(answer.body.allowed).toContain('SCA_INVALID');
  expect((await finish(approval)).status).toBe(200);
});

test('A4b: expired: the redirect says SCA_EXPIRED, and the link is one that has run out', async () => {
  const answer = await finish({ outcome: 'expire' });
  const redirect = new URL(answer.body.redirect).searchParams;
  expect([answer.status, redirect.get('code'), redirect.get('status')]).toEqual([200, 'SCA_EXPIRED', '400']);
  expect(redirect.has('psu-id')).toBe(false);
  for (const again of [approval, { outcome: 'expire' }]) {
    expect(await finish(again)).toMatchObject({ status: 400, body: { code: 'SCA_EXPIRED' } });
  }
  expect(await status()).toBe('RCVD');
  scaId = await beginSigning(control.bank, paymentId, 'payment');
  await finish(approval);
  expect(await status()).toBe('PDNG');
});
