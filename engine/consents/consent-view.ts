import type { Account } from '../accounts/rows/accounts.ts';
import { cardAccountsOfConsent, type CardAccount } from '../cards/rows/card-accounts.ts';
import type { InspectedConsent } from './rows/consent-inspection.ts';
import { accountsOfConsent } from './rows/consents.ts';
import type { Reader } from '../ledger/database.ts';

/** A consent as the bank's own people see it. */
export interface ConsentView {
  readonly consent: InspectedConsent;
  /** Those that are still open. */
  readonly accounts: readonly Account[];
  readonly cards: readonly CardAccount[];
}

export async function consentView(reader: Reader, consent: InspectedConsent): Promise<ConsentView> {
  return {
    consent,
    accounts: await accountsOfConsent(reader, consent.id),
    cards: await cardAccountsOfConsent(reader, consent.id),
  };
}
