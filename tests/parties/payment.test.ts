import { beforeEach, describe, expect, test } from '@jest/globals';
import { periodicPath, periodicPayment, singlePath, singlePayment, strangerBban } from '../lab/bodies.ts';
import type { Reply } from '../lab/server.ts';
import {
  corporateConsent,
  corporatePsu,
  headersOf,
  messages,
  otherCorporatePsu,
  parameters,
  scaOf,
  sigrid,
  tor,
  unknownId,
} from './corporate-client.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeEach(async () => {
  await bank.control('POST', '/sandbox/reset', {});
});

const from = (bban: string, more: object = {}) =>
  singlePayment({ debtorAccount: { bban, currency: 'NOK' }, requestedExecutionDate: '2027-03-31', ...more });

function initiate(headers: Record<string, string>, body: object, path = singlePath): Promise<Reply> {
  return bank.signed('POST', path, { headers, body });
}

const straksPath = '/v1/payments/instant-norwegian-domestic-credit-transfers-straks';
const bulkPath = '/v1/bulk-payments/norwegian-domestic-credit-transfers';
const debtorAccount = { bban: '34330000017', currency: 'NOK' };
const transfer = {
  instructedAmount: { amount: '100.00', currency: 'NOK' },
  creditorName: 'Company 123',
  creditorAccount: { bban: strangerBban, currency: 'NOK' },
};
const instant = { ...transfer, debtorAccount };
const tooMuch = { ...instant, instructedAmount: { amount: '90000.01', currency: 'NOK' } };
const bulk = {
  debtorAccount,
  payments: [
    transfer,
    { ...transfer, creditorName: 'Company 124', instructedAmount: { amount: '2.00', currency: 'NOK' } },
  ],
};

const corporate = (psu: string) => ({ 'x-psu-identity': psu, 'psu-context': 'CORPORATE' });
const startOf = (initiated: Reply): string => initiated.body._links.startAuthorisation.href;

