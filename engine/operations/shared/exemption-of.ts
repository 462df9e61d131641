import { creditorNumber, type CreditorReference } from '../../core/payment-initiation.ts';
import { accountsByNumber, type Account } from '../../ledger/accounts.ts';
import type { OwnedAgreement } from '../../ledger/agreements.ts';
import type { Customer } from '../../ledger/customers.ts';
import type { Reader } from '../../ledger/database.ts';
import { accountsByAgreement } from '../../ledger/engagements.ts';

/** Why a payment needs no SCA. */
export interface Exemption {
  /** The agreement that it is exempt under; null: between accounts of the PSU itself. */
  readonly agreementId: number | null;
}

/**
 * The exemption of a payment from SCA, or null: between the PSU's own accounts, or accounts that the PSU has engagements on
 * under one agreement, with REGISTER on the debtor's (rules.md A5): the one that the request names, where it is one of
 * several. An account that asks for several signatures still gets them.
 */
export async function exemptionOf(
  reader: Reader,
  psu: Customer,
  debtor: Account,
  transfers: readonly CreditorReference[],
  named: OwnedAgreement | null,
): Promise<Exemption | null> {
  if (debtor.signatures_required > 1) return null;
  const numbers = [...new Set(transfers.map(creditorNumber))];
  const creditors = await accountsByNumber(reader, numbers);
  if (creditors.size < numbers.length) return null;
  const others = [...creditors.values()];
  if (debtor.customer_id === psu.id) {
    return others.every((account) => account.customer_id === psu.id) ? { agreementId: null } : null;
  }
  const shared = await accountsByAgreement(reader, psu.id, debtor.id);
  const exempting = [...shared.keys()].filter((id) => others.every((account) => shared.get(id)?.has(account.id)));
  const [agreementId] = exempting.includes(named?.id ?? 0) ? [named?.id] : exempting;
  return agreementId === undefined ? null : { agreementId };
}
