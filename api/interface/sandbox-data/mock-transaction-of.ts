import { accountNumbers } from '../../../engine/values/account-numbers.ts';
import {
  shownAmount,
  type CurrencyExchange,
  type ShownAmount,
} from '../../../engine/accounts/rules/currency-exchange.ts';
import type { Currency } from '../../../engine/values/currency.ts';
import type { MockTransaction } from '../../../engine/sandbox-data/rules/mock-transaction.ts';
import type { EntryDetails, NamedAccount } from '../../../engine/accounts/rules/transaction-details.ts';
import type { Counterparty } from '../../bodies/account.ts';
import type { SandboxMoney } from '../../bodies/amount.ts';
import type { BatchPart, Exchange, TransactionBody } from './transaction-body.ts';
import { minorUnitsOf } from './minor-units.ts';

/** One item of the body, as the engine takes it. The counterparty's number that was left out is filled in where it can be. */
export function mockTransactionOf(item: TransactionBody): MockTransaction {
  const { amount, currency, bookingDate, valueDate, creditorAccount, debtorAccount, ...rest } = item;
  const { originalAmount, currencyExchange, batchIndicator, batchNumberOfTransactions, entryDetails, ...texts } = rest;
  return {
    amount: minorUnitsOf(amount, currency),
    currency,
    bookingDate,
    valueDate,
    details: {
      ...texts,
      ...(creditorAccount !== undefined && { creditorAccount: named(creditorAccount) }),
      ...(debtorAccount !== undefined && { debtorAccount: named(debtorAccount) }),
      ...(originalAmount !== undefined && { originalAmount: shown(originalAmount) }),
      ...(currencyExchange !== undefined && { currencyExchange: currencyExchange.map(exchangeOf) }),
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

function partOf({ amount, creditorAccount, ...texts }: BatchPart, currency: Currency): EntryDetails {
  return {
    transactionAmount: shown({ amount, currency }),
    ...texts,
    ...(creditorAccount !== undefined && { creditorAccount: named(creditorAccount) }),
  };
}

function exchangeOf({ instructedAmount, ...exchange }: Exchange): CurrencyExchange {
  return { ...exchange, ...(instructedAmount !== undefined && { instructedAmount: shown(instructedAmount) }) };
}

function shown({ amount, currency }: SandboxMoney): ShownAmount {
  return shownAmount({ minor: minorUnitsOf(amount, currency), currency });
}

function named(account: Counterparty): NamedAccount {
  const { bban, iban } = accountNumbers(account);
  return { ...(bban !== null && { bban }), ...(iban !== null && { iban }) };
}
