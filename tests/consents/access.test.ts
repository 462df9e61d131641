import { describe, expect, test } from '@jest/globals';
import { memoryBankForEach } from '../support/test-bank.ts';
import { localDate } from '../../engine/values/local-date.ts';
import type { ReportQuery } from '../../engine/accounts/rules/transaction-list.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { createCustomer } from '../../engine/sandbox-data/customers.ts';
import { finishSca } from '../../engine/approval/finish-sca.ts';
import { initializeSandbox } from '../../engine/sandbox-data/create-known-state.ts';
import { listAccounts, readAccount, readBalances } from '../../engine/consents/read-account.ts';
import { listTransactions, readTransaction } from '../../engine/consents/list-transactions.ts';
import { offerSca } from '../../engine/sca/sca.ts';
import type { AccountRequest } from '../../engine/consents/account-access.ts';
import { at } from '../lab/bank.ts';
import { people } from '../lab/payments.ts';
import { dump, rowsIn } from '../lab/rows.ts';
import { accountIdOf, approveConsent, consented, everything, otherTpp, refusalOf, stranger } from '../lab/consented.ts';

const bank = memoryBankForEach('2027-03-24T12:00:00+01:00');

const list = (request: AccountRequest) => listAccounts(bank, request, false);
const bbans = async (request: AccountRequest) => (await list(request)).map(({ account }) => account.bban);

describe('what a request may read', () => {
  test('A7: after an SCA, exactly the accounts that the PSU chose', async () => {
    const all = await consented(bank, 'nora');
    expect(await bbans(all)).toEqual(['09232911044', '70323119469', '85523166859', '86620069552']);
    const fewer = await consented(bank, 'nora', { accounts: ['NO8870323119469', '85523166859'] });
    expect(fewer.psu).toEqual(all.psu);
    expect(await bbans(fewer)).toEqual(['70323119469', '85523166859']);
  });

  test('A7: an SCA that is cancelled leaves the consent as it was', async () => {
    const request = await consented(bank, 'nora', { accounts: ['09232911044'] });
    const returnTo = { redirectUri: 'https://tpp.example/back', sessionId: 'session-2' };
    const scaId = await offerSca(bank, 'consent', { ...request, returnTo });
    await finishSca(bank, scaId, { outcome: 'cancel' });
    expect(await bbans(request)).toEqual(['09232911044']);
  });

  test('interface, PSU identification 1: A6: X-PSU-IDENTITY names the PSU as PSU-ID does', async () => {
    const { psu } = await consented(bank, 'nora');
    const number = people.nora.psu;
    expect(await bbans({ ...stranger, psu: { psuIdentity: number } })).toHaveLength(4);
    expect(await bbans({ ...stranger, psu: { ...psu, psuIdentity: number } })).toHaveLength(4);
  });

  test('A7: reading needs no session, and no return address', async () => {
    const request = await consented(bank, 'nora');
    expect(await bbans({ ...request, sessionId: null, redirectUri: null })).toHaveLength(4);
  });
});

describe('refusals that an SCA cures', () => {
  test('E4: for a PSU that a reset takes away in between: PSU_CREDENTIALS_INVALID', async () => {
    const psuIdentity = '01019012345';
    await createCustomer(bank, { customerNumber: psuIdentity, name: 'Gone', type: 'private' });
    const answer = refusalOf(list({ ...stranger, psu: { psuIdentity } }));
    await initializeSandbox(bank);
    expect(await answer).toMatchObject({ code: 'PSU_CREDENTIALS_INVALID' });
  });

  test.each([
    ['names nobody', {}],
    ['names a PSU who never consented', { psuIdentity: people.nora.psu }],
  ])('E1: a request that %s is CONSENT_INVALID with an SCA that ends in a consent', async (_, psu) => {
    const request = { ...stranger, psu };
    const refusal = await refusalOf(list(request));
    expect(refusal).toMatchObject({ code: 'CONSENT_INVALID', scaId: expect.any(String) });
    const psuId = await approveConsent(bank, refusal.scaId ?? '', 'nora');
    expect(await bbans({ ...request, psu: { psuId } })).toHaveLength(4);
  });

  test('interface, PSU identification 10: CORPORATE without an agreement is CONSENT_INVALID, whatever the PSU opened as a private person', async () => {
    const request = await consented(bank, 'nora');
    const refusal = await refusalOf(list({ ...request, context: 'CORPORATE' }));
    expect(refusal).toMatchObject({ code: 'CONSENT_INVALID', scaId: expect.any(String) });
    expect(await bbans({ ...request, context: 'PRIVATE' })).toHaveLength(4);
  });

  test('A4: the SCA that is offered waits for the PSU who was named', async () => {
    const refusal = await refusalOf(list({ ...stranger, psu: { psuIdentity: people.nora.psu } }));
    const wrong = await refusalOf(approveConsent(bank, refusal.scaId ?? '', 'even'));
    expect(wrong.code).toBe('PSU_CREDENTIALS_INVALID');
  });

  test('A7: after 180 days it is CONSENT_EXPIRED, and an SCA opens it again', async () => {
    const request = await consented(bank, 'nora');
    await advanceClock(bank, at('2027-09-20T12:00:00+02:00'));
    expect(await bbans(request)).toHaveLength(4);
    await advanceClock(bank, at('2027-09-20T12:00:01+02:00'));
    const refusal = await refusalOf(list(request));
    expect(refusal).toMatchObject({ code: 'CONSENT_EXPIRED', scaId: expect.any(String) });
    await approveConsent(bank, refusal.scaId ?? '', 'nora');
    expect(await bbans(request)).toHaveLength(4);
  });

  test('interface, PSU identification 3: A7: without a return address the SCA cannot be offered: HTTP_HEADER_REQUIRED', async () => {
    const refusal = await refusalOf(list({ ...stranger, redirectUri: null }));
    expect(refusal).toMatchObject({ code: 'HTTP_HEADER_REQUIRED', path: 'tpp-redirect-uri', scaId: null });
    expect(await rowsIn(bank, 'select * from sca')).toEqual([]);
  });

  test('the offered SCA remembers TPP, return address, session and context', async () => {
    await refusalOf(list({ ...stranger, context: 'PRIVATE' }));
    const [sca] = await rowsIn(bank, 'select * from sca');
    expect(sca).toMatchObject({
      purpose: 'consent',
      tpp_id: stranger.tpp.id,
      tpp_redirect_uri: 'https://tpp.example/back',
      tpp_session_id: 'session-1',
      context: 'PRIVATE',
    });
  });
});

