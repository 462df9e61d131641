import { creditorNumber, type CreditorReference } from '../../core/payment-initiation.ts';
import { accountsByNumber, type Account } from '../../ledger/accounts.ts';
import type { Customer } from '../../ledger/customers.ts';
import type { Reader } from '../../ledger/database.ts';
import { accountsUnderSameAgreement } from '../../ledger/engagements.ts';

/**
 * Whether a payment needs no SCA: between the PSU's own accounts, or accounts that the PSU has engagements on under one
 * agreement, with REGISTER on the debtor's (rules.md A5). An account that asks for several signatures still gets them.
 */
export async function isExempt(
  reader: Reader,
  psu: Customer,
  debtor: Account,
  transfers: readonly CreditorReference[],
): Promise<boolean> {
  if (debtor.signatures_required > 1) return false;
  const numbers = [...new Set(transfers.map(creditorNumber))];
  const creditors = await accountsByNumber(reader, numbers);
  if (creditors.size < numbers.length) return false;
  const others = [...creditors.values()];
  if (debtor.customer_id === psu.id) return others.every((account) => account.customer_id === psu.id);
  const shared = await accountsUnderSameAgreement(reader, psu.id, debtor.id);
  return others.every((account) => shared.has(account.id));
}
