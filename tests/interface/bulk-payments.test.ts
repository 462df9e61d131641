import { describe, expect, test } from '@jest/globals';
import { testBank } from '../support/test-bank.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { deleteAccount } from '../../engine/sandbox-data/customers.ts';
import { bulkItem, bulkPath, bulkPayment, debtorBban, singlePath, singlePayment } from '../lab/bodies.ts';
import { deposit } from '../lab/payments.ts';
import { answer, openPage, read } from '../sca/pages.ts';
import { consentedTransactions } from '../support/transactions.ts';
import type { Reply } from '../lab/server.ts';

const nora = '13039319955';
const even = { psu: '12085592767', bban: '74712699947' };
/** 12.00 NOK and no credit. */
const anne = { psu: '01819050062', bban: '34300000012' };
const signedBy = (psu: string) => ({ 'x-psu-identity': psu, 'psu-context': 'PRIVATE' });
const toEven = { creditorAccount: { bban: even.bban, currency: 'NOK' }, creditorName: 'Even' };

// A Monday, 12:00: the runs of 13:30 and 15:30 are still to come.
const bank = testBank('2027-04-05T12:00:00+02:00');

const initiate = (body: object, psu = nora): Promise<Reply> =>
  bank.signed('POST', bulkPath, { body, headers: signedBy(psu) });

async function sign({ body }: Reply, psu = nora): Promise<void> {
  await bank.approve(body, psu);
}

const statusOf = async (id: string): Promise<Reply> => bank.signed('GET', `${bulkPath}/${id}/status`);

const runs = (count: number): Promise<Reply> => bank.advance({ runs: count });

describe('a bulk payment from initiation to booked batch', () => {
  const body = bulkPayment(
    [
      bulkItem('10.00', { remittanceInformationUnstructured: 'One' }),
      bulkItem('20.50', toEven),
      bulkItem('30.00', {
        remittanceInformationStructuredArray: [{ reference: '99754667145676221', referenceType: 'SCOR' }],
      }),
    ],
    { paymentInformationId: 'April' },
  );
  let payment: Reply;
  let self: string;

  test('P2, S1: it answers as a single payment does', async () => {
    payment = await initiate(body);
    self = `${bulkPath}/${payment.body.paymentId}`;
    expect(payment.status).toBe(201);
    expect(payment.body).toEqual({
      paymentId: expect.stringMatching(/^enc!![\w-]{42}==$/),
      transactionStatus: 'RCVD',
      transactionFees: { amount: '0.00', currency: 'NOK' },
      transactionFeeIndicator: false,
      _links: {
        self: { href: self, verbs: ['GET', 'DELETE'] },
        status: { href: `${self}/status`, verbs: ['GET'] },
        startAuthorisation: { href: `${self}/authorisations`, verbs: ['POST'] },
        scaRedirect: { href: expect.any(String), verbs: ['GET'] },
      },
    });
  });

  test('it is read as it was sent, in the path of its service and in the short form', async () => {
    for (const path of [self, `/v1/payment/${payment.body.paymentId}`]) {
      expect(await bank.signed('GET', path)).toMatchObject({ status: 200, body });
    }
    expect(await bank.signed('GET', `${singlePath}/${payment.body.paymentId}`)).toMatchObject({ status: 403 });
  });

  test('A2: the page shows the sum, and every payee in a fold', async () => {
    const first = await openPage(payment.body._links.scaRedirect.href);
    const page = await answer(first, { action: 'identify', psu: nora });
    const text = read((await page.text()).replaceAll('\u00a0', ' '));
    for (const shown of ['3 payees, 60.50 NOK', '10.00 NOK', '20.50 NOK', '30.00 NOK']) expect(text).toContain(shown);
  });

  test('S2, S4: signed and due today it is PDNG, and its items settle in the next run, together ACSC', async () => {
    await sign(payment);
    expect((await statusOf(payment.body.paymentId)).body.transactionStatus).toBe('PDNG');
    expect((await runs(1)).body.runs).toMatchObject([{ settled: 3, rejected: 0, retried: 0 }]);
    expect((await statusOf(payment.body.paymentId)).body.transactionStatus).toBe('ACSC');
    const seen = await bank.control('GET', `/sandbox/payments/${payment.body.paymentId}`);
    expect(seen.body).toMatchObject({ initiation: body, status: 'ACSC' });
    expect(seen.body.history.map((change: { status: string }) => change.status)).toEqual(['RCVD', 'PDNG', 'ACSC']);
    expect(seen.body.entries).toHaveLength(6);
  });

  test('S6: booked it leaves the payment API, and the ledger sums to zero', async () => {
    await runs(1);
    expect(await bank.signed('GET', self)).toMatchObject({ status: 403 });
    const proof = await bank.control('GET', '/sandbox/ledger/proof');
    expect(proof.body).toMatchObject({ ok: true });
  });

  test('interface, Versioning 2: the debtor sees one transaction of the batch, with its transfers in the details', async () => {
    const { path, booked, headers } = await consentedTransactions(bank, nora, debtorBban);
    expect(booked).toHaveLength(1);
    expect(booked[0]).toMatchObject({
      transactionAmount: { amount: '-60.50', currency: 'NOK' },
      batchIndicator: true,
      batchNumberOfTransactions: 3,
      remittanceInformationUnstructured: 'Samlepost, 3 betalinger, NOK 60.50',
      bookingDate: '2027-04-05',
      valueDate: '2027-04-05',
    });
    expect(booked[0]).not.toHaveProperty('entryDetails');
    const one = await bank.signed('GET', `${path}/${encodeURIComponent(booked[0].transactionId)}`, { headers });
    const { entryDetails, ...shared } = one.body.transactionsDetails;
    expect(shared).toEqual(booked[0]);
    expect(entryDetails).toMatchObject([
      { transactionAmount: { amount: '-10.00', currency: 'NOK' }, remittanceInformationUnstructured: 'One' },
      { transactionAmount: { amount: '-20.50', currency: 'NOK' }, creditorName: 'Even' },
      {
        transactionAmount: { amount: '-30.00', currency: 'NOK' },
        remittanceInformationStructuredArray: [{ reference: '99754667145676221', referenceType: 'SCOR' }],
      },
    ]);
  });

  test('a creditor sees its own part and nothing of the others', async () => {
    const { booked } = await consentedTransactions(bank, even.psu, even.bban);
    expect(booked).toHaveLength(1);
    expect(booked[0]).toMatchObject({
      transactionAmount: { amount: '20.50', currency: 'NOK' },
      creditorName: 'Even',
      debtorAccount: { bban: debtorBban },
    });
    expect(booked[0]).not.toHaveProperty('batchIndicator', true);
  });
});

