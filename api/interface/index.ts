import type { Endpoint } from '../pipeline/endpoint.ts';
import { accounts } from './accounts/accounts.ts';
import { signingBaskets } from './approval/signing-baskets.ts';
import { cardAccounts } from './cards/card-accounts.ts';
import { listAgreements, verifyUser } from './parties/psus.ts';
import {
  initiateBulkPayment,
  initiatePeriodicPayment,
  initiateSinglePayment,
  paymentResource,
} from './payments/payments.ts';
import { accounts as sandboxAccounts } from './sandbox-data/accounts.ts';
import {
  agreements as sandboxAgreements,
  customers as sandboxCustomers,
  initialize,
} from './sandbox-data/customers-and-agreements.ts';
import {
  cardAccounts as sandboxCardAccounts,
  cardTransactions as sandboxCardTransactions,
} from './sandbox-data/cards.ts';
import { transactions as sandboxTransactions } from './sandbox-data/transactions.ts';
import { identifyUser, identifyUserSingular, offerConsent, offerConsentDeprecated } from './sca/offered-scas.ts';
import { tppContact } from './tpps/tpp-contact.ts';

const accountInformation: readonly Endpoint[] = [offerConsent, offerConsentDeprecated, ...accounts, ...cardAccounts];

/** Test data: signed, no role needed, X-Request-ID of any form (rules.md G7, E2). */
const sandboxData: readonly Endpoint[] = [
  ...sandboxCustomers,
  ...sandboxAgreements,
  ...sandboxAccounts,
  ...sandboxTransactions,
  ...sandboxCardAccounts,
  ...sandboxCardTransactions,
  initialize,
];

/** Every endpoint below `/v1`, in the order of the interface document. */
export const endpoints: readonly Endpoint[] = [
  initiatePeriodicPayment,
  initiateSinglePayment,
  initiateBulkPayment,
  ...paymentResource,
  ...signingBaskets,
  identifyUser,
  identifyUserSingular,
  listAgreements,
  verifyUser,
  ...accountInformation,
  ...tppContact,
  ...sandboxData,
];
