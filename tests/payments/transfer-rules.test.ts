import { describe, expect, test } from '@jest/globals';
import type { Currency } from '../../engine/values/money.ts';
import { products } from '../../engine/values/product.ts';
import { checkDomesticTransfer, checkTransfers } from '../../engine/payments/rules/transfer-rules.ts';
import { transfersOf, type BulkPaymentInitiation } from '../../engine/payments/rules/payment-initiation.ts';
import type { BulkPaymentItem, CreditTransferInitiation } from '../../engine/values/credit-transfer.ts';

const body: CreditTransferInitiation = {
  instructedAmount: { amount: '100.00', currency: 'NOK' },
  debtorAccount: { bban: '09232911044', currency: 'NOK' },
  creditorAccount: { bban: '90491105991', currency: 'NOK' },
  creditorName: 'Shop',
};

function judged(
  changes: Partial<CreditTransferInitiation>,
  debtor: Currency = 'NOK',
  creditor: Currency | null = null,
): string[] {
  return checkDomesticTransfer({ ...body, ...changes }, debtor, creditor).map(({ code, path }) => `${code} ${path}`);
}

describe('P5b: a Norwegian domestic credit transfer', () => {
  test('in NOK, from a NOK account to another NOK account, is none to be refused', () => {
    expect(judged({})).toEqual([]);
    expect(judged({}, 'NOK', 'NOK')).toEqual([]);
    expect(judged({ creditorAccount: { iban: 'NO93 8601 1117 947', currency: 'NOK' } })).toEqual([]);
  });

  test.each<[string, Partial<CreditTransferInitiation>, Currency, Currency | null, string]>([
    [
      'an amount in EUR',
      { instructedAmount: { amount: '1.00', currency: 'EUR' } },
      'NOK',
      null,
      'instructedAmount.currency',
    ],
    [
      'a debtor reference in EUR',
      { debtorAccount: { bban: '09232911044', currency: 'EUR' } },
      'NOK',
      null,
      'debtorAccount.currency',
    ],
    [
      'a creditor reference in SEK',
      { creditorAccount: { bban: '90491105991', currency: 'SEK' } },
      'NOK',
      null,
      'creditorAccount.currency',
    ],
    ['a debtor account kept in EUR', {}, 'EUR', null, 'debtorAccount'],
    ['a creditor account kept in EUR', {}, 'NOK', 'EUR', 'creditorAccount'],
    [
      'a creditor abroad',
      { creditorAccount: { iban: 'DE89370400440532013000', currency: 'NOK' } },
      'NOK',
      null,
      'creditorAccount.iban',
    ],
    [
      'the same account',
      { creditorAccount: { bban: '09232911044', currency: 'NOK' } },
      'NOK',
      'NOK',
      'creditorAccount',
    ],
    [
      'the same account by its IBAN',
      { creditorAccount: { iban: 'NO7809232911044', currency: 'NOK' } },
      'NOK',
      'NOK',
      'creditorAccount',
    ],
  ])('%s: PAYMENT_FAILED with its path', (_, changes, debtor, creditor, path) => {
    expect(judged(changes, debtor, creditor)).toEqual([`PAYMENT_FAILED ${path}`]);
  });

  test('E3: all faults are reported at once', () => {
    const changes: Partial<CreditTransferInitiation> = {
      instructedAmount: { amount: '1.00', currency: 'EUR' },
      debtorAccount: { bban: '09232911044', currency: 'EUR' },
    };
    expect(judged(changes, 'EUR')).toEqual([
      'PAYMENT_FAILED instructedAmount.currency',
      'PAYMENT_FAILED debtorAccount.currency',
      'PAYMENT_FAILED debtorAccount',
    ]);
  });
});

describe('P5b: the path of a fault of a bulk payment', () => {
  const { debtorAccount, ...item } = body;
  const pathsOf = (initiation: BulkPaymentInitiation, debtor: Currency): (string | undefined)[] => {
    const transfers = transfersOf({ service: 'bulk-payments', body: initiation });
    const bulk = { service: 'bulk-payments', product: products.domestic } as const;
    return checkTransfers(bulk, transfers, debtor, new Map()).map(({ path }) => path);
  };

  test('begins with the item, for what the item says', () => {
    const wrong: BulkPaymentItem = { ...item, creditorAccount: { bban: '09232911044', currency: 'EUR' } };
    expect(pathsOf({ debtorAccount, payments: [item, wrong] }, 'NOK')).toEqual([
      'payments[1].creditorAccount.currency',
      'payments[1].creditorAccount',
    ]);
  });

  test('is that of the debtor account, which stands beside the items, for what is wrong with it', () => {
    const inEuro = { ...debtorAccount, currency: 'EUR' } as const;
    expect(pathsOf({ debtorAccount: inEuro, payments: [item] }, 'EUR')).toEqual([
      'debtorAccount.currency',
      'debtorAccount',
    ]);
  });
});
