import type { Endpoint } from '../endpoint.ts';
import { accountInformation } from './account-information.ts';
import { initiatePeriodicPayment, initiateSinglePayment } from './initiate-payment.ts';
import { paymentResource } from './payment-resource.ts';
import { sandboxData } from './sandbox/index.ts';

/** Everything below `/v1`, in the order of the interface document. */
export const endpoints: readonly Endpoint[] = [
  initiatePeriodicPayment,
  initiateSinglePayment,
  ...paymentResource,
  ...accountInformation,
  ...sandboxData,
];
