import type { BankContext } from '../bank/bank-context.ts';
import { offerSca, type OfferSca } from '../sca/offer-sca.ts';

/**
 * Opens the SCA after which a TPP that only initiates payments has a PSU-ID, and a PSU-Corporate-ID where an agreement
 * is chosen; returns its id (interface: GET /v1/users; PSU identification and SCA, 10). It grants nothing.
 */
export function identifyUser(bank: BankContext, command: OfferSca): Promise<string> {
  return offerSca(bank, 'identification', command);
}
