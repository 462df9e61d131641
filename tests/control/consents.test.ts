import { beforeEach, expect, test } from '@jest/globals';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { namelessTpp } from '../lab/certificates.ts';
import { testTppId } from '../../api/signing/test-tpp.ts';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const psu = '13039319955';
const tpp = 'PSDNO-FSA-987654321';
const accounts = ['09232911044', '70323119469'];

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeEach(() => bank.reset());

const grant = (more: object = {}): Promise<Reply> => bank.control('POST', '/sandbox/consents', { tpp, psu, ...more });
const listed = async (): Promise<{ consentId: string; endedAt: string | null }[]> =>
  (await bank.control('GET', '/sandbox/consents')).body.consents;

async function seen(psuId: string): Promise<unknown> {
  const answer = await bank.signed('GET', '/v1/accounts', { headers: { 'psu-id': psuId } });
  if (answer.status !== 200) return `${answer.status} ${answer.body.tppMessages[0].code}`;
  return answer.body.accounts.map(({ bban }: { bban: string }) => bban);
}

test('A7: the PSU grants directly with the bank, and the TPP reads with the PSU-ID that comes of it', async () => {
  const { status, body } = await grant({ accounts });
  expect(status).toBe(200);
  expect(body).toEqual({
    consentId: expect.stringMatching(/^\d+$/),
    tpp,
    tppName: null,
    psu: { number: psu, name: 'Test Testperson 3' },
    psuId: expect.stringMatching(/^[\w-]{36}$/),
    context: 'PRIVATE',
    cardAccounts: [],
    agreement: expect.any(String),
    accounts: accounts.map((bban) => expect.objectContaining({ bban, id: expect.any(String) })),
    grantedAt: '2027-03-24T12:00:00.000+01:00',
    endedAt: null,
    lapsesOn: '2027-09-20',
    lastUsed: null,
    lastScaAt: '2027-03-24T12:00:00.000+01:00',
  });
  expect(await seen(body.psuId)).toEqual(accounts);
  expect(await listed()).toEqual([{ ...body, lastUsed: '2027-03-24' }]);
});

test('interface, What the service does 8, Events 3: A7: revoked by the PSU it is over at once, and stays on the list with its end', async () => {
  const { body } = await grant();
  const revoked = await bank.control('DELETE', `/sandbox/consents/${body.consentId}`);
  expect(revoked.body).toMatchObject({ consentId: body.consentId, endedAt: '2027-03-24T12:00:00.000+01:00' });
  expect(await seen(body.psuId)).toBe('401 CONSENT_INVALID');
  await bank.advance({ by: 'P1D' });
  await bank.control('DELETE', `/sandbox/consents/${body.consentId}`);
  expect(await listed()).toMatchObject([{ endedAt: '2027-03-24T12:00:00.000+01:00' }]);
});

test('A7: a second grant replaces the first, for the same PSU-ID', async () => {
  const first = await grant();
  const second = await grant({ accounts: accounts.slice(0, 1) });
  expect(second.body.psuId).toBe(first.body.psuId);
  expect(await seen(second.body.psuId)).toEqual(accounts.slice(0, 1));
  expect((await listed()).map(({ endedAt }) => endedAt === null)).toEqual([false, true]);
});

test('G8: it is for one TPP, the other knows neither PSU nor consent', async () => {
  const { body } = await grant({ tpp: 'PSDNO-FSA-111111111' });
  expect(await seen(body.psuId)).toBe('401 PSU_CREDENTIALS_INVALID');
});

test('interface 9: in corporate context it names the agreement', async () => {
  const { status, body } = await grant({ psu: '18129215603', context: 'CORPORATE', agreement: '11111111' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ context: 'CORPORATE', corporateId: expect.stringMatching(/^[\w-]{36}$/) });
});

