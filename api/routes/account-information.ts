import type { Endpoint } from '../endpoint.ts';
import { cardAccounts } from './card-accounts.ts';
import { listAccounts } from './list-accounts.ts';
import { listTransactions } from './list-transactions.ts';
import { offerConsent, offerConsentDeprecated } from './offer-consent.ts';
import { readAccount } from './read-account.ts';
import { readBalances } from './read-balances.ts';
import { readTransaction } from './read-transaction.ts';

/** Consents and what they open. */
export const accountInformation: readonly Endpoint[] = [
  offerConsent,
  offerConsentDeprecated,
  listAccounts,
  readAccount,
  readBalances,
  listTransactions,
  readTransaction,
  ...cardAccounts,
];
