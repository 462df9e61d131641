import { accountNumbers } from '../../../engine/core/account-numbers.ts';
import type { MockTransaction } from '../../../engine/core/mock-transaction.ts';
import type { NamedAccount } from '../../../engine/core/transaction-details.ts';
import type { SandboxTransactionBody } from '../../middleware/body/bodies.ts';
import { minorUnitsOf } from './minor-units.ts';

/** One item of the body, as the engine takes it. The counterparty's number that was left out is filled in where it can be. */
export function mockTransactionOf(item: SandboxTransactionBody): MockTransaction {
  const { amount, currency, bookingDate, valueDate, creditorAccount, debtorAccount, ...texts } = item;
  return {
    amount: minorUnitsOf(amount, currency),
    currency,
    bookingDate,
    valueDate,
    details: {
      ...texts,
      ...(creditorAccount !== undefined && { creditorAccount: named(creditorAccount) }),
      ...(debtorAccount !== undefined && { debtorAccount: named(debtorAccount) }),
    },
  };
}

function named(account: NonNullable<SandboxTransactionBody['creditorAccount']>): NamedAccount {
  const { bban, iban } = accountNumbers(account);
  return { ...(bban !== null && { bban }), ...(iban !== null && { iban }) };
}