test('G6b: the name of a TPP of the door stands for its authorisation number', async () => {
  const { status, body } = await grant({ tpp: 'wish', accounts });
  expect([status, body.tpp]).toEqual([200, testTppId('wish')]);
  const headers = { 'psu-id': body.psuId, 'x-request-id': '4eba4445-1a4b-47b8-bdd5-4e56ef026b19' };
  const read = await bank.raw('GET', '/sandbox/as/wish/v1/accounts', headers);
  expect(read.body.accounts.map(({ bban }: { bban: string }) => bban)).toEqual(accounts);
});

test.each(['PSDNO-987654321', 'PSDNO-FSA-', 'wish.example', 'Wish AS', 'w'.repeat(61)])(
  'G6b: %s is neither number nor name: it is refused with the TPPs that the bank knows',
  async (wrong) => {
    await grant();
    await grant({ tpp: 'wish' });
    expect(await grant({ tpp: wrong })).toMatchObject({
      status: 400,
      body: { code: 'FORMAT_ERROR', allowed: [testTppId('wish'), tpp].toSorted(), errors: [{ path: 'tpp' }] },
    });
  },
);

test('G6b, G8: a TPP without a number is its issuer and subject once the bank knows it', async () => {
  const now = systemClock.now();
  const validity = { validFrom: (now - 86_400_000) as Instant, validTo: (now + 86_400_000) as Instant };
  const certificate = issueCertificate({ ...namelessTpp, ...validity });
  const unnumbered = 'issuer CN=tpp.example,O=Test TPP\\, AS,C=NO subject CN=tpp.example,O=Test TPP\\, AS,C=NO';
  expect(await grant({ tpp: unnumbered })).toMatchObject({ status: 400, body: { allowed: [] } });
  const asked = { certificate, headers: { 'psu-id': null, 'x-psu-identity': psu } };
  expect(await bank.signed('GET', '/v1/accounts', asked)).toMatchObject({ status: 401 });
  expect(await grant({ tpp: unnumbered })).toMatchObject({ status: 200, body: { tpp: unnumbered } });
});

test.each<[string, object, number, string]>([
  ['a TPP that is half a character', { tpp: '\ud800' }, 400, 'FORMAT_ERROR'],
  ['an agreement that is half a character', { context: 'CORPORATE', agreement: '\udc00' }, 400, 'FORMAT_ERROR'],
  ['an unknown PSU', { psu: '01010112345' }, 404, 'PSU_CREDENTIALS_INVALID'],
  ['a corporation', { psu: '11111111' }, 404, 'PSU_CREDENTIALS_INVALID'],
  ['an account of another', { accounts: ['74712699947'] }, 400, 'RESOURCE_UNKNOWN'],
  ['an agreement that the PSU has no part in', { context: 'CORPORATE' }, 404, 'CORPORATE_ID_INVALID'],
  ['no TPP', { tpp: '' }, 400, 'FORMAT_ERROR'],
])('%s is refused', async (_what, wrong, status, code) => {
  expect(await grant(wrong)).toMatchObject({ status, body: { code } });
  expect(await listed()).toEqual([]);
});

test.each(['0', '99', 'x', '1e3'])('there is no consent %s to revoke', async (id) => {
  expect(await bank.control('DELETE', `/sandbox/consents/${id}`)).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' },
  });
});

test('a consent says when it lapses, when it was last used, and the name of the TPP that began an SCA', async () => {
  const { psuId } = (await grant({ accounts })).body;
  const about = async () => {
    const [{ tppName, lapsesOn, lastUsed }] = (await bank.control('GET', '/sandbox/consents')).body.consents;
    return [tppName, lapsesOn, lastUsed];
  };
  expect(await about()).toEqual([null, '2027-09-20', null]);
  await bank.advance({ to: '2027-03-31' });
  await seen(psuId);
  expect(await about()).toEqual([null, '2027-09-20', '2027-03-31']);
  await bank.quirks({ 'consent-days': '90' });
  expect(await about()).toEqual([null, '2027-06-22', '2027-03-31']);
  await bank.quirks({ 'consent-days': false });
});
