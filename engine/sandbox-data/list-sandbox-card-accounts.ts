import { allCardAccounts, type CardAccount } from '../cards/rows/card-accounts.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** Every open card account, in the order in which they were opened. */
export function listSandboxCardAccounts(bank: BankContext): Promise<CardAccount[]> {
  return bank.ledger.read(allCardAccounts);
}
