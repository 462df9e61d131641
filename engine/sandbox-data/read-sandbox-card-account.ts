import type { CardAccount } from '../cards/rows/card-accounts.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { requireCardAccount } from '../cards/find-card-account.ts';

/** One card account. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxCardAccount(bank: BankContext, cardAccountId: string): Promise<CardAccount> {
  return bank.ledger.read((reader) => requireCardAccount(reader, cardAccountId));
}
