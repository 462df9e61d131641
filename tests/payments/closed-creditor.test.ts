import { describe, expect, test } from '@jest/globals';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { createAccount, deleteAccount } from '../../engine/sandbox-data/customers.ts';
import type { Currency } from '../../engine/values/money.ts';
import {
  bulkItem,
  periodicPayment,
  bulkPath,
  bulkPayment,
  periodicPath,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { accounts, productPath, crossBorderPayment, sepaPayment } from '../lab/products.ts';
import { mondayNoon, provenBank } from '../support/proven-bank.ts';

/* P5c over signed HTTP: what becomes of a payment whose creditor account this bank has closed, or has opened again. */
const nora = '13039319955';
const nok = (amount: string): object => ({ instructedAmount: { amount, currency: 'NOK' } });
const even = { bban: '74712699947', currency: 'NOK' };
const closed = 'the creditor account is closed';

const { bank, initiated, signed, statusOf, inspect } = provenBank(mondayNoon, nora);

const runs = async (count: number) => (await bank.advance({ runs: count })).body.runs as readonly object[];
const forecast = async () => (await bank.control('GET', '/sandbox/forecast?to=P40D')).body.executions as object[];

const accountOf = (number: string) => bank.bank.ledger.read((reader) => accountByNumber(reader, number));
const balanceOf = async (number: string) => (await accountOf(number))?.balance_minor;

async function close(number: string): Promise<void> {
  await deleteAccount(bank.bank, (await accountOf(number))?.resource_id ?? 'none');
}

async function open(number: string, currency: Currency): Promise<void> {
  const named = /^\d/.test(number) ? { bban: number } : { iban: number };
  const numbers = { customerNumber: '12085592767', name: 'Again', ...named, currency, product: null };
  await createAccount(bank.bank, { ...numbers, cashAccountType: null, creditLine: 0n, openingBalance: 0n });
}

describe('P5c: the creditor account was closed', () => {
  test('P5c: a single payment is RJCT at its next attempt, with that reason wherever it is told', async () => {
    const made = await signed(singlePath, singlePayment({ creditorAccount: even }));
    await close(even.bban);
    expect(await forecast()).toMatchObject([
      { outcome: 'reject', reason: expect.stringMatching(`^${closed}, at the first attempt`) },
    ]);
    expect(await runs(1)).toMatchObject([{ settled: 0, retried: 0, rejected: 1 }]);
    const text = `The payment was rejected at attempt 1 of 5 in run 2027-04-05/4: ${closed}.`;
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'RJCT',
      tppMessages: [{ category: 'ERROR', code: 'PAYMENT_FAILED', text }],
      psuMessage: `The payment was rejected: ${closed}.`,
    });
    const seen = await inspect(made);
    expect(seen.history.at(-1).cause).toBe(`run 2027-04-05/4, attempt 1, rejected: ${closed}`);
    expect(seen).toMatchObject({
      attempts: [{ outcome: 'reject', reason: expect.stringContaining(closed) }],
      entries: [],
    });
    const run = await bank.control('GET', '/sandbox/runs/2027-04-05-4');
    expect(run.body.attempts).toMatchObject([{ outcome: 'reject', reason: expect.stringContaining(closed) }]);
    const page = await (await fetch(`${bank.address}/console/runs/2027-04-05-4`)).text();
    expect([page.includes(closed), page.includes('>1 rejected<')]).toEqual([true, true]);
  });

  test('P5c: a payment that is made to it afterwards is taken, and rejected in its run', async () => {
    await close(even.bban);
    const made = await signed(singlePath, singlePayment({ creditorAccount: even }));
    expect(await runs(1)).toMatchObject([{ rejected: 1 }]);
    expect(await statusOf(made)).toMatchObject({ transactionStatus: 'RJCT' });
  });

  test('P5c: an instant payment to it is RJCT at its authorisation', async () => {
    await close(even.bban);
    const made = await signed(productPath('straks'), singlePayment({ creditorAccount: even }));
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'RJCT',
      tppMessages: [{ text: `The payment was rejected at once, when it was authorised: ${closed}.` }],
    });
    expect((await inspect(made)).history.at(-1).cause).toContain(`rejected at once: ${closed}`);
  });

  test('P5c: of a bulk payment the item to it is rejected, the others settle', async () => {
    const items = [bulkItem('1.00'), bulkItem('2.00', { creditorAccount: even }), bulkItem('3.00')];
    const made = await signed(bulkPath, bulkPayment(items));
    await close(even.bban);
    expect((await forecast()).map((each) => (each as { outcome: string }).outcome)).toEqual([
      'settle',
      'reject',
      'settle',
    ]);
    expect(await runs(1)).toMatchObject([{ settled: 2, rejected: 1 }]);
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'PART',
      tppMessages: [{ path: 'payments[1]', text: expect.stringContaining(closed) }],
      psuMessage: `1 of 3 payments was rejected: ${closed}.`,
    });
  });

  test('P5c: each occurrence of a standing order is rejected, in the forecast too, until the number is open again', async () => {
    const made = await signed(
      periodicPath,
      periodicPayment({ creditorAccount: even, startDate: '2027-04-05', frequency: 'Weekly' }),
    );
    await close(even.bban);
    const seen = (await forecast()) as { outcome: string; reason: string }[];
    expect(seen.length).toBeGreaterThan(4);
    for (const each of seen) expect(each).toMatchObject({ outcome: 'reject', reason: expect.stringContaining(closed) });
    expect(await runs(1)).toMatchObject([{ rejected: 1, registered: 1 }]);
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'ACSP',
      tppMessages: [{ text: expect.stringContaining(`The occurrence of 2027-04-05 was rejected`) }],
    });
    await open(even.bban, 'NOK');
    expect((await forecast()).every((each) => (each as { outcome: string }).outcome === 'settle')).toBe(true);
    await bank.advance({ to: '2027-04-12T06:00:00+02:00' });
    expect((await inspect(made)).occurrences.slice(0, 2)).toMatchObject([{ status: 'RJCT' }, { status: 'ACSC' }]);
    expect(await balanceOf(even.bban)).toBe(100_00n);
  });

  test.each<[string, 'sepa' | 'crossBorder', object]>([
    ['by BBAN', 'sepa', sepaPayment({ creditorAccount: accounts.evenEur })],
    [
      'in another currency than the payment',
      'crossBorder',
      crossBorderPayment({
        creditorAccount: accounts.evenEur,
        creditorAgent: undefined,
      }),
    ],
  ])('P5c: a foreign payment to it is rejected (%s)', async (_, product, body) => {
    const made = await signed(productPath(product), body);
    await close(accounts.evenEur.iban);
    expect(await forecast()).toMatchObject([{ outcome: 'reject' }]);
    expect(await runs(1)).toMatchObject([{ rejected: 1 }]);
    expect(await statusOf(made)).toMatchObject({ tppMessages: [{ text: expect.stringContaining(closed) }] });
  });

  test('P5c: so is one to an account that had a foreign IBAN alone', async () => {
    await open(accounts.germany.iban, 'EUR');
    const made = await signed(
      productPath('sepa'),
      sepaPayment({ creditorAccount: { ...accounts.germany, currency: 'EUR' } }),
    );
    await close(accounts.germany.iban.replaceAll(' ', ''));
    expect(await forecast()).toMatchObject([{ outcome: 'reject' }]);
    expect(await runs(1)).toMatchObject([{ settled: 0, rejected: 1 }]);
    expect(await statusOf(made)).toMatchObject({ tppMessages: [{ text: expect.stringContaining(closed) }] });
  });

  test('P5c: the reason of the control plane wins, and a payment that waits for funds is rejected at its next attempt', async () => {
    const own = { debtorAccount: { bban: '34300000012', currency: 'NOK' }, creditorAccount: even };
    const made = await bank.signed('POST', singlePath, {
      body: singlePayment(own),
      headers: { 'x-psu-identity': '01819050062', 'psu-context': 'PRIVATE' },
    });
    await bank.approve(made.body, '01819050062');
    expect(await runs(1)).toMatchObject([{ retried: 1 }]);
    await close(even.bban);
    const id = encodeURIComponent(made.body.paymentId);
    await bank.control('POST', `/sandbox/payments/${id}/reject`, { reason: 'blocked' });
    expect(await runs(1)).toMatchObject([{ rejected: 1 }]);
    const { body } = await bank.control('GET', `/sandbox/payments/${id}`);
    expect(body.attempts.map((each: { reason?: string }) => each.reason)).toEqual([
      '88.00 NOK short at the first attempt, run of Mon 5 Apr, 13:30',
      'blocked, at the second attempt, run of Mon 5 Apr, 15:30',
    ]);
  });
});