describe('S9b: each item settles on its own', () => {
  test('interface, Payment status codes: S9b: ACCP while nothing has settled, PART while some have, PART to the end when the rest is rejected', async () => {
    const payment = await initiate(
      bulkPayment([bulkItem('100.00'), bulkItem('50.00'), bulkItem('900.00')], {
        debtorAccount: { bban: anne.bban, currency: 'NOK' },
        requestedExecutionDate: '2027-04-07',
      }),
      anne.psu,
    );
    await sign(payment, anne.psu);
    const { paymentId } = payment.body;
    const until = (status: string) => bank.advance({ until: { paymentId, status } });
    expect((await statusOf(paymentId)).body.transactionStatus).toBe('ACSP');

    expect((await until('ACCP')).body).toMatchObject({ reached: true });
    expect((await statusOf(paymentId)).body).toMatchObject({ transactionStatus: 'ACCP', fundsAvailable: false });
    expect((await bank.signed('DELETE', `${bulkPath}/${paymentId}`)).status).toBe(405);

    await deposit(bank.bank, 'anne', 6000n);
    expect((await runs(1)).body.runs).toMatchObject([{ settled: 1, retried: 2 }]);
    const part = await statusOf(paymentId);
    expect(part.body).toMatchObject({ transactionStatus: 'PART' });
    expect(part.body._links.self.verbs).toEqual(['GET']);
    expect(part.body).not.toHaveProperty('fundsAvailable');
    const consolePage = async () =>
      (await fetch(`${bank.address}/console/payments/${encodeURIComponent(paymentId)}`)).text();
    expect(await consolePage()).toContain('own channel');

    expect((await until('RJCT')).status).toBe(409);
    // Until PART it does not move; until ACSC it stops at the end.
    expect((await until('PART')).body).toMatchObject({ reached: true, runs: [] });
    expect((await until('ACSC')).body).toMatchObject({ reached: false, runs: [{}, {}, { rejected: 2 }] });
    const seen = await bank.control('GET', `/sandbox/payments/${paymentId}`);
    expect(seen.body.history.map((change: { status: string }) => change.status)).toEqual([
      'RCVD',
      'ACSP',
      'PDNG',
      'ACCP',
      'PART',
      'PART',
    ]);
    expect(seen.body.history.at(-1).cause).toBe('run 2027-04-07/5, last items final');
    expect(seen.body.occurrences.map((one: { status: string }) => one.status)).toEqual(['RJCT', 'ACSC', 'RJCT']);

    // Booked, it stays readable, and tells the end by what it no longer says.
    await runs(3);
    for (const path of [`${bulkPath}/${paymentId}`, `${bulkPath}/${paymentId}/status`, `/v1/payment/${paymentId}`]) {
      const { status, body } = await bank.signed('GET', path);
      expect({ status, links: Object.keys(body._links), verbs: body._links.self.verbs }).toEqual({
        status: 200,
        links: ['self', 'status'],
        verbs: ['GET'],
      });
      const told = body.tppMessages.map((one: { category: string; path: string }) => `${one.category} ${one.path}`);
      expect(told).toEqual(['ERROR payments[0]', 'ERROR payments[2]']);
    }
    const { body: late } = await until('ACSC');
    expect(late).toMatchObject({ status: 409, allowed: [] });
    expect(late.detail).toContain('it is PART, and no item of it is open');
    const forced = await bank.control('POST', `/sandbox/payments/${paymentId}/status`, { status: 'ACWC' });
    const rejected = await bank.control('POST', `/sandbox/payments/${paymentId}/reject`, { reason: 'too late' });
    for (const refused of [forced, rejected]) {
      expect(refused).toMatchObject({
        status: 409,
        body: {
          code: 'STATUS_INVALID',
          detail: 'The payment is PART and no item of it is open, so nothing follows.',
          allowed: ['RCVD', 'PATC', 'ACSP', 'PDNG', 'ACCP'],
        },
      });
    }
    expect(await consolePage()).not.toContain('own channel');
    expect((await bank.signed('DELETE', `${bulkPath}/${paymentId}`)).status).toBe(405);
    expect((await bank.signed('POST', `${bulkPath}/${paymentId}/cancellation-authorisations`)).status).toBe(409);
  });

  test('S9b: PART goes on to ACSC when the last items settle', async () => {
    const payment = await initiate(
      bulkPayment([bulkItem('11.00'), bulkItem('500.00')], { debtorAccount: { bban: anne.bban, currency: 'NOK' } }),
      anne.psu,
    );
    await sign(payment, anne.psu);
    const { paymentId } = payment.body;
    const until = (status: string) => bank.advance({ until: { paymentId, status } });
    expect((await until('PART')).body).toMatchObject({ reached: true });
    await deposit(bank.bank, 'anne', 600_00n);
    expect((await until('ACSC')).body).toMatchObject({ reached: true, runs: [{ settled: 1 }] });
  });

  test('S9b: one that is PART for good stays so when its debtor account is deleted', async () => {
    const payment = await initiate(
      bulkPayment([bulkItem('1.00'), bulkItem('9000.00')], { debtorAccount: { bban: anne.bban, currency: 'NOK' } }),
      anne.psu,
    );
    await sign(payment, anne.psu);
    const target = { until: { paymentId: payment.body.paymentId, status: 'ACSC' } };
    expect((await bank.advance(target)).body).toMatchObject({ reached: false });
    const snapshot = { name: 'before-the-deletion' };
    await bank.control('POST', '/sandbox/snapshots', snapshot);
    const account = await bank.bank.ledger.read((reader) => accountByNumber(reader, anne.bban));
    await deleteAccount(bank.bank, account?.resource_id ?? '');
    const { body } = await bank.control('GET', `/sandbox/payments/${payment.body.paymentId}`);
    expect(body).toMatchObject({ status: 'PART' });
    await bank.control('POST', `/sandbox/snapshots/${snapshot.name}/restore`);
  });

  test('RJCT when every item is rejected', async () => {
    const payment = await initiate(
      bulkPayment([bulkItem('901.00'), bulkItem('902.00')], { debtorAccount: { bban: anne.bban, currency: 'NOK' } }),
      anne.psu,
    );
    await sign(payment, anne.psu);
    const target = { until: { paymentId: payment.body.paymentId, status: 'RJCT' } };
    expect((await bank.advance(target)).body).toMatchObject({ reached: true });
  });

  test('P12: signed for a later day it is cancelled with all its items', async () => {
    const payment = await initiate(
      bulkPayment([bulkItem('1.01'), bulkItem('1.02')], { requestedExecutionDate: '2027-05-12' }),
    );
    await sign(payment);
    const self = `${bulkPath}/${payment.body.paymentId}`;
    expect((await bank.signed('DELETE', self)).status).toBe(202);
    const started = await bank.signed('POST', `${self}/cancellation-authorisations`);
    await bank.approve(started.body, nora);
    expect((await statusOf(payment.body.paymentId)).body.transactionStatus).toBe('CANC');
    const seen = await bank.control('GET', `/sandbox/payments/${payment.body.paymentId}`);
    expect(seen.body.occurrences.map((one: { status: string }) => one.status)).toEqual(['CANC', 'CANC']);
  });

  test('P12: unsigned it is deleted at once', async () => {
    const payment = await initiate(bulkPayment([bulkItem('1.03')]));
    expect((await bank.signed('DELETE', `${bulkPath}/${payment.body.paymentId}`)).status).toBe(204);
  });
});

