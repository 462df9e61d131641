import { advanceBody } from '../../api/bodies/control/advance-body.ts';
import { armedFaultBody } from '../../api/bodies/control/armed-fault-body.ts';
import { bankBody } from '../../api/bodies/control/bank-body.ts';
import { clockBody } from '../../api/bodies/control/clock-body.ts';
import { consentGrantBody } from '../../api/bodies/control/consent-grant-body.ts';
import { forcedStatusBody } from '../../api/bodies/control/forced-status-body.ts';
import { paymentChangeBody } from '../../api/bodies/control/payment-change-body.ts';
import { resetBody } from '../../api/bodies/control/reset-body.ts';
import { scaOutcomeBody } from '../../api/bodies/control/sca-outcome-body.ts';
import { snapshotBody } from '../../api/bodies/control/snapshot-body.ts';
import { exchangeRatesFile } from '../../api/bodies/fixtures/exchange-rates.ts';
import { feesFile } from '../../api/bodies/fixtures/fees.ts';
import { knownStateFile } from '../../api/bodies/fixtures/known-state.ts';
import { bulkPaymentBody, bulkPaymentItem } from '../../api/bodies/interface/bulk-payment-body.ts';
import { creditTransferBody } from '../../api/bodies/interface/credit-transfer-body.ts';
import { crossBorderBody } from '../../api/bodies/interface/cross-border-body.ts';
import { periodicPaymentBody } from '../../api/bodies/interface/periodic-payment-body.ts';
import { sepaBody } from '../../api/bodies/interface/sepa-body.ts';
import { signingBasketBody } from '../../api/bodies/interface/signing-basket-body.ts';
import { straksBody } from '../../api/bodies/interface/straks-body.ts';
import { tppContactBody } from '../../api/bodies/interface/tpp-contact-body.ts';
import { userVerificationBody } from '../../api/bodies/interface/user-verification-body.ts';
import { accountBody } from '../../api/bodies/sandbox/account-body.ts';
import { agreementBody } from '../../api/bodies/sandbox/agreement-body.ts';
import { cardAccountBody } from '../../api/bodies/sandbox/card-account-body.ts';
import { cardTransactionsBody } from '../../api/bodies/sandbox/card-transactions-body.ts';
import { customerBody } from '../../api/bodies/sandbox/customer-body.ts';
import { engagementBody } from '../../api/bodies/sandbox/engagement-body.ts';
import { transactionBody, transactionsBody } from '../../api/bodies/sandbox/transaction-body.ts';

/** Every body and file that has a schema, by the name that tables of tests call it. */
export const bodySchemas = {
  advance: advanceBody,
  'armed-fault': armedFaultBody,
  bank: bankBody,
  'bulk-payment-initiation': bulkPaymentBody,
  'bulk-payment-item': bulkPaymentItem,
  clock: clockBody,
  'consent-grant': consentGrantBody,
  'credit-transfer-initiation': creditTransferBody,
  'cross-border-initiation': crossBorderBody,
  'exchange-rates': exchangeRatesFile,
  fees: feesFile,
  'forced-status': forcedStatusBody,
  'known-state': knownStateFile,
  'payment-change': paymentChangeBody,
  'periodic-payment-initiation': periodicPaymentBody,
  reset: resetBody,
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
