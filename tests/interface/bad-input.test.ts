import { beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '../../api/interface/index.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { periodicPath, periodicPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank, validCertificate, type Sent } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const singleSca = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };

const bank = testBank('2027-03-24T12:00:00+01:00');
let before: string;
beforeAll(async () => {
  before = await ledgerContent();
});

/** Every row that a payment could leave behind. */
async function ledgerContent(): Promise<string> {
  const rows = await bank.bank.ledger.read(async (reader) => ({
    payments: await reader.selectFrom('payment').selectAll().execute(),
    entries: await reader.selectFrom('entry').select('id').execute(),
    scas: await reader.selectFrom('sca').selectAll().execute(),
    changes: await reader.selectFrom('status_change').selectAll().execute(),
  }));
  return JSON.stringify(rows);
}

/** What it is; status, code and path of the answer; what is sent, where and how; words of the answer. */
type BadInput = [string, string, Sent, string?, string?, RegExp?];

const amount = (value: unknown) => ({ instructedAmount: { amount: value, currency: 'NOK' } });
const account = (member: 'bban' | 'iban', number: string, currency = 'NOK') => ({ [member]: number, currency });
const single = (changes: object, headers: object = {}): Sent => ({
  body: singlePayment(changes),
  headers: { ...singleSca, ...headers },
});
const periodic = (changes: object, headers: object = {}): Sent => ({
  body: periodicPayment(changes),
  headers: { ...singleSca, ...headers },
});

const table: readonly BadInput[] = [
  ['E2: a body that is not JSON', '400 FORMAT_ERROR', { body: '{"a":', headers: singleSca }],
  ['E2: an empty body', '400 FORMAT_ERROR', { headers: singleSca }],
  ['E2: another content type', '415 FORMAT_ERROR content-type', single({}, { 'content-type': 'text/xml' })],
  ['E2: a 300 KB body', '413 BAD_REQUEST', { body: 'x'.repeat(300 * 1024), headers: singleSca }],
  ['P1: an unknown product', '404 PRODUCT_UNKNOWN', single({}), '/v1/payments/gold-transfers'],
  [
    'P1: a product that periodic payments lack',
    '404 PRODUCT_UNKNOWN',
    periodic({}),
    '/v1/periodic-payments/sepa-credit-transfers',
  ],
  ['E2: an unknown path', '404 NOT_FOUND', {}, '/v1/nowhere'],
  ['G1: headers before the body: nobody who signs', '400 HTTP_HEADER_REQUIRED psu-id', { body: {} }],
  ['interface: a query where there is none', '400 PARAMETER_NOT_SUPPORTED page', {}, '/v1/agreements?page=2', 'GET'],
  ['a second ? is part of a value', '400 FORMAT_ERROR withBalance', {}, '/v1/accounts?withBalance=true?limit=1', 'GET'],
  ['E2: a path in capitals', '404 NOT_FOUND', {}, '/V1/accounts', 'GET'],
  ['E2: a slash after a path', '404 NOT_FOUND', {}, '/v1/accounts/', 'GET'],
  ['E2: a wrong method', '405 SERVICE_INVALID', { body: singlePayment() }, singlePath, 'PUT'],
  ['E2: an X-Request-ID of another form', '400 FORMAT_ERROR x-request-id', single({}, { 'x-request-id': 'seven' })],
  ['A6: no PSU at all', '400 HTTP_HEADER_REQUIRED psu-id', { body: singlePayment() }],
  [
    'A6: single SCA without PSU-Context',
    '400 HTTP_HEADER_REQUIRED psu-context',
    { body: singlePayment(), headers: { 'x-psu-identity': '13039319955' } },
  ],
  [
    'A8: an initiation without the PSU present',
    '400 HTTP_HEADER_REQUIRED psu-ip-address',
    single({}, { 'psu-ip-address': null }),
  ],
  [
    'E5: a periodic initiation without x-accept-fix',
    '400 HTTP_HEADER_REQUIRED x-accept-fix',
    periodic({}, { 'x-accept-fix': null }),
    periodicPath,
  ],
  [
    'E5: a periodic initiation without TPP-Session-ID',
    '400 HTTP_HEADER_REQUIRED tpp-session-id',
    periodic({}, { 'tpp-session-id': null }),
    periodicPath,
  ],
  [
    'an odd TPP-Redirect-URI',
    '400 FORMAT_ERROR tpp-redirect-uri',
    single({}, { 'tpp-redirect-uri': 'javascript:alert(1)' }),
  ],
  [
    'an unknown PSU-ID',
    '401 PSU_CREDENTIALS_INVALID psu-id',
    { body: singlePayment(), headers: { 'psu-id': '4eba4445-1a4b-47b8-bdd5-4e56ef026b19' } },
  ],
  [
    'an unknown X-PSU-IDENTITY',
    '401 PSU_CREDENTIALS_INVALID x-psu-identity',
    single({}, { 'x-psu-identity': '01010112345' }),
  ],
  [
    'E1: an Accept that asks for something else',
    '406 REQUESTED_FORMATS_INVALID accept',
    single({}, { accept: 'application/xml' }),
  ],
  [
    'P5b: an unknown debtor account',
    '400 RESOURCE_UNKNOWN debtorAccount',
    single({ debtorAccount: account('bban', '12345678903') }),
  ],
  [
    'P5b: a debtor account in EUR',
    '400 PAYMENT_FAILED debtorAccount.currency',
    single({ debtorAccount: account('bban', '85523166859', 'EUR') }),
  ],
  [
    // Sparekonto of Per Sperret in the known state.
    'D4: an account without the payment permission',
    '403 SERVICE_BLOCKED debtorAccount',
    single({ debtorAccount: account('bban', '34500000025') }),
  ],
  ['P4: a 19-digit amount', '400 FORMAT_ERROR instructedAmount.amount', single(amount('1234567890123456789.00'))],
  ['P4: a JSON number', '400 FORMAT_ERROR instructedAmount.amount', single(amount(100))],
  [
    'P3: a date that has passed',
    '400 EXECUTION_DATE_INVALID requestedExecutionDate',
    single({ requestedExecutionDate: '2027-03-23' }),
  ],
  [
    'T7: beyond 2099',
    '400 EXECUTION_DATE_INVALID requestedExecutionDate',
    single({ requestedExecutionDate: '2100-01-04' }),
  ],
  [
    'R7: startDate before today',
    '400 EXECUTION_DATE_INVALID startDate',
    periodic({ startDate: '2027-03-01' }),
    periodicPath,
  ],
  [
    'R7: no execution in the period',
    '400 EXECUTION_DATE_INVALID endDate',
    periodic({ dayOfExecution: '14', endDate: '2027-05-01' }),
    periodicPath,
  ],
  [
    'R5: month 12 names the quirk',
    '400 FORMAT_ERROR',
    periodic({ frequency: 'MonthlyVariable', monthsOfExecution: [12] }),
    periodicPath,
    'POST',
    /december-month/,
  ],
  ['an unknown payment id', '403 RESOURCE_UNKNOWN', {}, `${singlePath}/enc!!nope==`, 'GET'],
  ['deleting an unknown payment', '403 RESOURCE_UNKNOWN', {}, `${singlePath}/enc!!nope==`, 'DELETE'],
  ['a path that cannot be decoded', '400 BAD_REQUEST', {}, `${singlePath}/%E0%A4%A`, 'GET'],
  ['G1: a certificate of the wrong role', '401 ROLE_INVALID', { ...single({}), certificate: wrongRole() }],
];

function wrongRole() {
  return validCertificate({ roles: ['PSP_AI'], organizationIdentifier: 'PSDNO-FSA-222222222' });
}

describe('interface, What the service does 5, TPP message, Other operations 1, Events 4, Further rules 2: bad input gets the right status and code and a text that helps, and changes nothing', () => {
  test.each(table)('%s: %s', async (_what, expected, sent, path = singlePath, method = 'POST', words = /^/) => {
    const { status, body } = await bank.signed(method, path, sent);
    const [code, place] = expected.split(/(?<=^\S+ \S+) /);
    expect(`${status} ${body.tppMessages[0].code}`).toBe(code);
    for (const message of body.tppMessages) {
      expect(message.category).toBe('ERROR');
      expect(message.text.length).toBeGreaterThan(20);
      expect(message.text.length).toBeLessThanOrEqual(512);
    }
    const places = body.tppMessages.map((message: { path?: string }) => message.path);
    if (place !== undefined) expect(places).toContain(place);
    expect(body.tppMessages[0].text).toMatch(words);
    expect(await ledgerContent()).toBe(before);
  });
});

test('E2: outside the interface: the address itself is a page for people, the rest 404 NOT_FOUND', async () => {
  const page = await fetch(`${bank.address}/`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const nowhere = await bank.raw('GET', '/api/v1/accounts');
  expect(nowhere).toMatchObject({ status: 404, body: { tppMessages: [{ code: 'NOT_FOUND' }] } });
});

describe('signing, through HTTP', () => {
  const sign = { date: new Date(systemClock.now()).toUTCString() };

  test('interface, TPP authentication 3, Further rules 1: G1, G2: neither certificate nor signature: 400 SIGNATURE_MISSING, before anything else is judged', async () => {
    const answer = await bank.raw('POST', singlePath, sign, Buffer.from('no json'));
    expect(answer).toMatchObject({ status: 400, body: { tppMessages: [{ code: 'SIGNATURE_MISSING' }] } });
  });

  test('T1: the wall clock judges the Date: an hour old is TIMESTAMP_INVALID, though the bank is in 2027', async () => {
    const certificate = validCertificate();
    const stale = { date: new Date(systemClock.now() - 3_600_000).toUTCString() };
    const headers = { ...stale, 'tpp-signature-certificate': certificate.certificateBase64, signature: 'x' };
    const answer = await bank.raw('GET', '/v1/payment/x', headers);
    expect(answer).toMatchObject({ status: 400, body: { tppMessages: [{ code: 'TIMESTAMP_INVALID' }] } });
  });

  test('G2: a signature that does not verify: 400 SIGNATURE_INVALID; with the quirk signature-401: 401', async () => {
    await using strict = await startTestBank('2027-03-24', ['--quirks', 'signature-401']);
    for (const [server, status] of [
      [bank, 400],
      [strict, 401],
    ] as const) {
      const forged = { ...validCertificate(), certificateBase64: '', certificatePem: otherCertificate() };
      const answer = await server.signed('GET', '/v1/payment/x', { certificate: forged });
      expect(answer).toMatchObject({ status, body: { tppMessages: [{ code: 'SIGNATURE_INVALID' }] } });
    }
  });

  test('interface, What the service does 2: G7: initiation needs PSP_PI, account information PSP_AI, everything else no role', async () => {
    const needed = {
      PSP_PI: /^\/(?:[\w-]*payments?|signing-baskets|users?$)/,
      PSP_AI: /^\/(?:[\w-]*accounts|[\w-]*consents)/,
    };
    const [refused, expected]: [string[], string[]] = [[], []];
    for (const role of ['PSP_PI', 'PSP_AI'] as const) {
      const certificate = validCertificate({ roles: [role], organizationIdentifier: 'PSDNO-FSA-333333333' });
      for (const { method, path } of endpoints) {
        if (path.startsWith('/sandbox')) continue;
        const target = `/v1${path.replace(':product', 'norwegian-domestic-credit-transfers').replaceAll(/:\w+/g, 'x')}`;
        const { body } = await bank.signed(method, target, { certificate });
        if (body?.tppMessages?.[0].code === 'ROLE_INVALID') refused.push(`${role} ${method} ${path}`);
        const other = role === 'PSP_PI' ? needed.PSP_AI : needed.PSP_PI;
        if (other.test(path)) expected.push(`${role} ${method} ${path}`);
      }
    }
    expect(refused).toEqual(expected);
  });

  test('E4: the answer names the request it belongs to', async () => {
    const id = 'a3c9a7de-31c5-4cbb-9bfb-3d2f4f0a8c1d';
    const answer = await bank.signed('GET', `${singlePath}/enc!!nope==`, { headers: { 'x-request-id': id } });
    expect(answer.headers.get('x-request-id')).toBe(id);
  });
});

function otherCertificate(): string {
  return validCertificate({ commonName: 'another.example' }).certificatePem;
}
