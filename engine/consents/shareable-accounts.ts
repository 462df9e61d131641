import { accountsOfCustomer, type Account } from '../accounts/rows/accounts.ts';
import { cardAccountsOfCustomer, type CardAccount } from '../cards/rows/card-accounts.ts';
import type { Customer } from '../parties/rows/customers.ts';
import type { Reader } from '../ledger/database.ts';
import { accountsToConsentTo } from '../accounts/rows/psu-roles.ts';
import type { Acting } from '../parties/acting.ts';

/**
 * The accounts that a PSU can open to a TPP: those it holds, or in CORPORATE those under the agreement on which it has
 * both roles (interface: What the service does, 9; real-api-facts.md 10).
 */
export function shareableAccounts(reader: Reader, customer: Customer, acting: Acting): Promise<Account[]> {
  return acting.context === 'PRIVATE'
    ? accountsOfCustomer(reader, customer.id)
    : accountsToConsentTo(reader, acting.agreement.id, customer.id);
}

/** The card accounts that it can open: its own, for cards are no part of a corporate agreement. */
export function shareableCards(reader: Reader, customer: Customer, acting: Acting): Promise<CardAccount[]> {
  return acting.context === 'PRIVATE' ? cardAccountsOfCustomer(reader, customer.id) : Promise.resolve([]);
}
