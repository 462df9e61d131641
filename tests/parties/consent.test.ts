import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  corporateConsent,
  corporatePsu,
  headersOf,
  messages,
  otherCorporatePsu,
  parameters,
  scaOf,
  unknownId,
} from './corporate-client.ts';
import { testBank } from '../support/test-bank.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeEach(async () => {
  await bank.control('POST', '/sandbox/reset', {});
});

async function bbans(headers: Record<string, string>): Promise<string[]> {
  const reply = await bank.signed('GET', '/v1/accounts', { headers });
  return reply.body.accounts?.map(({ bban }: { bban: string }) => bban) ?? messages(reply);
}

describe('interface, Redirect query parameters: a corporate agreement was chosen', () => {
  test.each([
    ['nothing, as there is one', undefined],
    ['its name', 'Corporation 1 AS'],
    ["its owner's number", '11111111'],
  ])('by %s: psu-corporate-id, a UUID, and context=CORPORATE', async (_how, agreement) => {
    const redirect = await corporateConsent(bank, corporatePsu, agreement === undefined ? {} : { agreement });
    expect(parameters(redirect)).toEqual({
      state: 'abc',
      'psu-id': expect.stringMatching(uuid),
      'psu-corporate-id': expect.stringMatching(uuid),
      'tpp-session-id': 'session-1',
      context: 'CORPORATE',
    });
  });

  test('the id is the same the next time, and chooses the agreement too', async () => {
    const first = await corporateConsent(bank);
    const id = first.searchParams.get('psu-corporate-id');
    const second = await corporateConsent(bank, corporatePsu, { agreement: id });
    expect(parameters(second)).toEqual(parameters(first));
  });

  test('in PRIVATE there is none', async () => {
    const offered = await bank.signed('POST', '/v1/bank-offered-consents');
    const redirect = await bank.approve(scaOf(offered), corporatePsu);
    expect([redirect.searchParams.get('context'), redirect.searchParams.has('psu-corporate-id')]).toEqual([
      'PRIVATE',
      false,
    ]);
  });

  test.each([
    ['somebody else’s agreement', corporatePsu, '22222222'],
    ['one that nobody has', corporatePsu, unknownId],
    ['a PSU without any', '13039319955', undefined],
  ])('%s: a failure redirect with CORPORATE_ID_INVALID', async (_what, psu, agreement) => {
    const redirect = await corporateConsent(bank, psu, agreement === undefined ? {} : { agreement });
    expect(parameters(redirect)).toMatchObject({ status: '401', code: 'CORPORATE_ID_INVALID' });
  });
});

describe('interface, What the service does 9: in corporate context the PSU reaches only the accounts of the agreement', () => {
  test('with PSU-ID and PSU-Corporate-ID; without the second, its own', async () => {
    const redirect = await corporateConsent(bank);
    expect(await bbans(headersOf(redirect))).toEqual(['34110000016', '34110000024']);
    expect(await bbans(headersOf(redirect, { 'psu-context': 'CORPORATE' }))).toHaveLength(2);
    const capitals = headersOf(redirect)['psu-corporate-id']?.toUpperCase() ?? '';
    expect(await bbans(headersOf(redirect, { 'psu-corporate-id': capitals }))).toHaveLength(2);
    expect(await bbans({ 'psu-id': headersOf(redirect)['psu-id'] ?? '' })).toEqual(['CONSENT_INVALID']);
  });

  test('A7: a consent is for one agreement: the private one stays as it is', async () => {
    const account = { customerNumber: corporatePsu, bban: '34110000032', currency: 'NOK' };
    expect((await bank.signed('POST', '/v1/sandbox/accounts', { body: account })).status).toBe(201);
    const offered = await bank.signed('POST', '/v1/bank-offered-consents');
    const own = headersOf(await bank.approve(scaOf(offered), corporatePsu));
    expect(await bbans(own)).toEqual(['34110000032']);
    const redirect = await corporateConsent(bank, corporatePsu, { accounts: ['34110000024'] });
    expect(await bbans(headersOf(redirect))).toEqual(['34110000024']);
    expect(await bbans(own)).toEqual(['34110000032']);
  });

  test('balances and transactions of one of them', async () => {
    const headers = headersOf(await corporateConsent(bank));
    const list = await bank.signed('GET', '/v1/accounts', { headers });
    const [account] = list.body.accounts;
    const balances = await bank.signed('GET', `/v1/accounts/${account.resourceId}/balances`, { headers });
    expect(balances.body.account.bban).toBe('34110000016');
    const transactions = await bank.signed('GET', account._links.transactions.href, { headers });
    expect(transactions.status).toBe(200);
  });

  test('an account of another corporation cannot be shared', async () => {
    const redirect = await corporateConsent(bank, corporatePsu, { accounts: ['34220000011'] });
    expect(redirect.searchParams.get('code')).toBe('RESOURCE_UNKNOWN');
  });

  test('A4d: VIEW alone reads the account, REGISTER alone does not', async () => {
    const engagements = [
      { customer: corporatePsu, account: { bban: '34220000011' }, roles: ['VIEW'] },
      { customer: corporatePsu, account: { bban: '34220000038' }, roles: ['REGISTER'] },
    ];
    const agreement = { owner: '22222222', name: 'One role each', engagements };
    expect((await bank.signed('POST', '/v1/sandbox/agreements', { body: agreement })).status).toBe(201);
    const headers = headersOf(await corporateConsent(bank, corporatePsu, { agreement: 'One role each' }));
    expect(await bbans(headers)).toEqual(['34220000011']);
    const list = await bank.signed('GET', '/v1/accounts', { headers });
    for (const what of ['balances', 'transactions']) {
      const read = await bank.signed('GET', list.body.accounts[0]._links[what].href, { headers });
      expect(read.status).toBe(200);
    }
    const more = { agreement: 'One role each', accounts: ['34220000038'] };
    const redirect = await corporateConsent(bank, corporatePsu, more);
    expect(redirect.searchParams.get('code')).toBe('RESOURCE_UNKNOWN');
  });
});

