import type { ScaPurpose } from './rows/tables.ts';
import type { PsuContext } from '../parties/rows/tables.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { beginSca, type ReturnAddress, type TppIdentity } from './begin-sca.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';

/** What an SCA is for that is about no payment. */
export type OfferedPurpose = Extract<ScaPurpose, 'consent' | 'identification'>;

export interface OfferSca {
  readonly tpp: TppIdentity;
  /** May name nobody: the PSU then says who it is. */
  readonly psu: PsuReference;
  readonly context: PsuContext | null;
  readonly returnTo: ReturnAddress;
}

/**
 * Opens an SCA that is about no payment and returns its id; with PSU-Corporate-ID it has no further choice of agreement
 * (interface: PSU identification and SCA, 10). Refuses a PSU or an agreement that is unknown.
 */
export function offerSca(
  bank: BankContext,
  purpose: OfferedPurpose,
  { tpp, psu, context, returnTo }: OfferSca,
): Promise<string> {
  return bank.ledger.write(async (tx) => {
    const { customer, agreement } = await identifyPsu(tx, tpp.id, psu);
    return beginSca(bank, tx, {
      purpose,
      payment: null,
      tpp,
      returnTo,
      customerId: customer?.id ?? null,
      context: agreement === null ? context : 'CORPORATE',
      agreementId: agreement?.id ?? null,
    });
  });
}
