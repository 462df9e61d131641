import { expect, test } from '@jest/globals';
import { harnessBank, nora, stranger } from './harness-bank.ts';

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
  await expect(tpp.fetch('/v1/accounts', { headers: { Signature: 'x' } })).rejects.toThrow('bank.fetch sends');
  await expect(held.bank.psu(nora.psu).approve('/v1/payments')).rejects.toThrow('/v1/payments is no scaRedirect');
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
