import type { ScaPurpose } from './rows/tables.ts';
import type { PsuContext } from '../parties/rows/tables.ts';
import type { Writer } from '../ledger/database.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { beginSca, type ReturnAddress, type TppIdentity } from './begin-sca.ts';
import { identifyPsu, type PsuReference } from '../parties/identify-psu.ts';

/** Purposes of an SCA without a payment. */
export type OfferedPurpose = Extract<ScaPurpose, 'consent' | 'identification'>;

export interface OfferSca {
  readonly tpp: TppIdentity;
  /** May name nobody: then the PSU identifies itself on the SCA page. */
  readonly psu: PsuReference;
  readonly context: PsuContext | null;
  readonly returnTo: ReturnAddress;
}

/**
 * Opens an SCA without a payment and returns its id. With PSU-Context the PSU has no choice of context (rules.md A7d), with
 * PSU-Corporate-ID none of agreement (interface: PSU identification and SCA, 10). Unknown PSU: PSU_CREDENTIALS_INVALID;
 * unknown agreement: CORPORATE_ID_INVALID.
 */
export function offerSca(bank: BankContext, purpose: OfferedPurpose, command: OfferSca): Promise<string> {
  return bank.ledger.write((tx) => offerScaIn(bank, tx, purpose, command));
}

/** {@link offerSca} inside the caller's transaction. */
export async function offerScaIn(
  bank: BankContext,
  tx: Writer,
  purpose: OfferedPurpose,
  { tpp, psu, context, returnTo }: OfferSca,
): Promise<string> {
  const now = await bankNow(bank, tx);
  const { customer, agreement } = await identifyPsu(tx, tpp.id, psu);
  return beginSca(bank, tx, {
    purpose,
    payment: null,
    tpp,
    returnTo,
    customerId: customer?.id ?? null,
    context: agreement === null ? context : 'CORPORATE',
    contextBinds: true,
    agreementId: agreement?.id ?? null,
    now,
  });
}
