import type { Endpoint } from '../pipeline/endpoint.ts';
import { accountInformation } from './accounts/account-information.ts';
import { initiateBulkPayment, initiatePeriodicPayment, initiateSinglePayment } from './payments/initiate-payment.ts';
import { paymentResource } from './payments/payment-resource.ts';
import { psuEndpoints } from './parties/psu-endpoints.ts';
import { sandboxData } from './sandbox-data/index.ts';
import { signingBaskets } from './approval/signing-baskets.ts';
import { tppContact } from './tpps/tpp-contact.ts';

/** Everything below `/v1`, in the order of the interface document. */
export const endpoints: readonly Endpoint[] = [
  initiatePeriodicPayment,
  initiateSinglePayment,
  initiateBulkPayment,
  ...paymentResource,
  ...signingBaskets,
  ...psuEndpoints,
  ...accountInformation,
  ...tppContact,
  ...sandboxData,
];
