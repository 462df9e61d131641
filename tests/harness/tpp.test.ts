import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { signRequest } from '../../api/client/index.ts';
import type { SignedHeaders, SignedSendOptions } from '../../api/harness/index.ts';
import { anne, harnessBank, nora, stranger } from './harness-bank.ts';

const held = harnessBank();
const path = '/v1/payments/norwegian-domestic-credit-transfers';
const asNora = { 'X-PSU-IDENTITY': nora.psu, 'PSU-Context': 'PRIVATE' };
const body = {
  instructedAmount: { amount: '100.00', currency: 'NOK' },
  creditorName: 'Company 123',
  creditorAccount: { bban: stranger, currency: 'NOK' },
  debtorAccount: { bban: nora.bban, currency: 'NOK' },
};

/** Of another amount each time: the same payment twice a day is a logical duplicate. */
async function initiate(amount: string): Promise<{ paymentId: string; scaRedirect: { href: string } }> {
  const sent = {
    method: 'POST',
    headers: { ...asNora },
    body: { ...body, instructedAmount: { amount, currency: 'NOK' } },
  };
  const answer = await held.bank.tpp().fetch(path, sent);
  const { paymentId, _links: links } = (await answer.json()) as {
    paymentId: string;
    _links: { scaRedirect: { href: string } };
  };
  return { paymentId, scaRedirect: links.scaRedirect };
}

test('a TPP signs as the bank asks for, and each has an id of its own', async () => {
  const [one, other] = [held.bank.tpp(), held.bank.tpp({ name: 'other' })];
  expect(one.id).toMatch(/^PSDNO-FSA-\d{9}$/);
  expect(other.id).not.toBe(one.id);
  const paymentId = await other.pay({ from: nora.bban, to: stranger, amount: '1.00' });
  expect((await held.bank.payments(paymentId)).tpp).toEqual({ id: other.id, name: 'Test TPP other' });
  const { certificate, key } = await one.credentials();
  expect(certificate).toContain('BEGIN CERTIFICATE');
  expect(key).toContain('BEGIN PRIVATE KEY');
});

test('a TPP of another role is refused what it may not do', async () => {
  const answer = await held.bank.tpp({ name: 'reader', roles: ['PSP_AI'] }).fetch(path, { method: 'POST', body });
  expect(await answer.json()).toMatchObject({ tppMessages: [{ code: 'ROLE_INVALID' }] });
});

test('A4b: the PSU approves, cancels, fails or comes too late, and the redirect says so', async () => {
  const psu = held.bank.psu(nora.psu);
  const approved = await initiate('4.00');
  const redirect = await psu.approve(approved.scaRedirect);
  expect(redirect.origin + redirect.pathname).toBe('https://tpp.example/callback');
  expect(redirect.searchParams.get('context')).toBe('PRIVATE');
  expect((await held.bank.payments(approved.paymentId)).status).toBe('PDNG');
  expect((await psu.cancel((await initiate('1.00')).scaRedirect.href)).searchParams.has('code')).toBe(true);
  const failed = await psu.fail(new URL((await initiate('2.00')).scaRedirect.href), 'SCA_EXPIRED');
  expect(failed.searchParams.get('code')).toBe('SCA_EXPIRED');
  const late = await initiate('3.00');
  expect((await psu.expire(late.scaRedirect)).searchParams.get('code')).toBe('SCA_EXPIRED');
  expect((await held.bank.payments(late.paymentId)).status).toBe('RCVD');
  expect(await (await held.bank.fetch(new URL(late.scaRedirect.href))).text()).toContain('older than 15 minutes');
});

test('mistakes are told: a name, an address elsewhere, a header of the signer, a link that is none', async () => {
  const tpp = held.bank.tpp();
  expect(() => held.bank.tpp({ name: 'a b' })).toThrow('"a b" is no name for a TPP');
  await expect(tpp.fetch('https://bank.example/v1/accounts')).rejects.toThrow('is no address of this bank');
  await expect(tpp.fetch('/v1/accounts', { headers: { Signature: 'x' } })).rejects.toThrow(
    'The option spoil of tpp.fetch and tpp.pay changes it',
  );
  await expect(held.bank.psu(nora.psu).approve('/v1/payments')).rejects.toThrow(
    'psu.approve takes the address of an SCA page',
  );
});

test('a default header is left out with null, and bytes are sent as they are', async () => {
  const sent = {
    method: 'POST',
    headers: { 'tpp-redirect-uri': null, ...asNora },
    body: Buffer.from(JSON.stringify(body)),
  };
  const answer = await held.bank.tpp().fetch(path, sent);
  expect(await answer.json()).toMatchObject({
    tppMessages: [{ code: 'HTTP_HEADER_REQUIRED', path: 'tpp-redirect-uri' }],
  });
});

