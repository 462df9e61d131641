import { beforeEach, describe, expect, test } from '@jest/globals';
import { messages } from '../parties/corporate-client.ts';
import { dump } from '../lab/rows.ts';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const base = '/api-sandbox/v1/sandbox/agreements';
const both = ['VIEW', 'REGISTER'];
const nora = { customer: '13039319955', account: { iban: 'NO2034110000016' }, roles: both };
const agreement = { owner: '11111111', name: 'Regnskap', engagements: [nora] };

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeEach(async () => {
  await bank.control('POST', '/sandbox/reset', {});
});

function call(method: string, path: string, body?: unknown): Promise<Reply> {
  const none = { 'x-accept-fix': null, 'tpp-session-id': null, 'tpp-redirect-uri': null, 'psu-ip-address': null };
  return bank.signed(method, path, { headers: { ...none, 'x-request-id': 'TEST_SCRIPT_REQUEST_ID_1' }, body });
}

async function created(): Promise<Reply['body']> {
  const reply = await call('POST', base, agreement);
  expect(reply.status).toBe(201);
  return reply.body;
}

describe('real-api-facts 10: POST and GET /v1/sandbox/agreements', () => {
  test('the agreement comes back with its engagements and links that lead there', async () => {
    const body = await created();
    const self = `/v1/sandbox/agreements/${body.agreementId}`;
    expect(body).toEqual({
      agreementId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      owner: '11111111',
      name: 'Regnskap',
      type: 'CORPORATE',
      engagements: [{ ...nora, account: { bban: '34110000016', iban: 'NO2034110000016' } }],
      _links: {
        self: { href: self, verbs: ['GET', 'DELETE'] },
        engagements: { href: `${self}/engagements`, verbs: ['POST'] },
      },
    });
    expect((await call('GET', self)).body).toEqual(body);
  });

  test('D1b: the owner is named by its number, or by the id that creating it answered', async () => {
    const customer = { customerNumber: '88888888', name: 'Testfirma', type: 'corporate' };
    const { customerId } = (await call('POST', '/v1/sandbox/customers', customer)).body;
    const made = await call('POST', base, { owner: customerId, name: 'By id' });
    expect(made).toMatchObject({ status: 201, body: { owner: '88888888', name: 'By id' } });
    expect(await call('POST', base, { owner: '88888888', name: 'By id' })).toMatchObject({
      status: 409,
      body: { tppMessages: [{ code: 'CONFLICT', path: 'name' }] },
    });
    const other = { customerNumber: '20079718492', name: 'Somebody', type: 'private' };
    const { customerId: privateId } = (await call('POST', '/v1/sandbox/customers', other)).body;
    const refused = await call('POST', base, { owner: privateId, name: 'x' });
    expect(messages(refused)).toEqual(['FORMAT_ERROR owner']);
    expect(refused.body.tppMessages[0].text).toContain('Send the number or the customerId of a corporate customer.');
    await call('DELETE', `/v1/sandbox/customers/${encodeURIComponent(customerId)}`);
    expect(messages(await call('POST', base, { owner: customerId, name: 'x' }))).toEqual(['RESOURCE_UNKNOWN owner']);
  });

  test.each([`${'9'.repeat(36)}`, 'enc!!short', 'somebody', '', ' 11111111', 11_111_111])(
    'D1b: %j names nobody: FORMAT_ERROR',
    async (owner) => {
      expect(messages(await call('POST', base, { owner, name: 'x' }))).toEqual(['FORMAT_ERROR owner']);
    },
  );

  test('the list is a plain array of private and corporate ones', async () => {
    const body = await created();
    const list = (await call('GET', base)).body;
    expect(list.at(-1)).toEqual(body);
    const types = list.map(({ type }: { type: string }) => type);
    expect([types.filter((type: string) => type === 'CORPORATE').length, new Set(types).size]).toEqual([4, 2]);
    const own = list.find(({ owner }: { owner: string }) => owner === '13039319955');
    expect(own._links).toEqual({ self: { href: expect.any(String), verbs: ['GET'] } });
    expect((await call('GET', own._links.self.href)).body).toEqual(own);
  });

  test('limits are taken, engagements can be left out, and an account is named by bban too', async () => {
    const limits = { registerLimit: 0, approvalLimit: 0 };
    const engagement = { ...nora, ...limits, account: { bban: '34110000024' }, roles: ['VIEW'] };
    const made = await call('POST', base, { ...agreement, engagements: [engagement] });
    expect([made.status, made.body.engagements[0].roles]).toEqual([201, ['VIEW']]);
    const empty = await call('POST', base, { owner: '22222222', name: 'Tom' });
    expect([empty.status, empty.body.engagements]).toEqual([201, []]);
  });
});

