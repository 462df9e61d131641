import type { Endpoint } from '../pipeline/endpoint.ts';
import { accounts } from './accounts/accounts.ts';
import { signingBaskets } from './approval/signing-baskets.ts';
import { cardAccounts } from './cards/card-accounts.ts';
import { listAgreements, verifyUser } from './parties/psus.ts';
import { payments } from './payments/payments.ts';
import { sandboxAccounts } from './sandbox-data/accounts.ts';
import { sandboxCardAccounts, sandboxCardTransactions } from './sandbox-data/cards.ts';
import { initialize, sandboxAgreements, sandboxCustomers } from './sandbox-data/customers-and-agreements.ts';
import { sandboxTransactions } from './sandbox-data/transactions.ts';
import { identifyUser, identifyUserSingular, offerConsent, offerConsentDeprecated } from './sca/offered-scas.ts';
import { tppContact } from './tpps/tpp-contact.ts';

/** Every endpoint below `/v1`, in the order of the interface document. */
export const endpoints: readonly Endpoint[] = [
  ...payments,
  ...signingBaskets,
  identifyUser,
  identifyUserSingular,
  listAgreements,
  verifyUser,
  offerConsent,
  offerConsentDeprecated,
  ...accounts,
  ...cardAccounts,
  ...tppContact,
  // Test data: signed, no role needed, X-Request-ID of any form (rules.md G7, E2).
  ...sandboxCustomers,
  ...sandboxAgreements,
  ...sandboxAccounts,
  ...sandboxTransactions,
  ...sandboxCardAccounts,
  ...sandboxCardTransactions,
  initialize,
];
