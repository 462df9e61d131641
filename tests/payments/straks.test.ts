import { beforeEach, describe, expect, test } from '@jest/globals';
import { testBank } from '../support/test-bank.ts';
import { singlePayment } from '../lab/bodies.ts';
import {
  accounts,
  balancesOf,
  even,
  historyOf,
  initiate,
  inspected,
  nora,
  paid,
  productPath,
  refusalOf,
  transactionsOf,
} from '../lab/products.ts';

// Good Friday of 2027, 03:00: closed, and no run before Tuesday.
const bank = testBank('2027-03-26T03:00:00+01:00');
beforeEach(() => bank.control('POST', '/sandbox/reset', {}));

const statusOf = async (id: string) => (await bank.signed('GET', `${productPath('straks')}/${id}/status`)).body;

describe('P10: an instant payment settles when it is authorised, on any day at any hour', () => {
  test('RCVD, then ACSC at once: no run, no warning of the closed day, booking date is that of the next run', async () => {
    const answer = await initiate(bank, 'straks', singlePayment());
    expect(answer.body).toMatchObject({ transactionStatus: 'RCVD', transactionFeeIndicator: false });
    expect(answer.body).not.toHaveProperty('tppMessages');
    await bank.approve(answer.body);
    expect(await statusOf(answer.body.paymentId)).toMatchObject({ transactionStatus: 'ACSC' });
    const { executionDate, attempts, entries } = await inspected(bank, answer.body.paymentId);
    expect(executionDate).toBe('2027-03-26');
    expect(attempts).toMatchObject([{ run: null, at: '2027-03-26T03:00:00.000+01:00', outcome: 'settle' }]);
    expect(entries).toMatchObject([
      { amount: { amount: '-100.00' }, bookingDate: null, valueDate: '2027-03-26', booked: false },
      { amount: { amount: '100.00' }, booked: false },
    ]);
    expect(await historyOf(bank, answer.body.paymentId)).toBe(
      'RCVD initiation; ACSC signed by the PSU, settled at once',
    );
    await bank.advance({ runs: 1 });
    expect((await inspected(bank, answer.body.paymentId)).entries).toMatchObject([
      { bookingDate: '2027-03-30', valueDate: '2027-03-26', booked: true },
      { bookingDate: '2027-03-30', valueDate: '2027-03-26', booked: true },
    ]);
  });

  test('S9: its status can be read before the PSU approves it, unlike that of NDCT', async () => {
    const { body } = await initiate(bank, 'straks', singlePayment());
    expect(await statusOf(body.paymentId)).toMatchObject({ transactionStatus: 'RCVD' });
  });

  test('without funds it is rejected at once, and nothing moves', async () => {
    const amount = { instructedAmount: { amount: '18000.01', currency: 'NOK' } };
    const id = await paid(bank, 'straks', singlePayment(amount));
    expect(await statusOf(id)).toMatchObject({ transactionStatus: 'RJCT' });
    expect(await historyOf(bank, id)).toBe('RCVD initiation; RJCT signed by the PSU, rejected at once: funds lacking');
    expect(await inspected(bank, id)).toMatchObject({
      attempts: [{ available: { amount: '18000.00' }, needed: { amount: '18000.01' }, outcome: 'reject' }],
      occurrences: [{ status: 'RJCT' }],
      entries: [],
    });
    expect((await balancesOf(bank, nora, '09232911044'))['interimAvailable']).toBe('18000.00');
  });

  test('S6: pending for both sides until the next run books it; then it leaves the payment API', async () => {
    const id = await paid(bank, 'straks', singlePayment({ creditorAccount: accounts.evenNok }));
    expect(await balancesOf(bank, even, '74712699947')).toMatchObject({
      interimBooked: '15796.00',
      interimAvailable: '15896.00',
      expected: '15896.00',
    });
    for (const [psu, bban, amount] of [
      [nora, '09232911044', '-100.00'],
      [even, '74712699947', '100.00'],
    ] as const) {
      const { booked, pending } = await transactionsOf(bank, psu, bban);
      expect([booked, pending]).toMatchObject([[], [{ transactionAmount: { amount } }]]);
      expect(pending[0]).not.toHaveProperty('bookingDate');
    }
    const { body } = await bank.advance({ runs: 1 });
    expect(body.runs).toMatchObject([{ id: '2027-03-30/1', settled: 0, booked: 1 }]);
    const { booked, pending } = await transactionsOf(bank, even, '74712699947');
    expect([booked.length, pending.length]).toEqual([1, 0]);
    expect(booked[0]).toMatchObject({ bookingDate: '2027-03-30', valueDate: '2027-03-26' });
    expect(refusalOf(await bank.signed('GET', `${productPath('straks')}/${id}`))).toBe('403 RESOURCE_UNKNOWN');
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
  });

  test('what it credits can be spent at once', async () => {
    const all = { instructedAmount: { amount: '18000.00', currency: 'NOK' } };
    await paid(bank, 'straks', singlePayment({ ...all, creditorAccount: accounts.evenNok }));
    const more = { amount: '33796.00', currency: 'NOK' };
    const debtorAccount = accounts.evenNok;
    const id = await paid(bank, 'straks', singlePayment({ instructedAmount: more, debtorAccount }), even);
    expect(await statusOf(id)).toMatchObject({ transactionStatus: 'ACSC' });
  });

  test('P12: it is deleted while it waits, and never after', async () => {
    const { body } = await initiate(bank, 'straks', singlePayment());
    expect((await bank.signed('DELETE', `${productPath('straks')}/${body.paymentId}`)).status).toBe(204);
    const id = await paid(bank, 'straks', singlePayment());
    expect(refusalOf(await bank.signed('DELETE', `${productPath('straks')}/${id}`))).toBe('405 CANCELLATION_INVALID');
  });

  test('signed on another day than it was initiated, it is paid on the day of the signature', async () => {
    const { body } = await initiate(bank, 'straks', singlePayment());
    await bank.advance({ to: '2027-03-28T23:59:00+02:00' });
    const started = await bank.signed('POST', `${productPath('straks')}/${body.paymentId}/authorisations`);
    await bank.approve(started.body);
    expect(await inspected(bank, body.paymentId)).toMatchObject({ status: 'ACSC', executionDate: '2027-03-28' });
  });
});

describe('an instant payment is a Norwegian one', () => {
  test.each<[string, object, string]>([
    ['it has no day but today', { requestedExecutionDate: '2027-03-30' }, '400 FORMAT_ERROR requestedExecutionDate'],
    [
      'it goes to no other country',
      { creditorAccount: { iban: 'DE89370400440532013000', currency: 'NOK' } },
      '400 PAYMENT_FAILED creditorAccount.iban',
    ],
    [
      'P5b: it is in NOK',
      { instructedAmount: { amount: '1.00', currency: 'EUR' } },
      '400 PAYMENT_FAILED instructedAmount.currency',
    ],
    [
      'P5b: from a NOK account',
      { debtorAccount: { bban: '85523166859', currency: 'NOK' } },
      '400 PAYMENT_FAILED debtorAccount',
    ],
    ['E3: an unknown member is refused by name', { creditorAgent: 'SPTRNO22' }, '400 FORMAT_ERROR creditorAgent'],
  ])('%s', async (_, change, refused) => {
    expect(refusalOf(await initiate(bank, 'straks', singlePayment(change)))).toBe(refused);
  });
});
