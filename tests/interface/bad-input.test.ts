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

interface BadInput {
  readonly what: string;
  readonly path?: string;
  readonly method?: string;
  readonly sent: Sent;
  readonly status: number;
  readonly code: string;
  readonly at?: string;
  readonly says?: RegExp;
}

const amount = (value: unknown, currency = 'NOK') => singlePayment({ instructedAmount: { amount: value, currency } });
const single = (changes: object): Sent => ({ body: singlePayment(changes), headers: singleSca });
const periodic = (changes: object): Sent => ({ body: periodicPayment(changes), headers: singleSca });

const table: readonly BadInput[] = [
  {
    what: 'E2: a body that is not JSON',
    sent: { body: '{"a":', headers: singleSca },
    status: 400,
    code: 'FORMAT_ERROR',
  },
  { what: 'E2: an empty body', sent: { headers: singleSca }, status: 400, code: 'FORMAT_ERROR' },
  {
    what: 'E2: another content type',
    sent: { body: singlePayment(), headers: { ...singleSca, 'content-type': 'text/xml' } },
    status: 415,
    code: 'FORMAT_ERROR',
    at: 'content-type',
  },
  {
    what: 'E2: a 300 KB body',
    sent: { body: 'x'.repeat(300 * 1024), headers: singleSca },
    status: 413,
    code: 'BAD_REQUEST',
  },
  {
    what: 'P1: an unknown product',
    path: '/v1/payments/gold-transfers',
    sent: { body: singlePayment(), headers: singleSca },
    status: 404,
    code: 'PRODUCT_UNKNOWN',
  },
  {
    what: 'P1: a product that periodic payments lack',
    path: '/v1/periodic-payments/sepa-credit-transfers',
    sent: periodic({}),
    status: 404,
    code: 'PRODUCT_UNKNOWN',
  },
  { what: 'E2: an unknown path', path: '/v1/nowhere', sent: {}, status: 404, code: 'NOT_FOUND' },
  {
    what: 'G1: headers before the body: nobody who signs',
    sent: { body: {} },
    status: 400,
    code: 'HTTP_HEADER_REQUIRED',
    at: 'psu-id',
  },
  {
    what: 'interface: a query where there is none',
    path: '/v1/agreements?page=2',
    method: 'GET',
    sent: {},
    status: 400,
    code: 'PARAMETER_NOT_SUPPORTED',
    at: 'page',
  },
  {
    what: 'a second ? is part of a value',
    path: '/v1/accounts?withBalance=true?limit=1',
    method: 'GET',
    sent: {},
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'withBalance',
  },
  { what: 'E2: a path in capitals', path: '/V1/accounts', method: 'GET', sent: {}, status: 404, code: 'NOT_FOUND' },
  { what: 'E2: a slash after a path', path: '/v1/accounts/', method: 'GET', sent: {}, status: 404, code: 'NOT_FOUND' },
  { what: 'E2: a wrong method', method: 'PUT', sent: { body: singlePayment() }, status: 405, code: 'SERVICE_INVALID' },
  {
    what: 'E2: a missing X-Request-ID form',
    sent: { body: singlePayment(), headers: { ...singleSca, 'x-request-id': 'seven' } },
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'x-request-id',
  },
  {
    what: 'A6: no PSU at all',
    sent: { body: singlePayment() },
    status: 400,
    code: 'HTTP_HEADER_REQUIRED',
    at: 'psu-id',
  },
  {
    what: 'A6: single SCA without PSU-Context',
    sent: { body: singlePayment(), headers: { 'x-psu-identity': '13039319955' } },
    status: 400,
    code: 'HTTP_HEADER_REQUIRED',
    at: 'psu-context',
  },
  {
    what: 'A8: an initiation without the PSU present',
    sent: { body: singlePayment(), headers: { ...singleSca, 'psu-ip-address': null } },
    status: 400,
    code: 'HTTP_HEADER_REQUIRED',
    at: 'psu-ip-address',
  },
  {
    what: 'E5: a periodic initiation without x-accept-fix',
    path: periodicPath,
    sent: { body: periodicPayment(), headers: { ...singleSca, 'x-accept-fix': null } },
    status: 400,
    code: 'HTTP_HEADER_REQUIRED',
    at: 'x-accept-fix',
  },
  {
    what: 'E5: a periodic initiation without TPP-Session-ID',
    path: periodicPath,
    sent: { body: periodicPayment(), headers: { ...singleSca, 'tpp-session-id': null } },
    status: 400,
    code: 'HTTP_HEADER_REQUIRED',
    at: 'tpp-session-id',
  },
  {
    what: 'an odd TPP-Redirect-URI',
    sent: { body: singlePayment(), headers: { ...singleSca, 'tpp-redirect-uri': 'javascript:alert(1)' } },
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'tpp-redirect-uri',
  },
  {
    what: 'an unknown PSU-ID',
    sent: { body: singlePayment(), headers: { 'psu-id': '4eba4445-1a4b-47b8-bdd5-4e56ef026b19' } },
    status: 401,
    code: 'PSU_CREDENTIALS_INVALID',
    at: 'psu-id',
  },
  {
    what: 'an unknown X-PSU-IDENTITY',
    sent: { body: singlePayment(), headers: { ...singleSca, 'x-psu-identity': '01010112345' } },
    status: 401,
    code: 'PSU_CREDENTIALS_INVALID',
    at: 'x-psu-identity',
  },
  {
    what: 'E1: an Accept that asks for something else',
    sent: { body: singlePayment(), headers: { ...singleSca, accept: 'application/xml' } },
    status: 406,
    code: 'REQUESTED_FORMATS_INVALID',
    at: 'accept',
  },
  {
    what: 'P5b: an unknown debtor account',
    sent: single({ debtorAccount: { bban: '12345678903', currency: 'NOK' } }),
    status: 400,
    code: 'RESOURCE_UNKNOWN',
    at: 'debtorAccount',
  },
  {
    what: 'P5b: a debtor account in EUR',
    sent: single({ debtorAccount: { bban: '85523166859', currency: 'EUR' } }),
    status: 400,
    code: 'PAYMENT_FAILED',
    at: 'debtorAccount.currency',
  },
  {
    what: 'P5b: a payment in EUR',
    sent: { body: amount('10.00', 'EUR'), headers: singleSca },
    status: 400,
    code: 'PAYMENT_FAILED',
    at: 'instructedAmount.currency',
  },
  {
    what: 'P5b: a foreign creditor',
    sent: single({ creditorAccount: { iban: 'DE89 3704 0044 0532 0130 00', currency: 'NOK' } }),
    status: 400,
    code: 'PAYMENT_FAILED',
    at: 'creditorAccount.iban',
  },
  {
    what: 'P5b: paying oneself',
    sent: single({ creditorAccount: { bban: '09232911044', currency: 'NOK' } }),
    status: 400,
    code: 'PAYMENT_FAILED',
    at: 'creditorAccount',
  },
  {
    what: 'D4: an account without the payment permission',
    sent: single({ debtorAccount: { bban: blockedBban(), currency: 'NOK' } }),
    status: 403,
    code: 'SERVICE_BLOCKED',
    at: 'debtorAccount',
  },
  {
    what: 'P4: decimals for a currency that has none',
    sent: { body: amount('100.00', 'JPY'), headers: singleSca },
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'instructedAmount.amount',
  },
  {
    what: 'P4: a 19-digit amount',
    sent: { body: amount('1234567890123456789.00'), headers: singleSca },
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'instructedAmount.amount',
  },
  {
    what: 'P4: a JSON number',
    sent: { body: amount(100), headers: singleSca },
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'instructedAmount.amount',
  },
  {
    what: 'P4: zero',
    sent: { body: amount('0.00'), headers: singleSca },
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'instructedAmount.amount',
  },
  {
    what: 'P5: an IBAN that fails mod-97',
    sent: single({ creditorAccount: { iban: 'NO9386011117948', currency: 'NOK' } }),
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'creditorAccount.iban',
  },
  {
    what: 'P8: an emoji in a name',
    sent: single({ creditorName: 'Smil 😀' }),
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'creditorName',
  },
  { what: 'E3: an unknown member', sent: single({ colour: 'red' }), status: 400, code: 'FORMAT_ERROR', at: 'colour' },
  {
    what: 'P3: a date that has passed',
    sent: single({ requestedExecutionDate: '2027-03-23' }),
    status: 400,
    code: 'EXECUTION_DATE_INVALID',
    at: 'requestedExecutionDate',
  },
  {
    what: 'P3: a date-time',
    sent: single({ requestedExecutionDate: '2027-03-25T00:00:00Z' }),
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'requestedExecutionDate',
  },
  {
    what: 'T7: beyond 2099',
    sent: single({ requestedExecutionDate: '2100-01-04' }),
    status: 400,
    code: 'EXECUTION_DATE_INVALID',
    at: 'requestedExecutionDate',
  },
  {
    what: 'startDate 31 February',
    path: periodicPath,
    sent: periodic({ startDate: '2027-02-31' }),
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'startDate',
  },
  {
    what: 'R7: endDate before startDate',
    path: periodicPath,
    sent: periodic({ endDate: '2027-04-14' }),
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'endDate',
  },
  {
    what: 'R7: startDate before today',
    path: periodicPath,
    sent: periodic({ startDate: '2027-03-01' }),
    status: 400,
    code: 'EXECUTION_DATE_INVALID',
    at: 'startDate',
  },
  {
    what: 'R7: no execution in the period',
    path: periodicPath,
    sent: periodic({ dayOfExecution: '14', endDate: '2027-05-01' }),
    status: 400,
    code: 'EXECUTION_DATE_INVALID',
    at: 'endDate',
  },
  {
    what: 'R5: MonthlyVariable without months',
    path: periodicPath,
    sent: periodic({ frequency: 'MonthlyVariable' }),
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'monthsOfExecution',
  },
  {
    what: 'R5: month 12 names the quirk',
    path: periodicPath,
    sent: periodic({ frequency: 'MonthlyVariable', monthsOfExecution: [12] }),
    status: 400,
    code: 'FORMAT_ERROR',
    says: /december-month/,
  },
  {
    what: 'R3: dayOfExecution "32"',
    path: periodicPath,
    sent: periodic({ dayOfExecution: '32' }),
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'dayOfExecution',
  },
  {
    what: 'R6: preceding spelled right is wrong',
    path: periodicPath,
    sent: periodic({ executionRule: 'preceding' }),
    status: 400,
    code: 'FORMAT_ERROR',
    at: 'executionRule',
  },
  {
    what: 'an unknown payment id',
    method: 'GET',
    path: `${singlePath}/enc!!nope==`,
    sent: {},
    status: 403,
    code: 'RESOURCE_UNKNOWN',
  },
  {
    what: 'deleting an unknown payment',
    method: 'DELETE',
    path: `${singlePath}/enc!!nope==`,
    sent: {},
    status: 403,
    code: 'RESOURCE_UNKNOWN',
  },
  {
    what: 'a path that cannot be decoded',
    method: 'GET',
    path: `${singlePath}/%E0%A4%A`,
    sent: {},
    status: 400,
    code: 'BAD_REQUEST',
  },
  {
    what: 'G1: a certificate of the wrong role',
    sent: { ...single({}), certificate: wrongRole() },
    status: 401,
    code: 'ROLE_INVALID',
  },
];

function wrongRole() {
  return validCertificate({ roles: ['PSP_AI'], organizationIdentifier: 'PSDNO-FSA-222222222' });
}

/** Sparekonto of Per Sperret in the known state. */
function blockedBban(): string {
  return '34500000025';
}

describe('interface, What the service does 5, TPP message, Other operations 1, Events 4, Further rules 2: bad input gets the right status and code and a text that helps, and changes nothing', () => {
  test.each(table)('$what', async ({ method = 'POST', path = singlePath, sent, status, code, at, says }) => {
    const answer = await bank.signed(method, path, sent);
    expect([answer.status, answer.body.tppMessages[0].code]).toEqual([status, code]);
    for (const message of answer.body.tppMessages) {
      expect(message.category).toBe('ERROR');
      expect(message.text.length).toBeGreaterThan(20);
      expect(message.text.length).toBeLessThanOrEqual(512);
    }
    if (at !== undefined)
      expect(answer.body.tppMessages.map((message: { path?: string }) => message.path)).toContain(at);
    if (says !== undefined) expect(answer.body.tppMessages[0].text).toMatch(says);
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

  test('G7: initiation needs PSP_PI, account information PSP_AI, everything else no role', async () => {
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