describe('what a bulk payment cannot be', () => {
  test('P1: another product than NDCT is PRODUCT_UNKNOWN', async () => {
    const path = '/v1/bulk-payments/sepa-credit-transfers';
    const answer = await bank.signed('POST', path, { body: bulkPayment([bulkItem('1.00')]), headers: signedBy(nora) });
    expect(answer).toMatchObject({ status: 404, body: { tppMessages: [{ code: 'PRODUCT_UNKNOWN' }] } });
  });

  test.each<[string, object, string, string]>([
    ['no items', bulkPayment([]), 'FORMAT_ERROR', 'payments'],
    ['an unknown member', bulkPayment([bulkItem('1.00')], { batch: true }), 'FORMAT_ERROR', 'batch'],
    [
      'a bad amount in an item',
      bulkPayment([bulkItem('1.00'), bulkItem('1.0')]),
      'FORMAT_ERROR',
      'payments[1].instructedAmount.amount',
    ],
    ['an item that is no object', bulkPayment(['x' as never]), 'FORMAT_ERROR', 'payments[0]'],
    [
      'the debtor account among the creditors',
      bulkPayment([bulkItem('1.00', { creditorAccount: { bban: debtorBban, currency: 'NOK' } })]),
      'PAYMENT_FAILED',
      'payments[0].creditorAccount',
    ],
    [
      'a creditor that demands a KID',
      bulkPayment([bulkItem('1.00', { creditorAccount: { bban: '34400000028', currency: 'NOK' } })]),
      'KID_MISSING',
      'payments[0].remittanceInformationStructuredArray',
    ],
    [
      'a day that has passed',
      bulkPayment([bulkItem('1.00')], { requestedExecutionDate: '2027-01-04' }),
      'EXECUTION_DATE_INVALID',
      'requestedExecutionDate',
    ],
    [
      'a sum beyond what an amount can be',
      bulkPayment([bulkItem('9999999999999.99'), bulkItem('9999999999999.98')]),
      'PAYMENT_FAILED',
      'payments',
    ],
  ])('%s', async (_, body, code, path) => {
    const answer = await initiate(body);
    expect(answer).toMatchObject({ status: 400, body: { tppMessages: [{ code, path }] } });
    expect(answer.body.tppMessages).toHaveLength(1);
  });

  test('E2: 8 MB are read here, 256 KB everywhere else', async () => {
    const large = (bytes: number) => JSON.stringify({ ...singlePayment(), padding: 'x'.repeat(bytes) });
    const headers = signedBy(nora);
    const single = await bank.signed('POST', singlePath, { body: large(300_000), headers });
    expect(single).toMatchObject({ status: 413, body: { tppMessages: [{ code: 'BAD_REQUEST' }] } });
    expect((await bank.signed('POST', bulkPath, { body: large(300_000), headers })).status).toBe(400);
    expect((await bank.signed('POST', `/api-sandbox${bulkPath}`, { body: large(300_000), headers })).status).toBe(400);
    expect((await bank.signed('POST', bulkPath, { body: large(8_400_000), headers })).status).toBe(413);
  });
});

test('interface, Other operations 7: ten thousand creditors in one body settle in one run, and read as one transaction', async () => {
  const count = 10_000;
  const items = Array.from({ length: count }, (_, index) =>
    bulkItem(`0.${String(1 + (index % 99)).padStart(2, '0')}`, {
      creditorAccount: { bban: String(91_000_000_000 + index), currency: 'NOK' },
      creditorName: `Company ${index}`,
      remittanceInformationUnstructured: `Invoice ${index}`,
    }),
  );
  const payment = await initiate(bulkPayment(items));
  expect(payment.status).toBe(201);
  await sign(payment);
  const report = await runs(1);
  expect(report.body.runs).toMatchObject([{ settled: count }]);
  expect((await statusOf(payment.body.paymentId)).body.transactionStatus).toBe('ACSC');
  expect((await bank.signed('GET', `${bulkPath}/${payment.body.paymentId}`)).body.payments).toHaveLength(count);
  await runs(1);
  const { booked } = await consentedTransactions(bank, nora, debtorBban);
  expect(booked[0]).toMatchObject({ batchIndicator: true, batchNumberOfTransactions: count });
  expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
});
