import type { CardAccount } from '../cards/rows/card-accounts.ts';
import { cardTransactions, type CardTransaction } from '../cards/rows/card-transactions.ts';
import type { TransactionWindow } from '../accounts/rows/sandbox-transactions.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { requireCardAccount } from '../cards/find-card-account.ts';

export interface SandboxCardTransactions {
  readonly card: CardAccount;
  readonly transactions: readonly CardTransaction[];
}

/** The transactions of a card, pending ones among them, the latest first (rules.md A9). Unknown: RESOURCE_UNKNOWN. */
export function listSandboxCardTransactions(
  bank: BankContext,
  cardAccountId: string,
  window: TransactionWindow,
): Promise<SandboxCardTransactions> {
  return bank.ledger.read(async (reader) => {
    const card = await requireCardAccount(reader, cardAccountId);
    return { card, transactions: await cardTransactions(reader, card.id, { ...window, isBooked: null }) };
  });
}
