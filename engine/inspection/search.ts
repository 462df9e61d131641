import type { BankContext } from '../bank/bank-context.ts';
import {
  accountsNamed,
  customersNamed,
  type FoundAccount,
  type FoundCustomer,
  type FoundPayment,
  paymentsNamed,
} from './rows/search.ts';

export type { FoundAccount, FoundCustomer, FoundPayment } from './rows/search.ts';

interface Found {
  readonly payments: readonly FoundPayment[];
  readonly accounts: readonly FoundAccount[];
  readonly customers: readonly FoundCustomer[];
}

/**
 * What a text without blanks around it finds, at most `limit` of each kind (docs/spec/control-plane.md C11): payments by the beginning
 * of their id, by the number of their creditor or a part of its name, the newest first; open accounts by the beginning of their number,
 * a part of their name or of their owner's name; customers by their whole number or a part of their name. Capital letters count as
 * small ones. An empty text finds nothing.
 */
export function search(bank: BankContext, wanted: string, limit: number): Promise<Found> {
  if (wanted === '') return Promise.resolve({ payments: [], accounts: [], customers: [] });
  return bank.ledger.read(async (reader) => ({
    payments: await paymentsNamed(reader, wanted, limit),
    accounts: await accountsNamed(reader, wanted, limit),
    customers: await customersNamed(reader, wanted, limit),
  }));
}
