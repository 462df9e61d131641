import { beforeEach, describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import type { Reply } from '../lab/server.ts';
import { testBankForEach } from '../support/test-bank.ts';

const psu = '13039319955';
const bank = testBankForEach('2027-03-24T12:00:00+01:00');

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
  await bank.advance({ by: 'PT1H1S' });
  expect((await read('second')).status).toBe(401);
});

describe('A7b: the SCA of a payment and the session for reading', () => {
  let psuId: string;
  let account: string;
  beforeEach(async () => {
    psuId = await psuIdFrom(await offered('reading'));
    const { body } = await bank.signed('GET', '/v1/accounts', { headers: { 'psu-id': psuId } });
    account = body.accounts[0].resourceId;
  });

  /** Whether old transactions, which need a session, can be read in this one. */
  async function isLive(session: string): Promise<boolean> {
    const headers = { 'psu-id': psuId, 'tpp-session-id': session };
    const path = `/v1/accounts/${account}/transactions?dateFrom=2026-01-01`;
    return (await bank.signed('GET', path, { headers })).status === 200;
  }

  const inSession = (session: string): Record<string, string> => ({ 'psu-id': psuId, 'tpp-session-id': session });

  let amounts = 0;
  async function initiated(session: string, more: object = {}): Promise<Reply['body']> {
    amounts += 1;
    const body = singlePayment({ instructedAmount: { amount: `${amounts}.00`, currency: 'NOK' }, ...more });
    return (await bank.signed('POST', singlePath, { body, headers: inSession(session) })).body;
  }

  async function signed(session: string, start: { readonly href: string }): Promise<void> {
    const started = await bank.signed('POST', start.href, { headers: inSession(session) });
    await bank.approve(started.body, psu);
  }

  test('a payment opens one under its own TPP-Session-ID, and ends none', async () => {
    const { _links: links } = await initiated('paying');
    await signed('paying', links.startAuthorisation);
    expect([await isLive('reading'), await isLive('paying'), await isLive('other')]).toEqual([true, true, false]);
  });

  test('so does a signing basket', async () => {
    const { paymentId } = await initiated('paying');
    const body = { paymentIds: [paymentId] };
    const basket = await bank.signed('POST', '/v1/signing-baskets', { body, headers: inSession('basket') });
    await signed('basket', basket.body._links.startAuthorisation);
    expect([await isLive('reading'), await isLive('basket'), await isLive('paying')]).toEqual([true, true, false]);
  });

  test('so does a cancellation', async () => {
    const { _links: links } = await initiated('paying', { requestedExecutionDate: '2027-04-20' });
    await signed('paying', links.startAuthorisation);
    const deleted = await bank.signed('DELETE', links.self.href, { headers: inSession('paying') });
    await signed('cancelling', deleted.body._links.startAuthorisation);
    expect([await isLive('reading'), await isLive('paying'), await isLive('cancelling')]).toEqual([true, true, true]);
  });

  test('a session that a payment renews lasts an hour from then on', async () => {
    await bank.advance({ by: 'PT40M' });
    const { _links: links } = await initiated('reading');
    await signed('reading', links.startAuthorisation);
    await bank.advance({ by: 'PT40M' });
    expect(await isLive('reading')).toBe(true);
  });

  test.each([
    ['POST', '/v1/bank-offered-consents'],
    ['GET', '/v1/users'],
  ])('%s %s with a new id replaces every other session; with a live one, none', async (method, path) => {
    const { _links: links } = await initiated('paying');
    await signed('paying', links.startAuthorisation);
    const again = async (session: string): Promise<void> => {
      const answer = await bank.signed(method, path, { headers: inSession(session) });
      await bank.approve(answer.body, psu);
    };
    await again('reading');
    expect([await isLive('reading'), await isLive('paying')]).toEqual([true, true]);
    await again('new');
    expect([await isLive('reading'), await isLive('paying'), await isLive('new')]).toEqual([false, false, true]);
  });

  test('an id whose hour is over is a new one', async () => {
    await bank.advance({ by: 'PT1H1S' });
    const { _links: links } = await initiated('paying');
    await signed('paying', links.startAuthorisation);
    await psuIdFrom(await offered('reading'));
    expect([await isLive('reading'), await isLive('paying')]).toEqual([true, false]);
  });

  test('interface, PSU identification 8: payment authorisations are independent of consent and session, and several are open at once', async () => {
    const [first, second, third] = [await initiated('one'), await initiated('two'), await initiated('three')];
    const open: string[] = [];
    for (const { _links: links } of [first, second, third]) {
      const { body } = await bank.signed('POST', links.startAuthorisation.href, { headers: inSession('any') });
      open.push(body._links.scaRedirect.href);
    }
    const status = async ({ _links: links }: Reply['body']): Promise<string> =>
      (await bank.signed('GET', links.self.href, { headers: { 'psu-id': psuId } })).body.transactionStatus;
    // In the session, when it is over, and when the consent is gone: each is signed by itself.
    await bank.approve(open[1] ?? '', psu);
    expect([await status(first), await status(second), await status(third)]).toEqual(['RCVD', 'PDNG', 'RCVD']);
    await bank.advance({ by: 'PT1H1S' });
    expect([await isLive('reading'), await isLive('any')]).toEqual([false, false]);
    await bank.approve(open[2] ?? '', psu);
    const { consents } = (await bank.control('GET', '/sandbox/consents')).body;
    await bank.control('DELETE', `/sandbox/consents/${consents[0].consentId}`);
    await bank.approve(open[0] ?? '', psu);
    expect([await status(first), await status(third)]).toEqual(['PDNG', 'PDNG']);
    const reading = await bank.signed('GET', '/v1/accounts', { headers: { 'psu-id': psuId } });
    expect([reading.status, reading.body.tppMessages[0].code]).toEqual([401, 'CONSENT_INVALID']);
  });
});
