import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTestBank, type Reply, type TestBank } from '../support/server.ts';

const psu = '13039319955';
let bank: TestBank;
beforeEach(async () => {
  bank = await startTestBank('2027-03-24T12:00:00+01:00');
});
afterEach(() => bank.stop());

/** The SCA that a consent in this session needs. */
async function offered(session: string): Promise<string> {
  const answer = await bank.signed('POST', '/v1/bank-offered-consents', { headers: { 'tpp-session-id': session } });
  return answer.body._links.scaRedirect.href;
}

async function psuIdFrom(scaRedirect: string): Promise<string> {
  return (await bank.approve(scaRedirect, psu)).searchParams.get('psu-id') ?? '';
}

test('SCA, 7: an aborted SCA leaves the old session valid, a completed one ends it', async () => {
  const psuId = await psuIdFrom(await offered('first'));
  const { body } = await bank.signed('GET', '/v1/accounts', { headers: { 'psu-id': psuId } });
  const old = `/v1/accounts/${body.accounts[0].resourceId}/transactions?dateFrom=2026-01-01`;
  const read = (session: string): Promise<Reply> =>
    bank.signed('GET', old, { headers: { 'psu-id': psuId, 'tpp-session-id': session } });
  const cancelled = new URL(await offered('second')).pathname.split('/').at(-1) ?? '';
  await bank.control('POST', `/sandbox/sca/${cancelled}`, { outcome: 'cancel' });
  expect([(await read('first')).status, (await read('second')).status]).toEqual([200, 401]);
  await psuIdFrom(await offered('second'));
  expect([(await read('first')).status, (await read('second')).status]).toEqual([401, 200]);
  await bank.control('POST', '/sandbox/clock/advance', { by: 'PT1H1S' });
  expect((await read('second')).status).toBe(401);
});

test('A7: over HTTP, 181 days after the last SCA: 401 CONSENT_EXPIRED with scaRedirect, which opens it again', async () => {
  const headers = { 'psu-id': await psuIdFrom(await offered('first')) };
  await bank.control('POST', '/sandbox/clock/advance', { by: 'P181D' });
  const refused = await bank.signed('GET', '/v1/accounts', { headers });
  expect(refused).toMatchObject({ status: 401, body: { tppMessages: [{ code: 'CONSENT_EXPIRED' }] } });
  await bank.approve(refused.body._links.scaRedirect.href, psu);
  expect((await bank.signed('GET', '/v1/accounts', { headers })).status).toBe(200);
});