describe('refusals that it does not', () => {
  test('an unknown PSU-ID, or another TPP with it: PSU_CREDENTIALS_INVALID (G8)', async () => {
    const { psu } = await consented(bank, 'nora');
    for (const request of [
      { ...stranger, psu: { psuId: '4eba4445-1a4b-47b8-bdd5-4e56ef026b19' } },
      { ...stranger, psu, tpp: otherTpp },
    ]) {
      expect(await refusalOf(list(request))).toMatchObject({ code: 'PSU_CREDENTIALS_INVALID', scaId: null });
    }
  });

  test('G8: a consent to one TPP opens nothing to another', async () => {
    await consented(bank, 'nora');
    const request = { ...stranger, tpp: otherTpp, psu: { psuIdentity: people.nora.psu } };
    expect((await refusalOf(list(request))).code).toBe('CONSENT_INVALID');
  });

  test('an agreement that nobody has: CORPORATE_ID_INVALID', async () => {
    const request = await consented(bank, 'nora');
    const corporate = { ...request, psu: { ...request.psu, corporateId: '4eba4445-1a4b-47b8-bdd5-4e56ef026b19' } };
    expect(await refusalOf(list(corporate))).toMatchObject({ code: 'CORPORATE_ID_INVALID', scaId: null });
  });

  test('an account that is unknown or outside the consent: RESOURCE_UNKNOWN of an account, in every operation', async () => {
    const request = await consented(bank, 'nora', { accounts: ['70323119469'] });
    for (const id of ['enc!!none', '', await accountIdOf(bank, 'nora'), await accountIdOf(bank, 'even')]) {
      for (const work of [
        readAccount(bank, request, id, true),
        readBalances(bank, request, id),
        listTransactions(bank, request, id, everything),
        readTransaction(bank, request, id, 'enc!!none'),
      ]) {
        const refusal = await refusalOf(work);
        expect(refusal).toMatchObject({ code: 'RESOURCE_UNKNOWN', place: 'account', scaId: null });
      }
    }
  });
});

describe('A7: transactions older than 90 days', () => {
  const old = { ...everything, dateFrom: localDate('2026-12-23') };
  const read = async (request: AccountRequest, query: ReportQuery = old) => {
    return listTransactions(bank, request, await accountIdOf(bank, 'nora'), query);
  };

  test('interface, PSU identification 7: are read in the session of the SCA, for an hour', async () => {
    const request = await consented(bank, 'nora');
    expect((await read(request)).query.dateFrom).toBe('2026-12-23');
    await advanceClock(bank, at('2027-03-24T13:00:00+01:00'));
    expect((await read(request)).query.dateFrom).toBe('2026-12-23');
    await advanceClock(bank, at('2027-03-24T13:00:01+01:00'));
    expect(await refusalOf(read(request))).toMatchObject({ code: 'CONSENT_INVALID', scaId: expect.any(String) });
  });

  test.each([
    ['without a session', null],
    ['in another session', 'session-2'],
  ])('%s are CONSENT_INVALID, say why and how, and offer an SCA that helps', async (_, sessionId) => {
    const request = { ...(await consented(bank, 'nora')), sessionId };
    const refusal = await refusalOf(read(request));
    expect(refusal).toMatchObject({ code: 'CONSENT_INVALID', scaId: expect.any(String) });
    expect(refusal.text).toMatch(/before 2026-12-24, older than 90 days.*TPP-Session-ID/);
    await approveConsent(bank, refusal.scaId ?? '', 'nora');
    if (sessionId !== null) expect((await read(request)).query.dateFrom).toBe('2026-12-23');
  });

  test('a new session ends the one before it', async () => {
    const first = await consented(bank, 'nora');
    const second = await consented(bank, 'nora', { sessionId: 'session-2' });
    expect((await read(second)).query.dateFrom).toBe('2026-12-23');
    expect((await refusalOf(read(first))).code).toBe('CONSENT_INVALID');
  });

  test('H30, register 37: 90 days are open to all, and are what is read without dateFrom', async () => {
    const request = { ...(await consented(bank, 'nora')), sessionId: null };
    expect((await read(request, everything)).place.dateFrom).toBe('2026-12-24');
    expect((await read(request, { ...old, dateFrom: localDate('2026-12-24') })).booked).toEqual([]);
    expect((await read(request, { ...old, bookingStatus: 'pending' })).pending).toEqual([]);
  });
});

test('A7: the first reading of a bank day notes the day, and the others write nothing', async () => {
  const request = await consented(bank, 'nora');
  const id = await accountIdOf(bank, 'nora');
  const unread = await dump(bank);
  await listAccounts(bank, request, true);
  const before = await dump(bank);
  const consent = unread['consent']?.map((row) => ({ ...row, used_on: '2027-03-24' }));
  expect(before).toEqual({ ...unread, consent });
  await readBalances(bank, request, id);
  await listTransactions(bank, request, id, everything);
  expect(await dump(bank)).toEqual(before);
});
