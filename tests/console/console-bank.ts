import { randomUUID } from 'node:crypto';
import { systemClock } from '../../engine/time/clock.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { startTestBank, type TestBank, validCertificate } from '../lab/server.ts';

/** Wednesday before Easter, the bank closed from the next day until Tuesday 30 March. */
export const beforeEaster = '2027-03-24T12:00:00+01:00';

/** Names that are markup or close an attribute. Those that turn the direction of writing no payment can carry. */
export const hostileNames = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "' autofocus onfocus=alert(1) x='",
  '</main></title><h1>x',
];

/** A payment of Nora's; its id. Unsigned when `sign` is false. */
export async function pay(bank: TestBank, path: string, body: object, { sign = true } = {}): Promise<string> {
  return sign ? bank.pays(path, body) : (await bank.initiates(path, body)).paymentId;
}

/** A bank with payments of every kind, past and to come, and hostile names in them. */
export async function startConsoleBank(flags: readonly string[] = []): Promise<TestBank> {
  const bank = await startTestBank(beforeEaster, flags);
  const amount = (text: string) => ({ instructedAmount: { amount: text, currency: 'NOK' } });
  await pay(bank, singlePath, singlePayment(amount('11.00')));
  await bank.advance({ runs: 2 });
  await pay(bank, singlePath, singlePayment({ requestedExecutionDate: '2027-03-26', creditorName: 'Påskeharen AS' }));
  await pay(bank, singlePath, singlePayment({ ...amount('99999999.00'), requestedExecutionDate: '2027-03-25' }));
  await pay(bank, periodicPath, periodicPayment({ startDate: '2027-03-26' }));
  await pay(
    bank,
    bulkPath,
    bulkPayment(hostileNames.map((creditorName, index) => bulkItem(`${index + 1}.00`, { creditorName }))),
  );
  for (const [index, creditorName] of hostileNames.entries()) {
    await pay(bank, singlePath, singlePayment({ ...amount(`${index + 20}.00`), creditorName }), {
      sign: index % 2 === 0,
    });
  }
  await fillPeople(bank);
  await bank.control('POST', '/sandbox/snapshots', { name: 'before-easter' });
  await bank.control('POST', '/sandbox/banks', { name: 'other', mode: 'frozen' });
  await sendHostile(bank);
  return bank;
}

/** A consent, and customers and an agreement with hostile names. */
async function fillPeople(bank: TestBank): Promise<void> {
  await bank.control('POST', '/sandbox/consents', { tpp: 'PSDNO-FSA-1"><b>', psu: '13039319955' });
  for (const [index, name] of hostileNames.entries()) {
    const customer = { customerNumber: `9876543210${index}`, name, type: index === 0 ? 'corporate' : 'private' };
    const made = await bank.signed('POST', '/v1/sandbox/customers', { body: customer });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  }
  const agreement = { owner: '98765432100', name: hostileNames[1], engagements: [] };
  const made = await bank.signed('POST', '/v1/sandbox/agreements', { body: agreement });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
}

/** Requests with markup in every place that a TPP fills: target, headers, body, names of its certificate; one signed wrongly. */
export async function sendHostile(bank: TestBank): Promise<void> {
  const [markup = '', script = ''] = hostileNames;
  const certificate = validCertificate({ commonName: script, organization: `${markup}\u202e` });
  await bank.signed('POST', `/v1/payments/${encodeURIComponent(markup)}?x=${script}`.replaceAll('"', '%22'), {
    headers: { 'tpp-session-id': markup, 'x-request-id': script.replaceAll('"', '') },
    body: Buffer.from(`{"creditorName": "${markup}\u202e", ${script}`),
    certificate,
  });
  await refusedSignature(bank, `<b>${script}</b>`);
}

/** Sends a request with another redirect URI than the one that was signed; its X-Request-ID. */
export async function refusedSignature(bank: TestBank, sessionId = 'session-1'): Promise<string> {
  const requestId = randomUUID();
  const target = '/v1/accounts';
  const headers = { 'tpp-session-id': sessionId, 'tpp-redirect-uri': 'https://tpp.example/callback' };
  const { certificatePem: certificate, keyPem: key } = validCertificate();
  const given = { method: 'GET', target, headers, body: new Uint8Array(), certificate, key, requestId };
  const signature = signHeaders({ ...given, date: systemClock.now() });
  await bank.raw('GET', target, {
    ...headers,
    ...signature,
    'tpp-redirect-uri': 'https://tpp.example/callback?state=1',
  });
  return requestId;
}
