import { advanceBody } from '../../api/control/clock/clock.ts';
import { lifeBody } from '../../api/control/lives.ts';
import { armedFaultBody } from '../../api/control/faults.ts';
import { bankBody } from '../../api/control/bank-calls.ts';
import { clockBody } from '../../api/control/clock/clock.ts';
import { consentGrantBody } from '../../api/control/consents.ts';
import { certificateBody } from '../../api/control/certificates.ts';
import { judgedRequestBody } from '../../api/control/doctor.ts';
import {
  forcedStatusBody,
  paymentChangeBody,
  rejectionBody,
  returnBody,
} from '../../api/control/payments/bank-side-payments.ts';
import { resetBody, snapshotBody } from '../../api/control/ledger/reset-and-restore.ts';
import { scaOutcomeBody } from '../../api/control/scas.ts';
import { exchangeRatesFile, feesFile } from '../../api/bodies/price-files.ts';
import { personaFile } from '../../api/bodies/persona.ts';
import { profileFile } from '../../api/start/setting-schemas.ts';
import { quirksBody } from '../../api/control/quirks.ts';
import { knownStateFile } from '../../api/bodies/known-state.ts';
import {
  bulkPaymentBody,
  bulkPaymentItem,
  creditTransferBody,
  crossBorderBody,
  periodicPaymentBody,
  sepaBody,
  straksBody,
} from '../../api/interface/payments/payment-bodies.ts';
import { signingBasketBody } from '../../api/interface/approval/signing-baskets.ts';
import { tppContactBody } from '../../api/interface/tpps/tpp-contact.ts';
import { userVerificationBody } from '../../api/interface/parties/psus.ts';
import { accountBody } from '../../api/interface/sandbox-data/accounts.ts';
import {
  agreementBody,
  engagementBody,
  customerBody,
} from '../../api/interface/sandbox-data/customers-and-agreements.ts';
import { cardAccountBody, cardTransactionsBody } from '../../api/interface/sandbox-data/cards.ts';
import { transactionBody, transactionsBody } from '../../api/interface/sandbox-data/transactions.ts';

/** Every body and file that has a schema, by the name that tables of tests call it. */
export const bodySchemas = {
  advance: advanceBody,
  'armed-fault': armedFaultBody,
  bank: bankBody,
  'bulk-payment-initiation': bulkPaymentBody,
  'bulk-payment-item': bulkPaymentItem,
  certificate: certificateBody,
  clock: clockBody,
  'consent-grant': consentGrantBody,
  'credit-transfer-initiation': creditTransferBody,
  'cross-border-initiation': crossBorderBody,
  'exchange-rates': exchangeRatesFile,
  fees: feesFile,
  'forced-status': forcedStatusBody,
  'judged-request': judgedRequestBody,
  'known-state': knownStateFile,
  life: lifeBody,
  'payment-change': paymentChangeBody,
  'periodic-payment-initiation': periodicPaymentBody,
  persona: personaFile,
  profile: profileFile,
  quirks: quirksBody,
  rejection: rejectionBody,
  reset: resetBody,
  return: returnBody,
  'sandbox-account': accountBody,
  'sandbox-agreement': agreementBody,
  'sandbox-card-account': cardAccountBody,
  'sandbox-card-transactions': cardTransactionsBody,
  'sandbox-customer': customerBody,
  'sandbox-engagement': engagementBody,
  'sandbox-transaction': transactionBody,
  'sandbox-transactions': transactionsBody,
  'sca-outcome': scaOutcomeBody,
  'sepa-initiation': sepaBody,
  'signing-basket': signingBasketBody,
  snapshot: snapshotBody,
  'straks-initiation': straksBody,
  'tpp-contact': tppContactBody,
  'user-verification': userVerificationBody,
};

export type BodyName = keyof typeof bodySchemas;
