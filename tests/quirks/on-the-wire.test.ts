import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { bulkItem, bulkPath, bulkPayment, periodicPath, periodicPayment } from '../lab/bodies.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { testBank } from '../support/test-bank.ts';

/* rules.md Q2: quirks are seen on the wire, and only while they are on. */
const bank = testBank('2027-03-24T12:00:00+01:00', ['--quirks=status-before-approval']);

/** Asks by default and under a quirk. */
async function both<T>(quirk: string, ask: () => Promise<T>): Promise<{ readonly usual: T; readonly under: T }> {
  const usual = await ask();
  await bank.quirks({ [quirk]: true });
  const under = await ask();
  await bank.quirks({ [quirk]: false });
  expect(await ask()).toEqual(usual);
  return { usual, under };
}

async function made(path: string, body: object, requestId?: string) {
  const headers = {
    'x-psu-identity': '13039319955',
    'psu-context': 'PRIVATE',
    ...(requestId !== undefined && { 'x-request-id': requestId }),
  };
  return bank.signed('POST', `${path}?allowLogicalDuplicate=true`, { body, headers });
}

const services = [
  ['single', singlePath, singlePayment()],
  ['periodic', periodicPath, periodicPayment()],
  ['bulk', bulkPath, bulkPayment([bulkItem('1.00')])],
] as const;

describe('plain-json', () => {
  test.each([
    ['an answer', () => made(singlePath, singlePayment())],
    ['a refusal of the engine', () => bank.signed('GET', `${singlePath}/none`)],
    ['a refusal of the signature', () => bank.raw('GET', '/v1/accounts')],
    ['an unknown path', () => bank.raw('GET', '/v1/nowhere')],
    [
      'a body that is too large',
      () => bank.raw('POST', singlePath, { 'content-type': 'application/json' }, Buffer.alloc(2_000_000, ' ')),
    ],
  ])('H25, Q7: %s has no charset', async (_what, ask) => {
    const { usual, under } = await both('plain-json', async () => (await ask()).headers.get('content-type'));
    expect([usual, under]).toEqual(['application/json; charset=utf-8', 'application/json']);
  });
});

describe('Q6: no-status-in-details', () => {
  test.each(services)('register 51: the details of a %s payment have no status', async (_name, path, body) => {
    const { paymentId, transactionStatus } = (await made(path, body)).body;
    expect(transactionStatus).toBe('RCVD');
    const { usual, under } = await both(
      'no-status-in-details',
      async () => (await bank.signed('GET', `${path}/${encodeURIComponent(paymentId)}`)).body,
    );
    const { transactionStatus: shown, ...rest } = usual;
    expect([shown, under]).toEqual(['RCVD', rest]);
  });

  test.each(services)('register 51: nor those of a %s payment by the short form', async (_name, path, body) => {
    const { paymentId } = (await made(path, body)).body;
    const { under } = await both(
      'no-status-in-details',
      async () => (await bank.signed('GET', `/v1/payment/${encodeURIComponent(paymentId)}`)).body,
    );
    expect([under.paymentId, under.transactionStatus]).toEqual([paymentId, undefined]);
  });

  test('H1, register 48, 51: the initiation has it, and the status before the approval', async () => {
    const { paymentId } = (await made(periodicPath, periodicPayment())).body;
    const path = `${periodicPath}/${encodeURIComponent(paymentId)}/status`;
    const { usual, under } = await both('no-status-in-details', async () => (await bank.signed('GET', path)).body);
    expect(under).toEqual(usual);
    expect(under.transactionStatus).toBe('RCVD');
  });
});

test('H2: a standing order needs x-accept-fix, and under lenient-headers none', async () => {
  const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE', 'x-accept-fix': null };
  const order = { body: periodicPayment(), headers };
  const { usual, under } = await both(
    'lenient-headers',
    async () => (await bank.signed('POST', periodicPath, order)).status,
  );
  expect([usual, under]).toEqual([400, 201]);
});

describe('Q6: fee-indicator', () => {
  test.each(services)(
    'register 47: a %s payment that costs 0.00 is told to cost something',
    async (_name, path, body) => {
      const id = randomUUID();
      // Q2, P9: the same call again gets its first answer, shaped anew.
      const { usual, under } = await both('fee-indicator', async () => (await made(path, body, id)).body);
      expect(usual).toMatchObject({ transactionFeeIndicator: false, transactionFees: { amount: '0.00' } });
      expect(under).toEqual({ ...usual, transactionFeeIndicator: true });
    },
  );
});

test('Q2: without a quirk no file of one is loaded, and with one only its own', () => {
  const script = join(import.meta.dirname, 'loaded.ts');
  const [without, withOne] = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' }));
  expect(without).toEqual({ type: 'application/json; charset=utf-8', loaded: [] });
  expect(withOne).toEqual({ type: 'application/json', loaded: ['index', 'plain-json'] });
});
