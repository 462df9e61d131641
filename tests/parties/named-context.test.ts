import { beforeEach, describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import type { Reply } from '../lab/server.ts';
import { corporatePsu, parameters, scaOf } from './corporate-client.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeEach(() => bank.control('POST', '/sandbox/reset', {}));

const body = singlePayment({ debtorAccount: { bban: '34110000016', currency: 'NOK' } });

/** Calls that open an SCA, with PSU-Context. */
const calls: readonly (readonly [string, (context: string) => Promise<Reply>])[] = [
  ['a consent', (context) => send('POST', '/v1/bank-offered-consents', context)],
  ['the deprecated call for a consent', (context) => send('POST', '/v1/consents', context)],
  ['a user', (context) => send('GET', '/v1/users', context)],
  ['a user, singular', (context) => send('GET', '/v1/user', context)],
  ['reading without consent', (context) => send('GET', '/v1/accounts', context)],
  [
    'a single-SCA initiation',
    (context) =>
      bank.signed('POST', singlePath, { body, headers: { 'x-psu-identity': corporatePsu, 'psu-context': context } }),
  ],
];

function send(method: string, path: string, context: string): Promise<Reply> {
  return bank.signed(method, path, { headers: { 'psu-context': context } });
}

function finish(sca: string, answer: object): Promise<Reply> {
  const id = new URL(sca).pathname.split('/').at(-1) ?? '';
  return bank.control('POST', `/sandbox/sca/${id}`, { outcome: 'approve', psu: corporatePsu, ...answer });
}

describe('A7d: PSU-Context binds the SCA to it', () => {
  test.each(calls)('%s: another context is 400 and leaves the SCA open', async (_what, call) => {
    const sca = scaOf(await call('CORPORATE'));
    const refused = await finish(sca, { context: 'PRIVATE' });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'FORMAT_ERROR', allowed: ['CORPORATE'], errors: [{ path: 'context' }] },
    });
    const redirect = await bank.approve(sca, corporatePsu, { context: 'CORPORATE' });
    expect(parameters(redirect)).toMatchObject({ context: 'CORPORATE', 'psu-corporate-id': expect.any(String) });
  });

  test('PRIVATE binds as well', async () => {
    const sca = scaOf(await send('GET', '/v1/users', 'PRIVATE'));
    expect((await finish(sca, { context: 'CORPORATE' })).status).toBe(400);
    expect(parameters(await bank.approve(sca, corporatePsu))).toMatchObject({ context: 'PRIVATE' });
  });

  test('without it, and at the start of an authorisation, the PSU chooses', async () => {
    const offered = await bank.signed('POST', '/v1/bank-offered-consents');
    expect((await finish(scaOf(offered), { context: 'CORPORATE' })).status).toBe(200);
    const headers = { 'x-psu-identity': corporatePsu, 'psu-context': 'CORPORATE' };
    const initiated = await bank.signed('POST', singlePath, { body, headers });
    const start = initiated.body._links.startAuthorisation.href;
    const started = await bank.signed('POST', start, { headers: { ...headers, 'psu-context': 'PRIVATE' } });
    const redirect = await bank.approve(scaOf(started), corporatePsu, { context: 'CORPORATE' });
    expect(parameters(redirect)).toMatchObject({ context: 'CORPORATE' });
  });
});

describe('A7d: the page offers that context only', () => {
  /** The page after the PSU has said who it is, or the redirect. */
  async function identified(sca: string, psu: string, more: object = {}): Promise<Response> {
    const first = await (await fetch(sca)).text();
    const token = /name="token" value="([^"]*)"/.exec(first)?.[1] ?? '';
    const form = new URLSearchParams({ token, action: 'identify', psu, ...more });
    const answer = await fetch(sca, { method: 'POST', body: form, redirect: 'manual' });
    const location = answer.headers.get('location') ?? '';
    return location.startsWith('?') ? fetch(new URL(location, sca)) : answer;
  }

  test('the one agreement is not asked for', async () => {
    const sca = scaOf(await send('POST', '/v1/bank-offered-consents', 'CORPORATE'));
    const text = await (await identified(sca, corporatePsu)).text();
    expect(text).toContain('<h1>Which accounts do you share?</h1>');
    expect(text).toContain('Corporation 1 AS');
  });

  test('of two agreements one is chosen, and PRIVATE is not among them', async () => {
    const engagement = { customer: corporatePsu, account: { bban: '34220000011' }, roles: ['VIEW'] };
    const agreement = { owner: '22222222', name: 'Second', engagements: [engagement] };
    await bank.signed('POST', '/v1/sandbox/agreements', { body: agreement });
    const sca = scaOf(await send('POST', '/v1/bank-offered-consents', 'CORPORATE'));
    const text = await (await identified(sca, corporatePsu)).text();
    const offered = [...text.matchAll(/type="radio"[^>]*value="(\w+)/g)].map(([, context]) => context);
    expect(offered).toEqual(['CORPORATE', 'CORPORATE']);
  });

  test('A4e: a PSU who has none may go back with the refusal', async () => {
    const sca = scaOf(await send('POST', '/v1/bank-offered-consents', 'CORPORATE'));
    const location = (await identified(sca, '13039319955', { insist: 'yes' })).headers.get('location') ?? '';
    const back = new URL(location).searchParams;
    expect([back.get('code'), back.get('message')]).toEqual([
      'CORPORATE_ID_INVALID',
      expect.stringContaining('named it in PSU-Context'),
    ]);
  });
});
