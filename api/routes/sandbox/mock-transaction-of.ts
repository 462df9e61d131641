import { accountNumbers } from '../../../engine/core/account-numbers.ts';
import type { Currency } from '../../../engine/core/currency.ts';
import type { MockTransaction } from '../../../engine/core/mock-transaction.ts';
import { formatAmount } from '../../../engine/core/money.ts';
import type { EntryDetails, NamedAccount } from '../../../engine/core/transaction-details.ts';
import type { SandboxBatchPartBody, SandboxTransactionBody } from '../../middleware/body/bodies.ts';
import { minorUnitsOf } from './minor-units.ts';

/** One item of the body, as the engine takes it. The counterparty's number that was left out is filled in where it can be. */
export function mockTransactionOf(item: SandboxTransactionBody): MockTransaction {
  const { amount, currency, bookingDate, valueDate, creditorAccount, debtorAccount, ...rest } = item;
  const { batchIndicator, batchNumberOfTransactions, entryDetails, ...texts } = rest;
  return {
    amount: minorUnitsOf(amount, currency),
    currency,
    bookingDate,
    valueDate,
    details: {
      ...texts,
      ...(creditorAccount !== undefined && { creditorAccount: named(creditorAccount) }),
      ...(debtorAccount !== undefined && { debtorAccount: named(debtorAccount) }),
      ...((batchIndicator === true || batchNumberOfTransactions !== undefined || entryDetails !== undefined) && {
        batchIndicator: true,
      }),
      ...(batchNumberOfTransactions !== undefined && { batchNumberOfTransactions }),
      ...(entryDetails !== undefined && {
        batchNumberOfTransactions: entryDetails.length,
        entryDetails: entryDetails.map((part) => partOf(part, currency)),
      }),
    },
  };
}

function partOf({ amount, creditorAccount, ...texts }: SandboxBatchPartBody, currency: Currency): EntryDetails {
  return {
    transactionAmount: { amount: formatAmount({ minor: minorUnitsOf(amount, currency), currency }), currency },
    ...texts,
    ...(creditorAccount !== undefined && { creditorAccount: named(creditorAccount) }),
  };
}

function named(account: NonNullable<SandboxTransactionBody['creditorAccount']>): NamedAccount {
  const { bban, iban } = accountNumbers(account);
  return { ...(bban !== null && { bban }), ...(iban !== null && { iban }) };
}