test('interface: POST /v1/sandbox/agreements/{id}/engagements adds an account to an agreement', async () => {
  const { _links: links } = await created();
  const wanted = { customer: '12085592767', account: { iban: 'NO9534110000024' }, roles: ['REGISTER'] };
  const added = await call('POST', links.engagements.href, wanted);
  expect([added.status, added.body.engagements.length]).toEqual([201, 2]);
  expect(added.body.engagements[1]).toMatchObject({ customer: '12085592767', roles: ['REGISTER'] });
  expect((await call('GET', links.self.href)).body).toEqual(added.body);
});

describe('real-api-facts 10: what cannot be is refused, all at once, and changes nothing', () => {
  const engaged = (change: object) => ({ ...agreement, engagements: [{ ...nora, ...change }] });
  const account = 'engagements[0].account';
  test.each<[string, unknown, number, string[]]>([
    ['an owner who is nobody', { ...agreement, owner: '99999999' }, 400, ['RESOURCE_UNKNOWN owner']],
    ['an owner who is private', { owner: '13039319955', name: 'x' }, 400, ['FORMAT_ERROR owner']],
    ['a name that the owner uses', { ...agreement, name: 'Corporation 1 AS' }, 409, ['CONFLICT name']],
    ['a PSU who is nobody', engaged({ customer: '99999999999' }), 400, ['RESOURCE_UNKNOWN engagements[0].customer']],
    ['a corporation as PSU', engaged({ customer: '22222222' }), 400, ['FORMAT_ERROR engagements[0].customer']],
    ['no such account', engaged({ account: { bban: '99999999999' } }), 400, [`RESOURCE_UNKNOWN ${account}`]],
    ['an account of the PSU', engaged({ account: { bban: '09232911044' } }), 400, [`FORMAT_ERROR ${account}`]],
    [
      'an account of another corporation',
      engaged({ account: { bban: '34220000011' } }),
      400,
      [`FORMAT_ERROR ${account}`],
    ],
    ['one engagement twice', { ...agreement, engagements: [nora, nora] }, 409, ['CONFLICT engagements[1].customer']],
    ['a role there is not', engaged({ roles: ['SIGN'] }), 400, ['FORMAT_ERROR engagements[0].roles[0]']],
    ['no role', engaged({ roles: [] }), 400, ['FORMAT_ERROR engagements[0].roles']],
    ['an account without a number', engaged({ account: {} }), 400, [`FORMAT_ERROR ${account}`]],
    ['a limit below zero', engaged({ registerLimit: -1 }), 400, ['FORMAT_ERROR engagements[0].registerLimit']],
    ['a member there is not', { ...agreement, kind: 'x' }, 400, ['FORMAT_ERROR kind']],
    [
      'several of these',
      { ...agreement, engagements: [{ ...nora, customer: '22222222', account: { bban: '34220000011' } }] },
      400,
      ['FORMAT_ERROR engagements[0].customer', `FORMAT_ERROR ${account}`],
    ],
  ])('%s', async (_what, body, status, expected) => {
    const before = await dump(bank.bank, ['clock_seen']);
    const reply = await call('POST', base, body);
    expect([reply.status, messages(reply)]).toEqual([status, expected]);
    expect(await dump(bank.bank, ['clock_seen'])).toEqual(before);
  });

  test('an engagement that is there already, and one in a private agreement', async () => {
    const { _links: links } = await created();
    const again = await call('POST', links.engagements.href, nora);
    expect([again.status, messages(again)]).toEqual([409, ['CONFLICT customer']]);
    const list = (await call('GET', base)).body;
    const own = list.find(({ type }: { type: string }) => type === 'PRIVATE')._links.self.href;
    for (const [method, path, body] of [
      ['POST', `${own}/engagements`, nora],
      ['DELETE', own, undefined],
    ] as const) {
      const reply = await call(method, path, body);
      expect([reply.status, messages(reply)]).toEqual([405, ['SERVICE_INVALID']]);
    }
  });

  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/engagements'],
  ])('%s of an agreement there is not: RESOURCE_UNKNOWN', async (method, path) => {
    const body = method === 'POST' ? nora : undefined;
    const reply = await call(method, `${base}/4eba4445-1a4b-47b8-bdd5-4e56ef026b19${path}`, body);
    expect([reply.status, messages(reply)]).toEqual([403, ['RESOURCE_UNKNOWN']]);
  });
});
