import { describe, expect, test } from '@jest/globals';
import { type Amount, type Currency, formatAmount, parseInstructedAmount } from '../../engine/values/money.ts';
import { priceForeignTransfer } from '../../engine/payments/rules/foreign-transfer.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { noPrices, type PriceList, formatRate, parseRate } from '../../engine/values/price-list.ts';
import { products, type ForeignProduct } from '../../engine/values/product.ts';

const quoted: Partial<Record<Currency, string>> = { EUR: '11.8305', SEK: '1.0942', USD: '10.0850', JPY: '0.064385' };
const prices: PriceList = {
  quotationDate: localDate('2026-01-02'),
  nokPerUnit: new Map(
    Object.entries(quoted).map(([code, text]) => [code as Currency, parseRate(text) ?? { digits: 1n, scale: 0 }]),
  ),
  fees: { [products.sepa]: 500n, [products.crossBorder]: 5000n },
};

function amountOf(text: string): Amount {
  const [amount = '', currency = ''] = text.split(' ');
  const read = parseInstructedAmount(amount, currency as Currency);
  if (typeof read === 'string') throw new Error(`${text}: ${read}`);
  return read;
}

interface Sides {
  readonly debtor: Currency;
  readonly creditor?: Currency;
}

function priced(text: string, { debtor, creditor }: Sides, product: ForeignProduct, list = prices): string {
  const sides = { debtorCurrency: debtor, creditorCurrency: creditor ?? null };
  const terms = priceForeignTransfer({ product, instructed: amountOf(text), ...sides }, list);
  if ('code' in terms) return `${terms.code} ${terms.path}`;
  const { debit, fee, credit, debitRate, creditRate } = terms;
  const shown = (amount: Amount) => `${formatAmount(amount)} ${amount.currency}`;
  const rates = [debitRate, creditRate].map((rate) => (rate === null ? '-' : formatRate(rate))).join(' ');
  return `${shown(debit)} + ${shown(fee)} -> ${shown(credit)} at ${rates}`;
}

describe('P11: what a foreign payment costs and brings', () => {
  test.each<[string, Sides, ForeignProduct, string]>([
    ['100.00 EUR', { debtor: 'NOK' }, products.sepa, '1183.05 NOK + 5.00 NOK -> 100.00 EUR at 11.8305 -'],
    ['100.00 EUR', { debtor: 'EUR' }, products.sepa, '100.00 EUR + 0.42 EUR -> 100.00 EUR at - -'],
    [
      '100.00 EUR',
      { debtor: 'NOK', creditor: 'NOK' },
      products.sepa,
      '1183.05 NOK + 5.00 NOK -> 1183.05 NOK at 11.8305 11.8305',
    ],
    ['1000.00 SEK', { debtor: 'NOK' }, products.crossBorder, '1094.20 NOK + 50.00 NOK -> 1000.00 SEK at 1.0942 -'],
    ['100.00 USD', { debtor: 'EUR' }, products.crossBorder, '85.25 EUR + 4.23 EUR -> 100.00 USD at 0.8524576307 -'],
    [
      '100.00 USD',
      { debtor: 'NOK', creditor: 'EUR' },
      products.crossBorder,
      '1008.50 NOK + 50.00 NOK -> 85.25 EUR at 10.085 0.8524576307',
    ],
    ['5000 JPY', { debtor: 'NOK' }, products.crossBorder, '321.92 NOK + 50.00 NOK -> 5000 JPY at 0.064385 -'],
    ['75.00 NOK', { debtor: 'NOK' }, products.crossBorder, '75.00 NOK + 50.00 NOK -> 75.00 NOK at - -'],
  ])('%s from %j by %s: %s', (text, sides, product, expected) => {
    expect(priced(text, sides, product)).toBe(expected);
  });

  test.each<[string, string, Sides]>([
    ['PAYMENT_FAILED instructedAmount.currency', '1.00 CHF', { debtor: 'NOK' }],
    ['PAYMENT_FAILED debtorAccount', '1.00 EUR', { debtor: 'CHF' }],
    ['PAYMENT_FAILED creditorAccount', '1.00 EUR', { debtor: 'NOK', creditor: 'CHF' }],
    ['PAYMENT_FAILED instructedAmount.amount', '0.01 SEK', { debtor: 'JPY' }],
    ['PAYMENT_FAILED instructedAmount.amount', '9999999999999.99 EUR', { debtor: 'JPY' }],
    ['PAYMENT_FAILED instructedAmount.amount', '0.01 NOK', { debtor: 'NOK', creditor: 'JPY' }],
    ['PAYMENT_FAILED instructedAmount.amount', '9999999999999.99 NOK', { debtor: 'NOK', creditor: 'JPY' }],
  ])('%s: %s from %j', (expected, text, sides) => {
    const cheap = { ...prices, nokPerUnit: new Map(prices.nokPerUnit).set('JPY', { digits: 1n, scale: 8 }) };
    expect(priced(text, sides, products.crossBorder, text.startsWith('9') ? cheap : prices)).toBe(expected);
  });

  test('a bank without price list quotes no rate, and takes nothing in NOK', () => {
    expect(priced('1.00 EUR', { debtor: 'NOK' }, products.sepa, noPrices)).toBe(
      'PAYMENT_FAILED instructedAmount.currency',
    );
    expect(priced('1.00 NOK', { debtor: 'NOK' }, products.crossBorder, noPrices)).toBe(
      '1.00 NOK + 0.00 NOK -> 1.00 NOK at - -',
    );
  });
});