describe('P5c: the number was opened again', () => {
  test('P5c: the account that has it then is credited', async () => {
    await signed(singlePath, singlePayment({ creditorAccount: even }));
    await close(even.bban);
    await open(even.bban, 'NOK');
    expect(await forecast()).toMatchObject([{ outcome: 'settle', credit: { account: even.bban } }]);
    expect(await runs(1)).toMatchObject([{ settled: 1 }]);
    expect(await balanceOf(even.bban)).toBe(100_00n);
  });

  test('P5c, S5: in another currency the payment is rejected, and no money changes its currency', async () => {
    const made = await signed(singlePath, singlePayment({ creditorAccount: even }));
    const instant = await initiated(productPath('straks'), singlePayment({ creditorAccount: even, ...nok('2.00') }));
    const order = await signed(periodicPath, periodicPayment({ creditorAccount: even, startDate: '2027-04-05' }));
    await close(even.bban);
    await open(even.bban, 'EUR');
    const kept = 'the creditor account is kept in EUR, not in NOK';
    expect((await forecast()).slice(0, 2)).toMatchObject([
      { outcome: 'reject', reason: expect.stringContaining(kept) },
      { outcome: 'reject', reason: expect.stringContaining(kept) },
    ]);
    await bank.approve(instant.sca, nora);
    expect(await runs(1)).toMatchObject([{ settled: 0, rejected: 2 }]);
    for (const each of [made, instant, order]) {
      expect(await statusOf(each)).toMatchObject({ tppMessages: [{ text: expect.stringContaining(kept) }] });
      expect((await inspect(each)).entries).toEqual([]);
    }
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body).toMatchObject({ ok: true });
  });

  test('P5c: a foreign payment that was priced for another currency is rejected', async () => {
    const made = await signed(
      productPath('sepa'),
      sepaPayment({ creditorAccount: { ...accounts.evenNok, currency: 'EUR' } }),
    );
    await close(even.bban);
    await open(even.bban, 'EUR');
    expect(await runs(1)).toMatchObject([{ rejected: 1 }]);
    expect(await statusOf(made)).toMatchObject({
      tppMessages: [{ text: expect.stringContaining('the creditor account is kept in EUR, not in NOK') }],
    });
  });
});

