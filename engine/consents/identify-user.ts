import type { BankContext } from '../bank/bank-context.ts';
import { offerSca, type OfferSca } from '../sca/offer-sca.ts';

/**
 * Opens an SCA that gives a TPP the PSU-ID, and the PSU-Corporate-ID if the PSU chooses an agreement; returns its id
 * (interface: GET /v1/users; PSU identification and SCA, 10). It grants no consent.
 */
export function identifyUser(bank: BankContext, command: OfferSca): Promise<string> {
  return offerSca(bank, 'identification', command);
}