describe('A4: who may pay from an account of a corporation', () => {
  test('a PSU with REGISTER on it, in CORPORATE; the redirect says for whom', async () => {
    const initiated = await initiate(corporate(corporatePsu), from('34110000016'));
    const redirect = await bank.approve(scaOf(initiated), corporatePsu, { context: 'CORPORATE' });
    expect(parameters(redirect)).toMatchObject({ context: 'CORPORATE', 'psu-corporate-id': expect.any(String) });
    const status = await bank.signed('GET', initiated.body._links.status.href, { headers: headersOf(redirect) });
    expect(status.body.transactionStatus).toBe('ACSP');
  });

  test.each([
    ['in PRIVATE the PSU reaches its own accounts only', corporatePsu, '34110000016', 'PRIVATE', 'FORBIDDEN'],
    ['in CORPORATE not the account of another corporation', corporatePsu, '34220000011', 'CORPORATE', 'FORBIDDEN'],
    ['nor its own', '18129215603', '09232911044', 'CORPORATE', 'FORBIDDEN'],
    ['a PSU without agreements has no CORPORATE', '13039319955', '09232911044', 'CORPORATE', 'CORPORATE_ID_INVALID'],
  ])('%s', async (_why, psu, bban, context, code) => {
    const initiated = await initiate({ ...corporate(psu), 'psu-context': context }, from(bban));
    const redirect = await bank.approve(scaOf(initiated), psu, { context });
    expect(redirect.searchParams.get('code')).toBe(code);
  });

  test('A4d: REGISTER alone pays', async () => {
    const engagement = { customer: corporatePsu, account: { bban: '34220000011' }, roles: ['REGISTER'] };
    const agreement = { owner: '22222222', name: 'Register only', engagements: [engagement] };
    await bank.signed('POST', '/v1/sandbox/agreements', { body: agreement });
    const initiated = await initiate(corporate(corporatePsu), from('34220000011'));
    const chosen = { context: 'CORPORATE', agreement: 'Register only' };
    const headers = headersOf(await bank.approve(scaOf(initiated), corporatePsu, chosen));
    const status = await bank.signed('GET', initiated.body._links.status.href, { headers });
    expect(status.body.transactionStatus).toBe('ACSP');
  });

  test('VIEW alone does not pay', async () => {
    const engagement = { customer: corporatePsu, account: { bban: '34220000011' }, roles: ['VIEW'] };
    const agreement = { owner: '22222222', name: 'View only', engagements: [engagement] };
    await bank.signed('POST', '/v1/sandbox/agreements', { body: agreement });
    const initiated = await initiate(corporate(corporatePsu), from('34220000011'));
    const chosen = { context: 'CORPORATE', agreement: 'View only' };
    const redirect = await bank.approve(scaOf(initiated), corporatePsu, chosen);
    expect(redirect.searchParams.get('code')).toBe('FORBIDDEN');
  });

  test('an agreement named by the initiation is the one that is signed under', async () => {
    const headers = headersOf(await corporateConsent(bank));
    const initiated = await initiate(headers, from('34110000016'));
    const started = await bank.signed('POST', startOf(initiated), { headers: { 'psu-id': headers['psu-id'] ?? '' } });
    const redirect = await bank.approve(scaOf(started), corporatePsu, { context: 'CORPORATE' });
    expect(redirect.searchParams.get('psu-corporate-id')).toBe(headers['psu-corporate-id']);
  });

  test.each(['single', 'periodic'])(
    'CORPORATE_ID_INVALID: a %s payment for an agreement that nobody has',
    async (kind) => {
      const headers = headersOf(await corporateConsent(bank), { 'psu-corporate-id': unknownId });
      const [path, body] = kind === 'single' ? [singlePath, from('34110000016')] : [periodicPath, periodicPayment()];
      const reply = await initiate(headers, body, path);
      expect([reply.status, messages(reply)]).toEqual([401, ['CORPORATE_ID_INVALID psu-corporate-id']]);
    },
  );

  test('and on everything that is done with a payment', async () => {
    const headers = headersOf(await corporateConsent(bank));
    const initiated = await initiate(headers, from('34110000016'));
    const { self, status, startAuthorisation: start } = initiated.body._links;
    for (const [method, href] of [
      ['GET', self.href],
      ['GET', status.href],
      ['POST', start.href],
      ['DELETE', self.href],
    ]) {
      const reply = await bank.signed(method, href, { headers: { ...headers, 'psu-corporate-id': unknownId } });
      expect([reply.status, messages(reply)]).toEqual([401, ['CORPORATE_ID_INVALID psu-corporate-id']]);
    }
  });
});

