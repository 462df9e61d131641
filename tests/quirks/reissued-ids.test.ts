import { beforeEach, describe, expect, test } from '@jest/globals';
import { clip } from '../../engine/values/text.ts';
import { debtorBban, singlePath, singlePayment } from '../lab/bodies.ts';
import { testBankForEach } from '../support/test-bank.ts';

/* rules.md Q3, register 1 and 2: account transactions get other ids, and the old ones are unknown. */

const psu = '13039319955';
const bank = testBankForEach('2027-03-24T12:00:00+01:00');
let psuId = '';
let sandboxAccount = '';
beforeEach(async () => {
  const accounts: readonly { bban?: string; resourceId: string }[] = (await bank.signed('GET', '/v1/sandbox/accounts'))
    .body;
  sandboxAccount = accounts.find(({ bban }) => bban === debtorBban)?.resourceId ?? '';
  const dates = { valueDate: '2027-03-22', bookingDate: '2027-03-22', currency: 'NOK' };
  const body = ['-10.00', '-20.00'].map((amount) => ({ amount, ...dates }));
  await bank.signed('POST', `/v1/sandbox/accounts/${sandboxAccount}/transactions`, { body });
});

const put = (quirks: object) => bank.control('PUT', '/sandbox/quirks', { quirks });
const advance = async (by: string) => {
  expect((await bank.advance({ by })).status).toBe(200);
};

/** An SCA of a consent to all accounts, in this session. */
async function consent(session: string | null, by = psu): Promise<string> {
  const headers = { 'psu-context': 'PRIVATE', 'tpp-session-id': session };
  return (await bank.consents(by, {}, headers))['psu-id'];
}

const headersIn = (session: string | null, of = psuId) => ({ headers: { 'psu-id': of, 'tpp-session-id': session } });

async function idsIn(session: string | null, of = psuId): Promise<string[]> {
  const { body } = await bank.signed('GET', '/v1/accounts', headersIn(session, of));
  const accounts: readonly { bban?: string; resourceId: string }[] = body.accounts;
  const account = accounts.find(({ bban }) => bban === debtorBban)?.resourceId ?? '';
  const list = await bank.signed(
    'GET',
    `/v1/accounts/${account}/transactions?bookingStatus=both`,
    headersIn(session, of),
  );
  expect(list.status).toBe(200);
  const ids: string[] = list.body.transactions.booked.map((one: { transactionId: string }) => one.transactionId);
  // Each is read back now, and by its own id.
  for (const id of ids) {
    const { status, body: read } = await details(id, session, of);
    expect([status, read.transactionsDetails?.transactionId]).toEqual([200, id]);
  }
  return ids;
}

const details = (id: string, session: string | null = 'session-1', of = psuId) =>
  bank.signed('GET', `/v1/accounts/${sandboxAccount}/transactions/${id}`, headersIn(session, of));

async function expectUnknown(ids: readonly string[], session: string | null = 'session-1'): Promise<void> {
  for (const id of ids) {
    const { status, body } = await details(id, session);
    expect([status, body.tppMessages[0].code]).toEqual([403, 'RESOURCE_UNKNOWN']);
    expect(body.tppMessages[0].text).toContain(`The account has no booked transaction ${clip(id)}.`);
  }
}

/** Nothing of a list is in another one. */
function expectOthers(before: readonly string[], after: readonly string[]): void {
  expect(after).toHaveLength(before.length);
  expect(new Set([...before, ...after]).size).toBe(before.length * 2);
}

