import type { BankContext } from '../bank/bank-context.ts';
import { offerSca, type OfferSca } from '../sca/offer-sca.ts';

/**
 * Opens an SCA in which a PSU chooses the accounts that a TPP may read; returns its id (interface: Authentication, Consent
 * flow). Refuses an unknown PSU or agreement.
 */
export function offerConsent(bank: BankContext, command: OfferSca): Promise<string> {
  return offerSca(bank, 'consent', command);
}
