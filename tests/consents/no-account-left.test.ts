import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const psu = '13039319955';
const bank = testBank('2027-03-24T12:00:00+01:00');
beforeEach(() => bank.control('POST', '/sandbox/reset', {}));

/** The PSU approves a consent to these accounts; all of them when left out. */
async function consentTo(accounts?: readonly string[], who = psu): Promise<URL> {
  const offered = await bank.signed('POST', '/v1/bank-offered-consents');
  return bank.approve(offered.body, who, accounts === undefined ? {} : { accounts });
}

const psuIdOf = (redirect: URL): string => redirect.searchParams.get('psu-id') ?? '';
const read = (psuId: string): Promise<Reply> => bank.signed('GET', '/v1/accounts', { headers: { 'psu-id': psuId } });

/** Whether each consent that there is or was still lives, the oldest first. */
async function living(): Promise<boolean[]> {
  const { consents } = (await bank.control('GET', '/sandbox/consents')).body;
  return consents.map(({ endedAt }: { endedAt: string | null }) => endedAt === null);
}

const refused = {
  status: 401,
  body: {
    tppMessages: [{ code: 'CONSENT_INVALID' }],
    _links: { scaRedirect: { href: expect.stringContaining('/sca/'), verbs: ['GET'] } },
  },
};

describe('A7c: approving with no account and no card', () => {
  test('takes the consent away; the redirect is a success', async () => {
    const psuId = psuIdOf(await consentTo());
    expect((await read(psuId)).body.accounts).toHaveLength(4);
    const redirect = await consentTo([]);
    expect(Object.fromEntries(redirect.searchParams)).toMatchObject({ 'psu-id': psuId, context: 'PRIVATE' });
    expect(redirect.searchParams.has('code')).toBe(false);
    expect(await read(psuId)).toMatchObject(refused);
    expect(await living()).toEqual([false]);
  });

  test('grants none where there was none', async () => {
    const psuId = psuIdOf(await consentTo([]));
    expect(await read(psuId)).toMatchObject(refused);
    expect(await living()).toEqual([]);
  });

  test('the SCA that the refusal offers opens accounts again', async () => {
    const psuId = psuIdOf(await consentTo([]));
    const { body } = await read(psuId);
    await bank.approve(body, psu, { accounts: ['09232911044'] });
    expect((await read(psuId)).body.accounts).toHaveLength(1);
  });

  test('a card alone is a consent', async () => {
    const psuId = psuIdOf(await consentTo());
    const { cardAccounts } = (await bank.signed('GET', '/v1/card-accounts', { headers: { 'psu-id': psuId } })).body;
    await consentTo([cardAccounts[0].resourceId]);
    expect([(await read(psuId)).status, (await read(psuId)).body.accounts]).toEqual([200, []]);
    expect(await living()).toEqual([false, true]);
  });

  test('directly with the bank it is refused: DELETE takes a consent away', async () => {
    const grant = { tpp: 'PSDNO-FSA-987654321', psu, accounts: [] };
    expect(await bank.control('POST', '/sandbox/consents', grant)).toMatchObject({
      status: 400,
      body: { code: 'FORMAT_ERROR', errors: [{ path: 'accounts' }] },
    });
  });
});

describe('A7c: deleting the last account of a consent ends it', () => {
  async function accountId(bban: string): Promise<string> {
    const { body } = await bank.signed('GET', '/v1/sandbox/accounts');
    return body.find((account: { bban: string }) => account.bban === bban).resourceId;
  }

  test('not the last but one', async () => {
    const [first, second] = ['09232911044', '70323119469'] as const;
    const psuId = psuIdOf(await consentTo([first, second]));
    await bank.signed('DELETE', `/v1/sandbox/accounts/${await accountId(first)}`);
    expect((await read(psuId)).body.accounts).toHaveLength(1);
    await bank.signed('DELETE', `/v1/sandbox/accounts/${await accountId(second)}`);
    expect(await read(psuId)).toMatchObject(refused);
    expect(await living()).toEqual([false]);
  });
});