describe('interface, PSU identification 11: the same startAuthorisation address for every PSU', () => {
  /** The first PSU has signed; both are known to the TPP. */
  async function halfSigned() {
    const first = headersOf(await corporateConsent(bank, sigrid));
    const second = headersOf(await corporateConsent(bank, tor));
    const initiated = await initiate(first, from('34330000017'));
    const address = startOf(initiated);
    const started = await bank.signed('POST', address, { headers: first });
    await bank.approve(scaOf(started), sigrid, { context: 'CORPORATE' });
    return { first, second, initiated, address };
  }

  test('PATC after the first, with the link still there; ACSP after the second', async () => {
    const { second, initiated, address } = await halfSigned();
    const half = await bank.signed('GET', initiated.body._links.status.href);
    expect(half.body).toMatchObject({
      transactionStatus: 'PATC',
      _links: { self: { verbs: ['GET', 'DELETE'] }, startAuthorisation: { href: address } },
    });
    const started = await bank.signed('POST', address, { headers: second });
    expect(started.body.scaStatus).toBe('started');
    const redirect = await bank.approve(scaOf(started), tor, { context: 'CORPORATE' });
    expect(redirect.searchParams.get('psu-id')).toBe(second['psu-id']);
    const full = await bank.signed('GET', initiated.body._links.status.href, { headers: second });
    expect(full.body.transactionStatus).toBe('ACSP');
    expect(full.body._links.startAuthorisation).toBeUndefined();
    const id = encodeURIComponent(initiated.body.paymentId);
    const seen = await bank.control('GET', `/sandbox/payments/${id}`);
    const at = '2027-03-24T12:00:00.000+01:00';
    expect(seen.body.signatures).toEqual([
      { psu: sigrid, name: 'Sigrid Signerer', at },
      { psu: tor, name: 'Tor Signerer', at },
    ]);
  });

  test.each([
    ['an instant payment settles with the last', straksPath, instant, ['RCVD', 'PATC', 'ACSC']],
    ['and is rejected then when funds are lacking', straksPath, tooMuch, ['RCVD', 'PATC', 'RJCT']],
    ['a bulk payment is signed as one', bulkPath, bulk, ['RCVD', 'PATC', 'PDNG']],
  ])('%s', async (_what, path, body, expected) => {
    const initiated = await initiate(corporate(sigrid), body, path);
    for (const psu of [sigrid, tor]) {
      const started = await bank.signed('POST', startOf(initiated));
      await bank.approve(scaOf(started), psu, { context: 'CORPORATE' });
    }
    const seen = await bank.control('GET', `/sandbox/payments/${encodeURIComponent(initiated.body.paymentId)}`);
    expect(seen.body.history.map(({ status }: { status: string }) => status)).toEqual(expected);
  });

  test('a TPP that does not know the second PSU sends none: the page asks who comes', async () => {
    const { address } = await halfSigned();
    const again = await bank.signed('POST', address);
    const refused = await bank.approve(scaOf(again), sigrid, { context: 'CORPORATE' });
    expect(refused.searchParams.get('code')).toBe('STATUS_INVALID');
    const started = await bank.signed('POST', address);
    const redirect = await bank.approve(scaOf(started), tor, { context: 'CORPORATE' });
    expect(redirect.searchParams.has('psu-id')).toBe(true);
  });

  test('STATUS_INVALID: a PSU who has signed does not start again', async () => {
    const { first, address } = await halfSigned();
    const reply = await bank.signed('POST', address, { headers: first });
    expect([reply.status, messages(reply)]).toEqual([409, ['STATUS_INVALID']]);
  });

  test('G8: to a PSU who cannot sign it the payment is unknown', async () => {
    const { address, initiated } = await halfSigned();
    const stranger = { 'psu-id': headersOf(await corporateConsent(bank, otherCorporatePsu))['psu-id'] ?? '' };
    for (const [method, href] of [
      ['POST', address],
      ['GET', initiated.body._links.status.href],
    ]) {
      const reply = await bank.signed(method, href, { headers: stranger });
      expect([reply.status, messages(reply)]).toEqual([403, ['RESOURCE_UNKNOWN']]);
    }
  });

  test('G8: nor does a PSU see another’s payment from an account that needs one signature', async () => {
    const engagement = { customer: tor, account: { bban: '34110000016' }, roles: ['REGISTER'] };
    const agreement = { owner: '11111111', name: 'Tor too', engagements: [engagement] };
    await bank.signed('POST', '/v1/sandbox/agreements', { body: agreement });
    const second = headersOf(await corporateConsent(bank, tor, { agreement: 'Tor too' }));
    const initiated = await initiate(headersOf(await corporateConsent(bank)), from('34110000016'));
    const reply = await bank.signed('GET', initiated.body._links.self.href, { headers: second });
    expect([reply.status, messages(reply)]).toEqual([403, ['RESOURCE_UNKNOWN']]);
  });

  test('A7: each signature begins a session of its PSU', async () => {
    const { second, address } = await halfSigned();
    const headers = { ...second, 'tpp-session-id': 'session-2' };
    const started = await bank.signed('POST', address, { headers });
    await bank.approve(scaOf(started), tor, { context: 'CORPORATE' });
    expect((await bank.signed('GET', '/v1/agreements', { headers })).status).toBe(200);
  });
});