describe('P5c: a number that this bank never had', () => {
  test('P5c, S5: goes to the clearing account; an account that is opened with it meanwhile counts', async () => {
    const bban = '90491105991';
    await signed(singlePath, singlePayment());
    expect(await runs(1)).toMatchObject([{ settled: 1 }]);
    const later = await signed(
      singlePath,
      singlePayment({ creditorName: 'Two', requestedExecutionDate: '2027-04-06' }),
    );
    await open(bban, 'EUR');
    expect(await runs(2)).toMatchObject([{ booked: 1 }, { settled: 0, rejected: 1 }]);
    expect(await statusOf(later)).toMatchObject({ transactionStatus: 'RJCT' });
  });

  test('P5c: a foreign payment to a number that this bank opens meanwhile, in a currency that it did not price', async () => {
    const number = { creditorAccount: { ...accounts.germany, currency: 'SEK' }, creditorAgent: undefined };
    const made = await signed(productPath('crossBorder'), crossBorderPayment(number));
    await open(accounts.germany.iban, 'NOK');
    expect(await runs(1)).toMatchObject([{ rejected: 1 }]);
    expect(await statusOf(made)).toMatchObject({
      tppMessages: [{ text: expect.stringContaining('the creditor account is kept in NOK, not in SEK') }],
    });
  });
});
