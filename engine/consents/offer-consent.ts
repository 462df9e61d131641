import type { BankContext } from '../bank/bank-context.ts';
import { offerSca, type OfferSca } from '../sca/offer-sca.ts';

/**
 * Opens the SCA in which a PSU chooses the accounts that a TPP may read, and returns its id (interface: Authentication,
 * Consent flow). Refuses a PSU or an agreement that is unknown.
 */
export function offerConsent(bank: BankContext, command: OfferSca): Promise<string> {
  return offerSca(bank, 'consent', command);
}
