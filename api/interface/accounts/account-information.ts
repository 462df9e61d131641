import type { Endpoint } from '../../pipeline/endpoint.ts';
import { cardAccounts } from '../cards/card-accounts.ts';
import { listAccounts } from './list-accounts.ts';
import { listTransactions } from './list-transactions.ts';
import { offerConsent, offerConsentDeprecated } from '../consents/offer-consent.ts';
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
