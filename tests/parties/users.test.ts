import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { validCertificate, type Reply } from '../lab/server.ts';
import {
  corporateConsent,
  corporatePsu,
  headersOf,
  messages,
  parameters,
  scaOf,
  sigrid,
  unknownId,
} from './corporate-client.ts';
import { testBank } from '../support/test-bank.ts';

const nora = '13039319955';

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeEach(async () => {
  await bank.control('POST', '/sandbox/reset', {});
});

describe.each(['/v1/users', '/v1/user'])('interface: GET %s', (path) => {
  test('200 with a scaRedirect; afterwards the TPP has a PSU-ID, and no consent', async () => {
    const reply = await bank.signed('GET', path);
    expect([reply.status, reply.body]).toEqual([
      200,
      { _links: { scaRedirect: { href: expect.stringMatching(/^http.*\/sca\//), verbs: ['GET'] } } },
    ]);
    const redirect = await bank.approve(scaOf(reply), nora);
    expect(parameters(redirect)).toMatchObject({ context: 'PRIVATE', 'tpp-session-id': 'session-1' });
    const headers = headersOf(redirect);
    expect(messages(await bank.signed('GET', '/v1/accounts', { headers }))).toEqual(['CONSENT_INVALID']);
    const paid = await bank.signed('POST', singlePath, { headers, body: singlePayment() });
    expect(paid.status).toBe(201);
  });

  test('interface, PSU identification 10: for a PISP that is no AISP the PSU-Corporate-ID comes from here', async () => {
    const redirect = await bank.approve(scaOf(await bank.signed('GET', path)), sigrid, { context: 'CORPORATE' });
    expect(parameters(redirect)).toMatchObject({ context: 'CORPORATE', 'psu-corporate-id': expect.any(String) });
    const body = singlePayment({ debtorAccount: { bban: '34330000017', currency: 'NOK' } });
    const paid = await bank.signed('POST', singlePath, { headers: headersOf(redirect), body });
    expect(paid.status).toBe(201);
  });

  test('needs an address to come back to', async () => {
    const reply = await bank.signed('GET', path, { headers: { 'tpp-redirect-uri': null } });
    expect([reply.status, messages(reply)]).toEqual([400, ['HTTP_HEADER_REQUIRED tpp-redirect-uri']]);
  });

  test('G7: is for PISPs', async () => {
    const roleOnly = (role: 'PSP_AI' | 'PSP_PI') => ({ certificate: validCertificate({ roles: [role] }) });
    expect((await bank.signed('GET', path, roleOnly('PSP_PI'))).status).toBe(200);
    expect(messages(await bank.signed('GET', path, roleOnly('PSP_AI')))).toEqual([
      'ROLE_INVALID tpp-signature-certificate',
    ]);
  });
});

describe('interface: GET /v1/agreements', () => {
  const list = (headers: Record<string, string | null>): Promise<Reply> =>
    bank.signed('GET', '/v1/agreements', { headers });

  test('lists the corporate agreements of the PSU, with what goes into PSU-Corporate-ID', async () => {
    const redirect = await corporateConsent(bank);
    const headers = headersOf(redirect);
    const reply = await list({ 'psu-id': headers['psu-id'] ?? '' });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        agreements: [
          {
            agreementId: headers['psu-corporate-id'],
            name: 'Corporation 1 AS',
            owner: '11111111',
            ownerName: 'Corporation 1 AS',
          },
        ],
      },
    ]);
  });

  test('a PSU without any has none', async () => {
    const redirect = await bank.approve(scaOf(await bank.signed('GET', '/v1/users')), nora);
    expect((await list(headersOf(redirect))).body).toEqual({ agreements: [] });
  });

  test('A7: needs a live session: 401 with a scaRedirect that begins one and grants nothing', async () => {
    const redirect = await bank.approve(scaOf(await bank.signed('GET', '/v1/users')), corporatePsu);
    const headers = headersOf(redirect);
    expect((await list(headers)).status).toBe(200);
    await bank.advance({ to: '2027-03-24T13:00:00.001+01:00' });
    for (const more of [{}, { 'tpp-session-id': 'session-2' }]) {
      const lapsed = await list({ ...headers, ...more });
      expect([lapsed.status, messages(lapsed)]).toEqual([401, ['CONSENT_INVALID']]);
      await bank.approve(scaOf(lapsed), corporatePsu);
      expect((await list({ ...headers, ...more })).status).toBe(200);
    }
    expect(messages(await bank.signed('GET', '/v1/accounts', { headers }))).toEqual(['CONSENT_INVALID']);
  });

  test('a request without PSU-ID, and one of a PSU whom the TPP does not know yet, get the same answer', async () => {
    for (const [psu, headers] of [
      [corporatePsu, {}],
      [sigrid, { 'x-psu-identity': sigrid }],
    ] as const) {
      const reply = await list(headers);
      expect([reply.status, messages(reply)]).toEqual([401, ['CONSENT_INVALID']]);
      expect(parameters(await bank.approve(scaOf(reply), psu))).toHaveProperty('psu-id');
    }
  });

  test('without an address to come back to there is no scaRedirect', async () => {
    const reply = await list({ 'tpp-redirect-uri': null });
    expect([reply.status, messages(reply)]).toEqual([400, ['HTTP_HEADER_REQUIRED tpp-redirect-uri']]);
  });
});

describe('real-api-facts 8: POST /v1/user/verification', () => {
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
  let psuId: string;
  beforeEach(async () => {
    const redirect = await bank.approve(scaOf(await bank.signed('GET', '/v1/users')), nora);
    psuId = headersOf(redirect)['psu-id'] ?? '';
  });

  function verify(body: unknown, headers: Record<string, string | null> = { 'psu-id': psuId }): Promise<Reply> {
    return bank.signed('POST', '/v1/user/verification', { headers, body });
  }

  test.each([
    ['belongs to', nora, true],
    ['does not belong to', '12085592767', false],
    ['does not belong to', 'nobody', false],
  ])('a PSU-ID that %s the number %s', async (_verb, number, verified) => {
    const reply = await verify({ identifier: hashOf(number) });
    expect([reply.status, reply.body]).toEqual([200, { verified }]);
  });

  test.each<[string, unknown, Record<string, string | null> | undefined, number, string]>([
    ['the number itself', { identifier: nora }, undefined, 400, 'FORMAT_ERROR identifier'],
    ['no identifier', {}, undefined, 400, 'FORMAT_ERROR identifier'],
    ['more than it', { identifier: hashOf(nora), psu: nora }, undefined, 400, 'FORMAT_ERROR psu'],
    ['no PSU-ID', { identifier: hashOf(nora) }, {}, 400, 'HTTP_HEADER_REQUIRED psu-id'],
    ['an unknown PSU-ID', { identifier: hashOf(nora) }, { 'psu-id': unknownId }, 401, 'PSU_CREDENTIALS_INVALID psu-id'],
  ])('with %s it is refused', async (_what, body, headers, status, expected) => {
    const reply = await verify(body, headers);
    expect([reply.status, messages(reply)]).toEqual([status, [expected]]);
  });

  test('G8: another TPP’s PSU-ID is unknown', async () => {
    const certificate = validCertificate({ organizationIdentifier: 'PSDNO-FSA-111111111' });
    const headers = { 'psu-id': psuId };
    const reply = await bank.signed('POST', '/v1/user/verification', {
      headers,
      body: { identifier: hashOf(nora) },
      certificate,
    });
    expect(messages(reply)).toEqual(['PSU_CREDENTIALS_INVALID psu-id']);
  });
});