describe('after a time', () => {
  test('register 1: ids hold for the time, counted from the begin of the bank, then are unknown', async () => {
    await put({ 'reissued-ids': 'P2D' });
    psuId = await consent('session-1');
    const first = await idsIn('session-1');
    await advance('PT47H59M');
    expect(await idsIn('session-1')).toEqual(first);
    await advance('PT1M');
    const second = await idsIn('session-1');
    expectOthers(first, second);
    await expectUnknown(first);
    await advance('P2D');
    const third = await idsIn('session-1');
    expectOthers(second, third);
    expectOthers(first, third);
    await expectUnknown([...first, ...second]);
  });

  test('register 1: without the quirk ids stay, and those of the ledger are unknown while it is on', async () => {
    psuId = await consent('session-1');
    const usual = await idsIn('session-1');
    await advance('P80D');
    expect(await idsIn('session-1')).toEqual(usual);
    await put({ 'reissued-ids': 'P60D' });
    const reissued = await idsIn('session-1');
    expectOthers(usual, reissued);
    await expectUnknown(usual);
    await put({ 'reissued-ids': false });
    expect(await idsIn('session-1')).toEqual(usual);
    await expectUnknown(reissued);
  });

  test('Q3c: reissued ids have the length of the ledger, or that of id-lengths', async () => {
    psuId = await consent('session-1');
    const [usual = ''] = await idsIn('session-1');
    await put({ 'reissued-ids': 'P60D' });
    const [own = ''] = await idsIn('session-1');
    expect([usual.length, own.length, own.endsWith('=')]).toEqual([29, 29, true]);
    await put({ 'id-lengths': 'transaction:241/unpadded' });
    const accounts = (await bank.signed('GET', '/v1/sandbox/accounts')).body;
    sandboxAccount = accounts.find((one: { bban?: string }) => one.bban === debtorBban).resourceId;
    const before = await idsIn('session-1');
    expect(before.map((id) => [id.length, id.includes('=')])).toEqual(before.map(() => [241, false]));
    await advance('P60D');
    expectOthers(before, await idsIn('session-1'));
    await expectUnknown(before);
  });

  test('register 1: nothing but account transactions is reissued', async () => {
    await put({ 'reissued-ids': 'PT1H' });
    psuId = await consent('session-1');
    const body = singlePayment({ requestedExecutionDate: '2027-04-15' });
    const { paymentId } = (await bank.signed('POST', singlePath, { body, ...headersIn('session-1') })).body;
    const testData = async () => (await bank.signed('GET', `/v1/sandbox/accounts/${sandboxAccount}/transactions`)).body;
    const before = [await testData(), (await bank.signed('GET', '/v1/accounts', headersIn('session-1'))).body];
    await advance('P2D');
    expect([await testData(), (await bank.signed('GET', '/v1/accounts', headersIn('session-1'))).body]).toEqual(before);
    const read = await bank.signed('GET', `${singlePath}/${paymentId}`, headersIn('session-1'));
    expect([read.status, paymentId.length]).toEqual([200, 49]);
  });

  test('Q3c: the test data take the ids that account information showed, in any period', async () => {
    await put({ 'reissued-ids': 'P1D' });
    psuId = await consent('session-1');
    const [id = ''] = await idsIn('session-1');
    await advance('P3D');
    const path = `/v1/sandbox/accounts/${sandboxAccount}/transactions`;
    const own = (await bank.signed('GET', `${path}/${id}`)).body;
    expect(own.transactionId).toMatch(/^enc!![\w-]{22}==$/);
    expect((await bank.signed('GET', `${path}/${own.transactionId}`)).body).toEqual(own);
    expect((await bank.signed('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await bank.signed('GET', `${path}/${id}`)).status).toBe(403);
  });
});

describe('with each session', () => {
  test('register 2, 3: another session of the PSU has other ids, and the last one holds without a live session', async () => {
    await put({ 'reissued-ids': 'session' });
    psuId = await consent('first');
    const first = await idsIn('first');
    await advance('PT30M');
    // An SCA in the same session renews it.
    await consent('first');
    expect(await idsIn('first')).toEqual(first);
    await advance('PT2H');
    // Its hour is over, and there is no other.
    for (const named of ['first', 'never', null]) expect(await idsIn(named)).toEqual(first);
    await consent('second');
    const second = await idsIn('second');
    expectOthers(first, second);
    await expectUnknown(first, 'second');
    for (const named of ['first', null]) expect(await idsIn(named)).toEqual(second);
    await advance('P3D');
    expect(await idsIn(null)).toEqual(second);
    // The same name again, but its hour is over: a new session.
    await consent('first');
    const third = await idsIn('first');
    expectOthers(first, third);
    await expectUnknown([...first, ...second], 'first');
  });

  test('A7b: an id of a session whose hour is over names a new one', async () => {
    await put({ 'reissued-ids': 'session' });
    psuId = await consent('only');
    const first = await idsIn('only');
    await advance('PT61M');
    await consent('only');
    expectOthers(first, await idsIn('only'));
  });

  test('Q3c: the session of a payment does not take the ids from the session that reads', async () => {
    await put({ 'reissued-ids': 'session' });
    psuId = await consent('reading');
    const ids = await idsIn('reading');
    const body = singlePayment({ requestedExecutionDate: '2027-04-15' });
    const made = await bank.signed('POST', singlePath, { body, ...headersIn('paying') });
    const sca = await bank.signed('POST', made.body._links.startAuthorisation.href, headersIn('paying'));
    await bank.approve(sca.body);
    expect(await idsIn('reading')).toEqual(ids);
    expectOthers(ids, await idsIn('paying'));
  });

  test('Q3c: a consent without any session has ids too', async () => {
    await put({ 'reissued-ids': 'session' });
    psuId = await consent(null);
    const ids = await idsIn(null);
    expect(await idsIn('some')).toEqual(ids);
    await consent('some');
    expectOthers(ids, await idsIn('some'));
  });

  test('Q3c: a request of a PSU whom the TPP does not know is refused as without the quirk', async () => {
    psuId = await consent('first');
    const [id = ''] = await idsIn('first');
    const unknown = '00000000-0000-4000-8000-000000000000';
    const usual = await details(id, 'first', unknown);
    await put({ 'reissued-ids': 'session' });
    const { status, body } = await details(id, 'first', unknown);
    const codes = [usual.body, body].map(({ tppMessages }) => tppMessages[0].code);
    expect([status, ...codes]).toEqual([usual.status, 'PSU_CREDENTIALS_INVALID', 'PSU_CREDENTIALS_INVALID']);
  });
});
