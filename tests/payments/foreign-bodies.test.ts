import { describe, expect, test } from '@jest/globals';
import { accounts, crossBorderPayment, initiate, refusalOf, sepaPayment } from '../lab/products.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-04-14T12:00:00+02:00');

const to = (iban: string) => ({ creditorAccount: { iban, currency: 'EUR' } });

describe('interface, Other operations 8: P11: what a SEPA credit transfer is', () => {
  test.each<[string, object, string]>([
    ['in EUR to a country of the EEA', {}, '201'],
    ['to Switzerland with a BIC', { ...to('CH9300762011623852957'), creditorAgent: 'UBSWCHZH80A' }, '201'],
    ['to Switzerland without one', to('CH9300762011623852957'), '400 FORMAT_ERROR creditorAgent'],
    ['to the United Kingdom without one', to('GB29NWBK60161331926819'), '400 FORMAT_ERROR creditorAgent'],
    ['to Norway', { ...to('NO6041305545238') }, '201'],
    ['to a country outside the scheme', to('SA0380000000608010167519'), '400 PAYMENT_FAILED creditorAccount.iban'],
    [
      'in NOK',
      { instructedAmount: { amount: '1.00', currency: 'NOK' } },
      '400 PAYMENT_FAILED instructedAmount.currency',
    ],
    ['to an IBAN whose check digits are wrong', to('DE88370400440532013000'), '400 FORMAT_ERROR creditorAccount.iban'],
    [
      'to the sample of the published page, which is no IBAN',
      to('NO95360573002'),
      '400 FORMAT_ERROR creditorAccount.iban',
    ],
    [
      'to an account without IBAN',
      { creditorAccount: { bban: '0532013000', currency: 'EUR' } },
      '400 FORMAT_ERROR creditorAccount.iban',
    ],
    [
      'to an account with both numbers',
      {
        creditorAccount: { bban: '0532013000', iban: 'DE89370400440532013000', currency: 'EUR' },
        instructedAmount: { amount: '1.23', currency: 'EUR' },
      },
      '201',
    ],
    [
      'to two accounts',
      { creditorAccount: { bban: '74712699947', iban: 'NO6041305545238', currency: 'EUR' } },
      '400 FORMAT_ERROR creditorAccount.iban',
    ],
    ['with a BIC that is none', { creditorAgent: 'AAA100' }, '400 FORMAT_ERROR creditorAgent'],
    [
      'from an account that the bank keeps in another currency',
      { debtorAccount: { ...accounts.noraEur, currency: 'NOK' } },
      '400 PAYMENT_FAILED debtorAccount.currency',
    ],
    ['to its own account', { ...to('NO7809232911044') }, '400 PAYMENT_FAILED creditorAccount'],
    [
      'with a KID',
      { remittanceInformationStructuredArray: [{ reference: '123', referenceType: 'SCOR' }] },
      '400 FORMAT_ERROR remittanceInformationStructuredArray',
    ],
    ['with a character that clearing does not carry', { creditorName: 'Kari 😀' }, '400 FORMAT_ERROR creditorName'],
    [
      'on a day that has passed',
      { requestedExecutionDate: '2027-04-13' },
      '400 EXECUTION_DATE_INVALID requestedExecutionDate',
    ],
  ])('%s', async (_, change, answer) => {
    expect(refusalOf(await initiate(bank, 'sepa', sepaPayment(change)))).toBe(answer);
  });

  test('is paid from an account in NOK or EUR', async () => {
    const body = { customerNumber: '13039319955', accountName: 'Dollar', bban: '90412263056', currency: 'USD' };
    expect((await bank.signed('POST', '/v1/sandbox/accounts', { body })).status).toBe(201);
    const debtorAccount = { bban: '90412263056', currency: 'USD' };
    expect(refusalOf(await initiate(bank, 'sepa', sepaPayment({ debtorAccount })))).toBe(
      '400 PAYMENT_FAILED debtorAccount',
    );
  });

  test('tells every fault of its meaning at once', async () => {
    const instructedAmount = { amount: '1.00', currency: 'USD' };
    const answer = await initiate(bank, 'sepa', sepaPayment({ instructedAmount, ...to('SA0380000000608010167519') }));
    expect(refusalOf(answer)).toBe('400 PAYMENT_FAILED instructedAmount.currency PAYMENT_FAILED creditorAccount.iban');
  });
});

