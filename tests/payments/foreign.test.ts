import { beforeEach, describe, expect, test } from '@jest/globals';
import { testBank } from '../support/test-bank.ts';
import {
  accounts,
  balancesOf,
  crossBorderPayment,
  even,
  initiate,
  inspected,
  linesOf,
  nora,
  paid,
  productPath,
  sepaPayment,
  transactionsOf,
} from '../lab/products.ts';
import { answer, openPage } from '../sca/pages.ts';

// The Wednesday before the Easter of 2027, after its fourth run.
const bank = testBank('2027-03-24T14:00:00+01:00');
beforeEach(() => bank.control('POST', '/sandbox/reset', {}));

const runs = (count: number) => bank.advance({ runs: count });
const isProven = async () => (await bank.control('GET', '/sandbox/ledger/proof')).body;

describe('P11: a foreign payment carries a fee, debited with it', () => {
  test.each<[string, 'sepa' | 'crossBorder', object, object]>([
    ['SEPA from NOK', 'sepa', sepaPayment(), { amount: '5.00', currency: 'NOK' }],
    ['SEPA from EUR', 'sepa', sepaPayment({ debtorAccount: accounts.noraEur }), { amount: '0.42', currency: 'EUR' }],
    ['cross-border', 'crossBorder', crossBorderPayment(), { amount: '50.00', currency: 'NOK' }],
  ])('%s: the initiation tells it', async (_, product, body, fee) => {
    const answer = await initiate(bank, product, body);
    expect(answer.body).toMatchObject({ transactionFees: fee, transactionFeeIndicator: true });
  });

  test('the PSU sees on the page what leaves the account', async () => {
    const initiated = await initiate(bank, 'sepa', sepaPayment());
    const first = await openPage(initiated.body._links.scaRedirect.href);
    const page = await answer(first, { action: 'identify', psu: nora });
    const text = (await page.text()).replaceAll('\u00a0', ' ');
    for (const shown of ['100.00 EUR', '1,183.05 NOK', '5.00 NOK']) expect(text).toContain(shown);
  });

  test('amount and fee are needed together: an øre short is tried five times and rejected', async () => {
    const all = sepaPayment({ instructedAmount: { amount: '1521.06', currency: 'EUR' } });
    const id = await paid(bank, 'sepa', all);
    await runs(1);
    expect((await inspected(bank, id)).attempts).toMatchObject([
      { available: { amount: '18000.00' }, needed: { amount: '17999.90' }, outcome: 'settle' },
    ]);
    const more = await paid(bank, 'sepa', sepaPayment({ instructedAmount: { amount: '0.01', currency: 'EUR' } }));
    await runs(5);
    expect(await inspected(bank, more)).toMatchObject({
      status: 'RJCT',
      attempts: Array(5).fill({ available: { amount: '0.10' }, needed: { amount: '5.12', currency: 'NOK' } }),
      entries: [],
    });
  });
});

describe('S5: the lines of every currency sum to zero, and a creditor here is credited in its own', () => {
  test.each<[string, 'sepa' | 'crossBorder', object, string[]]>([
    [
      'NOK to Germany',
      'sepa',
      {},
      ['-1183.05 NOK Totalkonto', '-5.00 NOK Totalkonto', '5.00 NOK Clearing NOK', '1183.05 NOK Clearing NOK'],
    ],
    [
      'NOK to an EUR account here',
      'sepa',
      { creditorAccount: accounts.evenEur },
      [
        '-1183.05 NOK Totalkonto',
        '-100.00 EUR Clearing EUR',
        '-5.00 NOK Totalkonto',
        '5.00 NOK Clearing NOK',
        '100.00 EUR Valutakonto',
        '1183.05 NOK Clearing NOK',
      ],
    ],
    [
      'NOK to a NOK account here, in EUR',
      'sepa',
      { creditorAccount: { ...accounts.evenNok, currency: 'EUR' } },
      ['-1183.05 NOK Totalkonto', '-5.00 NOK Totalkonto', '5.00 NOK Clearing NOK', '1183.05 NOK Totalkonto'],
    ],
    [
      'EUR to an EUR account here',
      'sepa',
      { debtorAccount: accounts.noraEur, creditorAccount: accounts.evenEur },
      ['-100.00 EUR Valutakonto', '-0.42 EUR Valutakonto', '0.42 EUR Clearing EUR', '100.00 EUR Valutakonto'],
    ],
    [
      'EUR to a NOK account here, in USD',
      'crossBorder',
      {
        instructedAmount: { amount: '100.00', currency: 'USD' },
        debtorAccount: accounts.noraEur,
        creditorAccount: { ...accounts.evenNok, currency: 'USD' },
      },
      [
        '-1008.50 NOK Clearing NOK',
        '-85.25 EUR Valutakonto',
        '-4.23 EUR Valutakonto',
        '4.23 EUR Clearing EUR',
        '85.25 EUR Clearing EUR',
        '1008.50 NOK Totalkonto',
      ],
    ],
  ])('%s', async (_, product, change, lines) => {
    const body = product === 'sepa' ? sepaPayment(change) : crossBorderPayment(change);
    const id = await paid(bank, product, body);
    const { body: report } = await runs(1);
    expect(report.runs).toMatchObject([{ settled: 1 }]);
    expect((await linesOf(bank, id)).sort()).toEqual([...lines].sort());
    expect(await isProven()).toMatchObject({
      ok: true,
      currencies: { NOK: { sum: { amount: '0.00' } }, EUR: { sum: { amount: '0.00' } } },
    });
  });

  test('P5c: a payment to an account here that is gone when it settles is rejected', async () => {
    const id = await paid(bank, 'sepa', sepaPayment({ creditorAccount: accounts.evenEur }));
    const { body } = await bank.signed('GET', '/v1/sandbox/accounts');
    const [gone] = body.filter((each: { bban: string }) => each.bban === '41305545238');
    expect((await bank.signed('DELETE', `/v1/sandbox/accounts/${gone.resourceId}`)).status).toBe(204);
    await runs(1);
    expect(await inspected(bank, id)).toMatchObject({ status: 'RJCT', entries: [] });
    expect((await isProven()).ok).toBe(true);
  });
});

