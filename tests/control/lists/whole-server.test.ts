import { beforeAll, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../../lab/bodies.ts';
import type { Reply } from '../../lab/server.ts';
import { testBank } from '../../support/test-bank.ts';

const psu = '13039319955';
const psuHeaders = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
const server = testBank('2027-03-24T12:00:00+01:00');

beforeAll(async () => {
  const named = await server.control('POST', '/sandbox/banks', { name: 'other', now: '2027-03-24T12:00:00+01:00' });
  expect(named.status).toBe(200);
});

const get = (target: string): Promise<Reply> => server.control('GET', target);

test.each(['', '/banks/other'])('payments, SCAs, runs and accounts of a bank of a whole server (%j)', async (base) => {
  const initiated = await server.signed('POST', base + singlePath, { body: singlePayment(), headers: psuHeaders });
  const { paymentId, _links: links } = initiated.body;
  const { scas } = (await get(`${base}/sandbox/sca`)).body;
  expect(scas).toMatchObject([{ address: links.scaRedirect.href, payments: [paymentId], signers: [{ number: psu }] }]);
  expect((await fetch(scas[0].address)).status).toBe(200);
  const signed = await server.control('POST', `${base}/sandbox/sca/${scas[0].id}`, {
    outcome: 'approve',
    psu,
    context: 'PRIVATE',
  });
  expect(signed.status).toBe(200);
  const { payments, total } = (await get(`${base}/sandbox/payments?status=PDNG`)).body;
  expect([payments[0].paymentId, total]).toEqual([paymentId, 1]);
  await server.control('POST', `${base}/sandbox/clock/advance`, { until: { paymentId, status: 'ACSC' } });
  const { id } = payments[0].nextAttempt;
  for (const written of [id.replace('/', '-'), id.replace('/', '%2F'), id.replace('/', '%2f')]) {
    const { status, body } = await get(`${base}/sandbox/runs/${written}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { id, attempts: [{ paymentId, outcome: 'settle' }] } });
  }
  await server.control('POST', `${base}/sandbox/accounts/09232911044/top-up`, {
    amount: { amount: '1.00', currency: 'NOK' },
  });
  await server.control('POST', `${base}/sandbox/clock/advance`, { runs: 1 });
  const { entries } = (await get(`${base}/sandbox/accounts/09232911044?from=2027-03-24`)).body;
  expect(
    entries.map(({ text, balance }: { text: string; balance: { amount: string } }) => [text, balance.amount]),
  ).toEqual([
    ['Company 123', '17900.00'],
    ['Innskudd', '17901.00'],
  ]);
  expect((await get(`${base}/sandbox/payments`)).body).toMatchObject({ payments: [{ status: 'ACSC' }], total: 1 });
  expect((await get(`${base}/sandbox/ledger/proof`)).body.ok).toBe(true);
});

test('S6: what a TPP reads of a top-up is a booked transaction with the id that the control plane tells', async () => {
  const number = '74712699947';
  await server.control('POST', `/sandbox/accounts/${number}/top-up`, { amount: { amount: '12.50', currency: 'NOK' } });
  const { entries } = (await get(`/sandbox/accounts/${number}`)).body;
  const listed = (await server.signed('GET', '/v1/sandbox/accounts')).body;
  const { resourceId } = listed.find(({ bban }: { bban: string }) => bban === number);
  const read = await server.signed('GET', `/v1/sandbox/accounts/${resourceId}/transactions`);
  const text = JSON.stringify(read.body);
  expect(text).toContain(entries.at(-1).transactionId);
  expect(text).toContain('Innskudd');
});

test('a call that changes something asks for JSON, and a wrong method is 405', async () => {
  const topUp = await server.raw(
    'POST',
    '/sandbox/accounts/09232911044/top-up',
    { 'content-type': 'text/plain' },
    Buffer.from('{}'),
  );
  expect(topUp.status).toBe(415);
  expect((await server.control('DELETE', '/sandbox/payments')).status).toBe(405);
});
