import { describe, expect, test } from '@jest/globals';
import { singlePath } from '../lab/bodies.ts';
import { validCertificate } from '../lab/server.ts';
import { answer, openPage } from '../sca/pages.ts';
import { basketOf, basketPath, initiated, psu, refusal, scaOf, statusOf } from './baskets.ts';
import { testBank } from '../support/test-bank.ts';

const otherPsu = '12085592767';
const other = { headers: { 'x-psu-identity': otherPsu, 'psu-context': 'PRIVATE' } };
const otherAccount = { debtorAccount: { bban: '74712699947', currency: 'NOK' } };
const stranger = { certificate: validCertificate({ organizationIdentifier: 'PSDNO-FSA-111111111' }) };

const bank = testBank('2027-03-24T12:00:00+01:00');

async function signed(kroner: number): Promise<string> {
  const id = await initiated(bank, kroner);
  const { body } = await bank.signed('POST', `${singlePath}/${id}/authorisations`);
  await bank.approve(body, psu);
  return id;
}

describe('what does not go into a basket', () => {
  test('REFERENCE_STATUS_INVALID: a payment that is fully signed, and one that is cancelled', async () => {
    const done = await signed(1);
    const deleted = await initiated(bank, 2);
    await bank.signed('DELETE', `${singlePath}/${deleted}`);
    expect(refusal(await basketOf(bank, [await initiated(bank, 3), done, deleted]))).toBe(
      '409 REFERENCE_STATUS_INVALID paymentIds[1] REFERENCE_STATUS_INVALID paymentIds[2]',
    );
  });

  test('REFERENCE_MIX_INVALID: payments of two PSUs; with a PSU in the request the other one is RESOURCE_UNKNOWN', async () => {
    const [own, others] = [await initiated(bank, 4), await initiated(bank, 5, otherAccount, other)];
    expect(refusal(await basketOf(bank, [own, others]))).toBe('400 REFERENCE_MIX_INVALID paymentIds[1]');
    expect(refusal(await basketOf(bank, [own, others], other))).toBe('400 RESOURCE_UNKNOWN paymentIds[0]');
  });

  test('REFERENCE_MIX_INVALID: payments that are not signed in one context', async () => {
    // Whether this PSU may pay from the second account is judged at SCA (A4); it is no account of its own.
    const ids = [await initiated(bank, 6, otherAccount, other), await initiated(bank, 7, {}, other)];
    expect(refusal(await basketOf(bank, ids))).toBe('400 REFERENCE_MIX_INVALID paymentIds[1]');
  });

  test("E3, G8: every unknown payment is named, another TPP's and another PSU's among them", async () => {
    const strangers = await initiated(bank, 20, {}, stranger);
    const answer = await basketOf(bank, ['nothing', strangers, await initiated(bank, 21)], other);
    expect(refusal(answer)).toBe(
      '400 RESOURCE_UNKNOWN paymentIds[0] RESOURCE_UNKNOWN paymentIds[1] RESOURCE_UNKNOWN paymentIds[2]',
    );
  });

  test.each([
    ['no payment', { paymentIds: [] }, 'paymentIds'],
    ['one twice', { paymentIds: ['a', 'a'] }, 'paymentIds'],
    ['no list', {}, 'paymentIds'],
    ['consents', { paymentIds: ['a'], consentIds: ['b'] }, 'consentIds'],
  ])('FORMAT_ERROR: %s', async (_what, body, path) => {
    expect(refusal(await bank.signed('POST', basketPath, { body }))).toBe(`400 FORMAT_ERROR ${path}`);
  });

  test('HTTP_HEADER_REQUIRED: TPP-Redirect-URI, since the PSU comes back to it', async () => {
    const answer = await basketOf(bank, ['a'], { headers: { 'tpp-redirect-uri': null } });
    expect(refusal(answer)).toBe('400 HTTP_HEADER_REQUIRED tpp-redirect-uri');
  });
});

describe('whose basket it is', () => {
  test('G8: another TPP, for the same PSU too, and another PSU do not know it', async () => {
    const { body } = await basketOf(bank, [await initiated(bank, 30)]);
    const samePsu = { ...stranger, headers: { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' } };
    for (const sent of [stranger, samePsu, other]) {
      for (const [method, suffix] of [
        ['GET', ''],
        ['POST', '/authorisations'],
      ] as const) {
        const answer = await bank.signed(method, `${basketPath}/${body.basketId}${suffix}`, sent);
        expect(refusal(answer)).toBe('403 RESOURCE_UNKNOWN');
      }
    }
  });

  test('A4: it is tied to one PSU, whom another cannot stand in for', async () => {
    const id = await initiated(bank, 31);
    const { body } = await basketOf(bank, [id]);
    const redirect = await bank.approve(await scaOf(bank, body.basketId), otherPsu);
    expect(redirect.searchParams.get('code')).toBe('PSU_CREDENTIALS_INVALID');
    expect(await statusOf(bank, id)).toBe('RCVD');
  });
});

describe('A4: a basket of which every payment is refused', () => {
  // Nora may initiate from an account of Even's; whether she may pay from it is decided when she signs.
  const refused = async (kroner: number): Promise<{ ids: string[]; basketId: string }> => {
    const ids = [await initiated(bank, kroner, otherAccount), await initiated(bank, kroner + 1, otherAccount)];
    return { ids, basketId: (await basketOf(bank, ids)).body.basketId };
  };
  const isUntouched = async ({ ids, basketId }: { ids: string[]; basketId: string }): Promise<void> => {
    expect(await Promise.all(ids.map((id) => statusOf(bank, id)))).toEqual(['RCVD', 'RCVD']);
    const { body } = await bank.signed('GET', `${basketPath}/${basketId}`);
    expect(body).toMatchObject({ transactionStatus: 'RCVD' });
  };

  test('fails its SCA with the first refusal, and is not signed', async () => {
    const basket = await refused(40);
    const redirect = await bank.approve(await scaOf(bank, basket.basketId), psu);
    expect(redirect.searchParams.get('code')).toBe('FORBIDDEN');
    await isUntouched(basket);
    // It can still be signed: its SCA failed, not the basket.
    expect(await scaOf(bank, basket.basketId)).toContain('/sca/');
  });

  test('A4e: shows no page to approve; the PSU may go back to the TPP with the refusal', async () => {
    const basket = await refused(50);
    const first = await openPage(await scaOf(bank, basket.basketId));
    const told = await answer(first, { action: 'identify', psu });
    expect(told.status).toBe(200);
    const page = await answer(first, { action: 'identify', psu, insist: 'yes' });
    expect(page.status).toBe(303);
    expect(new URL(page.headers.get('location') ?? '').searchParams.get('code')).toBe('FORBIDDEN');
    await isUntouched(basket);
  });
});
