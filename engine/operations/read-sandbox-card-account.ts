import type { CardAccount } from '../ledger/card-accounts.ts';
import type { BankContext } from './shared/bank-context.ts';
import { requireCardAccount } from './shared/find-card-account.ts';

/** One card account. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxCardAccount(bank: BankContext, cardAccountId: string): Promise<CardAccount> {
  return bank.ledger.read((reader) => requireCardAccount(reader, cardAccountId));
}
