import { beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../engine/time/clock.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { validCertificate } from '../lab/server.ts';
import { unescapedHtml } from '../support/html.ts';
import { beforeEaster, pay } from './console-bank.ts';
import { type Answered, ConsoleClient, hidden } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

/* C17: what was done by commands alone is done by forms too. */
const bank = testBank(beforeEaster);
let client: ConsoleClient;
beforeAll(async () => {
  client = new ConsoleClient(bank.address);
});

async function send(page: string, form: string, fields: Readonly<Record<string, string>>): Promise<Answered> {
  const carried = { 'form-token': hidden(await client.get(`/console${page}`), 'form-token'), 'came-from': page };
  return client.follow(`/console${form}`, await client.post(`/console${form}`, { ...carried, ...fields }));
}

/** A signed request as a text, with another redirect address than the one that was signed. */
function changedRequest(): string {
  const headers = { 'tpp-session-id': 'session-1', 'tpp-redirect-uri': 'https://tpp.example/callback' };
  const { certificatePem: certificate, keyPem: key } = validCertificate();
  const given = { method: 'GET', target: '/v1/accounts', headers, body: new Uint8Array(), certificate, key };
  const signed = signHeaders({ ...given, requestId: 'c5c2b2b1-6d0e-4d0e-9c4e-0c8a3b1f4d11', date: systemClock.now() });
  const sent = { ...headers, ...signed, 'tpp-redirect-uri': 'https://tpp.example/callback?state=1' };
  return ['GET /v1/accounts HTTP/1.1', ...Object.entries(sent).map(([name, value]) => `${name}: ${value}`)].join(
    '\r\n',
  );
}

test('C17: the doctor judges a pasted request, and shows the strings side by side', async () => {
  const { text } = await send('/doctor', '/doctor', { request: changedRequest() });
  expect(text).toMatch(/What the bank verifies[^]*<mark>\?state=1<\/mark>[^]*What was signed[^]*<mark>⏎<\/mark>/);
  expect(text).toMatch(/<textarea[^>]*>GET \/v1\/accounts HTTP\/1\.1/);
  const { text: wrong } = await send('/doctor', '/doctor', { request: 'nonsense' });
  expect(wrong).toMatch(/role="alert"[^]*Expected method and target/);
});

test('C17: a fault is armed by a form, and strikes', async () => {
  const fields = { effect: 'code', code: 'SERVICE_BLOCKED', method: 'POST', path: '/v1/payments', times: '1' };
  const { text } = await send('/requests', '/requests/arm', fields);
  expect(text).toMatch(/The fault 1 is armed\.[^]*SERVICE[^]*POST \/v1\/payments/);
  const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
  const { status, body } = await bank.signed('POST', singlePath, { headers, body: singlePayment() });
  expect([status, body.tppMessages[0].code]).toEqual([403, 'SERVICE_BLOCKED']);
  const { text: wrong } = await send('/requests', '/requests/arm', { effect: 'delay', delay: 'PT5S' });
  expect(wrong).toMatch(/<details id="arm-fault" open>[^]*role="alert"|role="alert"[^]*<details id="arm-fault" open>/);
});

test.each(['1000000', '1e2', '5.0'])(
  'C17: the form of a fault takes %s calls, as the control plane does',
  async (times) => {
    const { text } = await send('/requests', '/requests/arm', { effect: 'cut', method: 'DELETE', times });
    expect(text).toContain('is armed.');
    const { faults } = (await bank.control('GET', '/sandbox/faults')).body;
    expect(faults.at(-1)).toMatchObject({ cut: true, times: Number(times) });
    await bank.control('DELETE', '/sandbox/faults');
  },
);

test.each([
  ['1000001', '1000001 is refused'],
  ['0', '0 is refused'],
  ['1.5', '1.5 is not whole'],
  ['many', '"many" is a string'],
])('C17: the form of a fault says what is wrong with %s calls', async (times, says) => {
  const { text } = await send('/requests', '/requests/arm', { effect: 'cut', method: 'DELETE', times });
  expect(unescapedHtml(text)).toContain(`${says}: expected how many calls to strike, 1 to 1000000.`);
});

test('C11: a search shows payments by amount, date and status, grouped', async () => {
  for (let count = 1; count <= 6; count += 1) {
    const instructedAmount = { amount: `${count}00.00`, currency: 'NOK' };
    await pay(bank, singlePath, singlePayment({ creditorName: 'Søkbar AS', instructedAmount }));
  }
  const { text } = await client.get(`/console/search?q=${encodeURIComponent('Søkbar')}`);
  expect(text).toMatch(/<h2>Payments<\/h2>[^]*600\.00[^]*ACSP|<h2>Payments<\/h2>[^]*600\.00[^]*PDNG/);
  expect(text).toContain('100.00');
});

test('D3e: the forecast has the tries of a payment in one row, and the account what is to come', async () => {
  const from = '09232911044';
  await pay(
    bank,
    singlePath,
    singlePayment({ creditorName: 'For dyr AS', instructedAmount: { amount: '9999999.00', currency: 'NOK' } }),
  );
  const { text } = await client.get('/console/forecast?to=P10D');
  expect(text.match(/>For dyr AS<\/bdi>/g)).toHaveLength(1);
  expect(text).toMatch(/<text class="bad"[^>]*>will be rejected [^<]*, try 5</);
  expect(text).toMatch(/1 payment will be rejected|1 will be rejected/);
  expect(text.match(/<ol class="tries">[^]*?<\/ol>/)?.[0].match(/<li>/g)).toHaveLength(5);
  const { text: account } = await client.get(`/console/accounts/${from}`);
  expect(account).toMatch(/<h2>To come<\/h2>[^]*For dyr AS[^]*short of funds/);
});