test("A's certificate with B's key is refused: each TPP has a key of its own, the same in every bank", async () => {
  const [one, other] = [held.bank.tpp({ name: 'a' }), held.bank.tpp({ name: 'b' })];
  const [own, others] = await Promise.all([one.credentials(), other.credentials()]);
  expect(others.key).not.toBe(own.key);
  expect((await held.bank.tpp({ name: 'a', roles: ['PSP_AI'] }).credentials()).key).toBe(own.key);
  const headers = { 'X-Request-ID': randomUUID(), 'TPP-Redirect-URI': 'https://tpp.example/callback' };
  const request = { method: 'POST', url: `${held.bank.url}/v1/bank-offered-consents`, headers };
  const send = async (key: string) => {
    const signed = signRequest({ ...request, certificate: own.certificate, key });
    return held.bank.fetch('/v1/bank-offered-consents', { method: 'POST', headers: { ...headers, ...signed } });
  };
  expect((await send(own.key)).status).toBe(201);
  const refused = await send(others.key);
  expect(await refused.json()).toMatchObject({ tppMessages: [{ code: 'SIGNATURE_INVALID' }] });
});

test('sign returns the headers that fetch sends; one that is spoilt is refused', async () => {
  const options = { method: 'POST', headers: { ...asNora }, body };
  const headers = await held.bank.tpp().sign(path, options);
  expect((await held.bank.fetch(path, { ...options, headers })).status).toBe(201);
  const spoilt = { ...headers, Date: new Date(0).toUTCString() };
  const answer = await held.bank.fetch(path, { ...options, headers: spoilt });
  expect(await answer.json()).toMatchObject({ tppMessages: [{ code: 'TIMESTAMP_INVALID' }] });
});

describe('spoil changes the signed headers', () => {
  test('of any request, and of a payment', async () => {
    const spoil = (headers: SignedHeaders): unknown => (headers.Date = new Date(0).toUTCString());
    const answer = await held.bank.tpp().fetch('/v1/bank-offered-consents', { method: 'POST', spoil });
    expect((await answer.json()).tppMessages?.[0]?.code).toBe('TIMESTAMP_INVALID');
    const order = { from: nora.bban, to: stranger, amount: '1.00' };
    const payment = held.bank.tpp().pay({ ...order, spoil: (headers) => (headers.Signature = 'none') });
    await expect(payment).rejects.toMatchObject({ name: 'BankError', status: 400, code: 'SIGNATURE_INVALID' });
  });

  test.each<[string, unknown, string]>([
    ['changes nothing', () => ({ Signature: 'none' }), 'spoil has changed no header: assign to a member'],
    ['is async', () => Promise.resolve(), 'spoil is async'],
    ['is none', { Signature: 'none' }, 'tpp.fetch takes a function in spoil, and got {"Signature":"none"}.'],
  ])('one that %s is refused', async (_what, spoil, text) => {
    const options = { spoil } as SignedSendOptions;
    await expect(held.bank.tpp().fetch('/v1/accounts', options)).rejects.toThrow(text);
  });
});

test.each([
  ['Signature', 'SIGNATURE_MISSING'],
  ['TPP-Signature-Certificate', 'CERTIFICATE_MISSING'],
  ['digest', 'HTTP_HEADER_REQUIRED'],
  ['Date', 'HTTP_HEADER_REQUIRED'],
  ['X-Request-ID', 'HTTP_HEADER_REQUIRED'],
])('the header %s with null is left out: %s', async (name, code) => {
  const answer = await held.bank.tpp().fetch(path, { method: 'POST', headers: { ...asNora, [name]: null }, body });
  expect(await answer.json()).toMatchObject({ tppMessages: [{ code }] });
});

test('A7: a consent reads accounts, balances and transactions by their numbers', async () => {
  const payment = await held.bank.tpp().pay({ from: nora.bban, to: stranger, amount: '250.00' });
  await held.bank.clock.advance({ runs: 1 });
  const reader = await held.bank.tpp().consent({ psu: nora.psu, accounts: [nora.bban] });
  expect(await reader.accounts()).toMatchObject([{ bban: nora.bban, currency: 'NOK' }]);
  const available = { balanceType: 'interimAvailable', balanceAmount: { amount: '17750.00', currency: 'NOK' } };
  expect(await reader.balances(nora.bban)).toContainEqual(available);
  const debit = { transactionAmount: { amount: '-250.00', currency: 'NOK' }, creditorName: 'Payee' };
  expect(await reader.transactions(nora.bban)).toMatchObject({ booked: [], pending: [debit] });
  await held.bank.clock.advance({ until: { paymentId: payment, status: 'ACSC' } });
  await held.bank.clock.advance({ runs: 1 });
  const { booked } = await reader.transactions(nora.bban, { from: '2027-03-24', to: '2027-03-24' });
  expect(booked).toMatchObject([debit]);
  await expect(reader.balances(anne.bban)).rejects.toThrow(
    `The PSU has not granted ${anne.bban}. Granted: 09232911044. `,
  );
  const more = await held.bank.tpp().fetch('/v1/accounts', { headers: { ...reader.headers } });
  expect(more.status).toBe(200);
});

test('A7: a consent of a corporation, and one that the PSU cannot give', async () => {
  const reader = await held.bank.tpp().consent({ psu: '17818050100', context: 'CORPORATE' });
  expect((await reader.accounts()).length).toBeGreaterThan(0);
  const nobody = held.bank.tpp().consent({ psu: '00000000000' });
  await expect(nobody).rejects.toMatchObject({ name: 'BankError', code: 'PSU_CREDENTIALS_INVALID' });
});