describe('PSU-Corporate-ID that does not fit', () => {
  test.each([
    ['unknown', { 'psu-corporate-id': unknownId }, 401, ['CORPORATE_ID_INVALID psu-corporate-id']],
    ['no UUID', { 'psu-corporate-id': '11111111' }, 400, ['FORMAT_ERROR psu-corporate-id']],
    ['in PRIVATE context', { 'psu-context': 'PRIVATE' }, 400, ['FORMAT_ERROR psu-context']],
  ])('%s: refused', async (_what, more, status, expected) => {
    const headers = headersOf(await corporateConsent(bank), more);
    for (const [method, path] of [
      ['GET', '/v1/accounts'],
      ['POST', '/v1/bank-offered-consents'],
      ['GET', '/v1/users'],
    ] as const) {
      const reply = await bank.signed(method, path, { headers });
      expect([reply.status, messages(reply)]).toEqual([status, expected]);
    }
  });

  test('of another PSU, or without one: CORPORATE_ID_INVALID', async () => {
    const mine = headersOf(await corporateConsent(bank));
    const other = headersOf(await corporateConsent(bank, otherCorporatePsu));
    for (const psuId of [other['psu-id'] ?? '', null]) {
      const reply = await bank.signed('GET', '/v1/accounts', { headers: { ...mine, 'psu-id': psuId } });
      expect([reply.status, messages(reply)]).toEqual([401, ['CORPORATE_ID_INVALID psu-corporate-id']]);
    }
  });
});

describe('refusals that an SCA cures', () => {
  test('interface, PSU identification 10: with PSU-Corporate-ID there is no further choice of agreement', async () => {
    const agreement = { owner: '22222222', name: 'Second', engagements: [] as object[] };
    agreement.engagements.push({
      customer: corporatePsu,
      account: { iban: 'NO8734220000011' },
      roles: ['VIEW', 'REGISTER'],
    });
    await bank.signed('POST', '/v1/sandbox/agreements', { body: agreement });
    const first = await corporateConsent(bank, corporatePsu, { agreement: 'Corporation 1 AS' });
    const list = await bank.signed('GET', '/v1/agreements', {
      headers: { 'psu-id': headersOf(first)['psu-id'] ?? '' },
    });
    const second = list.body.agreements.find(({ name }: { name: string }) => name === 'Second');
    const headers = headersOf(first, { 'psu-corporate-id': second.agreementId });
    for (const [method, path] of [
      ['GET', '/v1/accounts'],
      ['POST', '/v1/bank-offered-consents'],
    ] as const) {
      const sca = scaOf(await bank.signed(method, path, { headers }));
      await expect(bank.approve(sca, corporatePsu, { context: 'PRIVATE' })).rejects.toThrow(
        'bound this SCA to CORPORATE',
      );
      const chosen = { context: 'CORPORATE', agreement: 'Corporation 1 AS' };
      const other = await bank.approve(sca, corporatePsu, chosen);
      expect(other.searchParams.get('code')).toBe('CORPORATE_ID_INVALID');
    }
    const offered = await bank.signed('POST', '/v1/bank-offered-consents', { headers });
    const redirect = await bank.approve(scaOf(offered), corporatePsu, { context: 'CORPORATE' });
    expect(redirect.searchParams.get('psu-corporate-id')).toBe(second.agreementId);
    expect(await bbans(headers)).toEqual(['34220000011']);
  });

  test('two agreements and none named: the redirect says which there are', async () => {
    const engagement = { customer: corporatePsu, account: { iban: 'NO8734220000011' }, roles: ['REGISTER'] };
    const agreement = { owner: '22222222', name: 'Second', engagements: [engagement] };
    await bank.signed('POST', '/v1/sandbox/agreements', { body: agreement });
    const redirect = await corporateConsent(bank);
    expect(parameters(redirect)).toMatchObject({ code: 'CORPORATE_ID_INVALID' });
    expect(redirect.searchParams.get('message')).toContain('CORPORATE Corporation 1 AS, CORPORATE Second');
  });
});

test('A3: an agreement in the one call goes with CORPORATE', async () => {
  const offered = await bank.signed('POST', '/v1/bank-offered-consents');
  const id = new URL(scaOf(offered)).pathname.split('/').at(-1);
  const body = { outcome: 'approve', psu: corporatePsu, context: 'PRIVATE', agreement: '11111111' };
  const reply = await bank.control('POST', `/sandbox/sca/${id}`, body);
  expect([reply.status, reply.body.errors[0].path]).toEqual([400, 'agreement']);
});
