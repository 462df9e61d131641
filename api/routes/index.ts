import type { Endpoint } from '../endpoint.ts';
import { accountInformation } from './account-information.ts';
import { initiateBulkPayment, initiatePeriodicPayment, initiateSinglePayment } from './initiate-payment.ts';
import { paymentResource } from './payment-resource.ts';
import { psuEndpoints } from './psu-endpoints.ts';
import { sandboxData } from './sandbox/index.ts';
import { signingBaskets } from './signing-baskets.ts';
import { tppContact } from './tpp-contact.ts';

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
