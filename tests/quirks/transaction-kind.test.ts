import { expect, test } from '@jest/globals';
import type { TransactionDetails } from '../../engine/accounts/rules/transaction-details.ts';
import { kindOf } from '../../engine/accounts/rules/bank-texts.ts';

/* rules.md Q5: the kind of a transaction, which quirks of texts, codes and parties ask for. */

function kindOfMock(minor: bigint, details: TransactionDetails, isFee = false): string {
  const amount = { minor, currency: 'NOK' as const };
  return kindOf({ amount, isFee, details });
}

const account = { bban: '90491105991' };

test.each<[string, bigint, TransactionDetails]>([
  ['card purchase', -1n, {}],
  ['card purchase', -1n, { creditorName: 'Kiosken', debtorAccount: account }],
  ['card purchase', -1n, { bankTransactionCode: 'PMNT-CCRD-POSD', creditorAccount: account }],
  ['card purchase', -1n, { bankTransactionCode: 'PMNT-MCRD-UPCT' }],
  ['card purchase', 1n, { bankTransactionCode: 'CARD-NCRD-POSD' }],
  ['card purchase', 1n, { proprietaryBankTransactionCode: 'R_710' }],
  ['transfer', -1n, { creditorName: 'Ola', creditorAccount: account }],
  ['transfer', 1n, { debtorName: 'Ola' }],
  ['transfer', -1n, { bankTransactionCode: 'PMNT-ICDT-RETP' }],
  ['transfer', 1n, { bankTransactionCode: 'PMNT-RCDT-SALA' }],
  ['transfer', -1n, { remittanceInformationStructuredArray: [{ reference: '2345676', referenceType: 'SCOR' }] }],
  ['transfer', -1n, { creditorName: 'Strøm AS', mandateId: '7' }],
  ['transfer', -1n, { creditorName: 'Strøm AS', creditorId: 'NO7', mandateId: '' }],
  ['card purchase', -1n, { creditorId: '', mandateId: '' }],
  ['fee', -1n, { bankTransactionCode: 'BOOK-EXPS-BANK' }],
  ['fee', -1n, { bankTransactionCode: 'PMNT-ICDT-CHRG', creditorAccount: account }],
  ['fee', -1n, { bankTransactionCode: 'ACMT-MDOP-FEES' }],
  ['batch', -1n, { batchIndicator: true, creditorAccount: account }],
  ['batch', 1n, { batchNumberOfTransactions: 2 }],
  ['unknown', 1n, {}],
  ['unknown', 1n, { creditorAccount: account, debtorName: '', remittanceInformationUnstructured: 'Kredittrente' }],
  ['unknown', 1n, { bankTransactionCode: 'ACMT-MCOP-INTR' }],
])('Q5b: a %s, %s: %j', (kind, minor, details) => {
  expect(kindOfMock(minor, details)).toBe(kind);
});

test('Q5b: the fee of a payment is one whatever it tells', () => {
  expect(kindOfMock(-1n, { debtorName: 'Nora', debtorAccount: account }, true)).toBe('fee');
});