describe('P11: what a cross-border credit transfer is', () => {
  test.each<[string, object, string]>([
    ['to an account without IBAN, of a bank named by its BIC', {}, '201'],
    ['without that BIC', { creditorAgent: undefined }, '400 FORMAT_ERROR creditorAgent'],
    ['to an IBAN', { creditorAccount: accounts.germany, creditorAgent: undefined }, '201'],
    [
      'in a currency that the bank quotes no rate for',
      { instructedAmount: { amount: '1.00', currency: 'RUB' } },
      '400 PAYMENT_FAILED instructedAmount.currency',
    ],
    [
      'of an amount with too many digits for its currency',
      { instructedAmount: { amount: '1.00', currency: 'JPY' } },
      '400 FORMAT_ERROR instructedAmount.amount',
    ],
    [
      'worth less than an øre',
      { instructedAmount: { amount: '0.01', currency: 'IDR' } },
      '400 PAYMENT_FAILED instructedAmount.amount',
    ],
    [
      'with the code and a number as a published sample has them',
      { creditorAccount: { bban: '12-34 5678', currency: 'SEK' }, creditorAgent: 'AAA100' },
      '201',
    ],
    ['with a code of seven', { creditorAgent: 'AAA1000' }, '400 FORMAT_ERROR creditorAgent'],
    [
      'to a number of 31 characters',
      { creditorAccount: { bban: '1'.repeat(31), currency: 'SEK' } },
      '400 FORMAT_ERROR creditorAccount.bban',
    ],
    ['to an account without number', { creditorAccount: { currency: 'SEK' } }, '400 FORMAT_ERROR creditorAccount'],
    [
      'with an address without country',
      { creditorAddress: { city: 'Stockholm' } },
      '400 FORMAT_ERROR creditorAddress.country',
    ],
    ['with a member that it has not', { creditorBank: 'SEB' }, '400 FORMAT_ERROR creditorBank'],
    [
      'to its own account',
      { creditorAccount: accounts.noraNok, creditorAgent: 'SPTRNO22' },
      '400 PAYMENT_FAILED creditorAccount',
    ],
  ])('%s', async (_, change, answer) => {
    expect(refusalOf(await initiate(bank, 'crossBorder', crossBorderPayment(change)))).toBe(answer);
  });

  test('a number of eleven digits in a bank abroad is not the account of that number here', async () => {
    const creditorAccount = { bban: '74712699947', currency: 'SEK' };
    const { body } = await initiate(bank, 'crossBorder', crossBorderPayment({ creditorAccount }));
    await bank.approve(body);
    const { body: report } = await bank.advance({ runs: 1 });
    expect(report.runs[0].settled).toBe(1);
    const { entries } = (await bank.control('GET', `/sandbox/payments/${body.paymentId}`)).body;
    expect(entries.map((entry: { accountName: string }) => entry.accountName)).not.toContain('Regningskonto');
    expect(new Set(entries.map((entry: { accountName: string }) => entry.accountName))).toEqual(
      new Set(['Totalkonto', 'Clearing NOK']),
    );
  });
});

test('P1: another product is PRODUCT_UNKNOWN, and foreign ones are single payments only', async () => {
  const headers = { 'x-psu-identity': '13039319955' };
  for (const path of [
    '/v1/payments/target-2-payments',
    '/v1/periodic-payments/sepa-credit-transfers',
    '/v1/periodic-payments/instant-norwegian-domestic-credit-transfers-straks',
  ]) {
    expect(refusalOf(await bank.signed('POST', path, { body: sepaPayment(), headers }))).toBe('404 PRODUCT_UNKNOWN');
  }
});
