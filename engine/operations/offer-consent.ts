import type { PsuContext } from '../ledger/tables.ts';
import { refuseAgreement } from './shared/account-access.ts';
import type { BankContext } from './shared/bank-context.ts';
import { beginSca, type ReturnAddress, type TppIdentity } from './shared/begin-sca.ts';
import { identifyPsu, type PsuReference } from './shared/identify-psu.ts';

export interface OfferConsent {
  readonly tpp: TppIdentity;
  /** May name nobody: the PSU then says who it is. */
  readonly psu: PsuReference;
  readonly corporateId: string | null;
  readonly context: PsuContext | null;
  readonly returnTo: ReturnAddress;
}

/**
 * Opens the SCA in which a PSU chooses the accounts that a TPP may read, and returns its id (interface: Authentication,
 * Consent flow). Refuses a PSU that is unknown.
 */
export function offerConsent(bank: BankContext, command: OfferConsent): Promise<string> {
  return bank.ledger.write(async (tx) => {
    const { tpp, returnTo, context } = command;
    refuseAgreement(command.corporateId);
    const customer = await identifyPsu(tx, tpp.id, command.psu);
    const customerId = customer?.id ?? null;
    return beginSca(bank, tx, { purpose: 'consent', payment: null, tpp, returnTo, customerId, context });
  });
}