describe('account information shows both sides of an exchange', () => {
  const exchange = { unitCurrency: 'EUR', exchangeRate: '11.8305', quotationDate: '2026-01-02' };

  test('the debtor: what left the account, what was instructed, the rate; the fee is a transaction of its own', async () => {
    const creditorAgent = 'COBADEFFXXX';
    await paid(bank, 'sepa', sepaPayment({ creditorAgent, remittanceInformationUnstructured: 'Invoice 7' }));
    await runs(2);
    const { booked } = await transactionsOf(bank, nora, '09232911044');
    expect(booked).toHaveLength(2);
    const ofAmount = (amount: string) =>
      booked.find((each: { transactionAmount: { amount: string } }) => each.transactionAmount.amount === amount);
    expect(ofAmount('-1183.05')).toMatchObject({
      transactionAmount: { amount: '-1183.05', currency: 'NOK' },
      originalAmount: { amount: '-100.00', currency: 'EUR' },
      currencyExchange: [
        {
          ...exchange,
          instructedAmount: { amount: '100.00', currency: 'EUR' },
          sourceCurrency: 'NOK',
          targetCurrency: 'EUR',
        },
      ],
      creditorName: 'Company 123',
      creditorAccount: { iban: 'DE89370400440532013000' },
      creditorAgent,
      remittanceInformationUnstructured: 'Invoice 7',
    });
    expect(ofAmount('-5.00')).toEqual(
      expect.objectContaining({ remittanceInformationUnstructured: 'Gebyr for betaling til Company 123' }),
    );
    expect(ofAmount('-5.00')).not.toHaveProperty('currencyExchange');
  });

  test('the creditor: what came in, in the currency of the account', async () => {
    await paid(bank, 'sepa', sepaPayment({ creditorAccount: { ...accounts.evenNok, currency: 'EUR' } }));
    await runs(1);
    const { pending } = await transactionsOf(bank, even, '74712699947');
    expect(pending).toMatchObject([
      {
        transactionAmount: { amount: '1183.05', currency: 'NOK' },
        originalAmount: { amount: '100.00', currency: 'EUR' },
        currencyExchange: [{ ...exchange, sourceCurrency: 'EUR', targetCurrency: 'NOK' }],
        debtorAccount: { bban: '09232911044' },
      },
    ]);
  });

  test('nothing is converted between accounts in EUR, and nothing says so', async () => {
    await paid(bank, 'sepa', sepaPayment({ debtorAccount: accounts.noraEur, creditorAccount: accounts.evenEur }));
    await runs(1);
    for (const [psu, bban] of [
      [nora, '85523166859'],
      [even, '41305545238'],
    ] as const) {
      const { pending } = await transactionsOf(bank, psu, bban);
      for (const item of pending) expect(Object.keys(item)).not.toContain('currencyExchange');
    }
  });

  test('S8: due today, it is in the expected balance of both, the fee too', async () => {
    await paid(bank, 'sepa', sepaPayment({ creditorAccount: accounts.evenEur }));
    expect(await balancesOf(bank, nora, '09232911044')).toMatchObject({
      interimAvailable: '18000.00',
      expected: '16811.95',
    });
    const { expected } = await balancesOf(bank, even, '41305545238');
    await runs(1);
    expect(await balancesOf(bank, even, '41305545238')).toMatchObject({ expected, interimAvailable: expected });
    expect(await balancesOf(bank, nora, '09232911044')).toMatchObject({ interimAvailable: '16811.95' });
  });
});

describe('a foreign payment waits for its day as a domestic one does', () => {
  test('P3: asked for on a closed day it is moved, with a warning that names it', async () => {
    const answer = await initiate(bank, 'crossBorder', crossBorderPayment({ requestedExecutionDate: '2027-03-26' }));
    expect(answer.body.tppMessages).toMatchObject([{ category: 'WARNING', code: 'EXECUTION_DATE_INVALID' }]);
    expect(answer.body.tppMessages[0].text).toContain('2027-03-30');
    await bank.approve(answer.body);
    const status = await bank.signed('GET', `${productPath('crossBorder')}/${answer.body.paymentId}/status`);
    expect(status.body.transactionStatus).toBe('ACSP');
    const { body } = await bank.advance({ to: '2027-03-30T05:30:00+02:00' });
    expect(body.runs).toMatchObject([{ id: '2027-03-30/1', settled: 1 }]);
  });

  test('P12: ACSP is deleted by a signed cancellation, and what was priced stays unpaid', async () => {
    const id = await paid(bank, 'sepa', sepaPayment({ requestedExecutionDate: '2027-04-01' }));
    const removed = await bank.signed('DELETE', `${productPath('sepa')}/${id}`);
    expect(removed.status).toBe(202);
    const { body } = await bank.signed('POST', removed.body._links.startAuthorisation.href);
    await bank.approve(body);
    expect(await inspected(bank, id)).toMatchObject({ status: 'CANC', entries: [] });
  });

  test('its details echo what was sent', async () => {
    const { body } = await initiate(bank, 'crossBorder', crossBorderPayment());
    const details = await bank.signed('GET', `${productPath('crossBorder')}/${body.paymentId}`);
    expect(details.body).toMatchObject(crossBorderPayment());
  });
});
