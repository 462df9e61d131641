import { findCardTransaction, type CardTransaction } from '../cards/rows/card-transactions.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { cardTransactionUnknown, requireCardAccount } from '../cards/find-card-account.ts';

/** One transaction of a card. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxCardTransaction(
  bank: BankContext,
  cardAccountId: string,
  cardTransactionId: string,
): Promise<CardTransaction> {
  return bank.ledger.read(async (reader) => {
    const card = await requireCardAccount(reader, cardAccountId);
    const found = await findCardTransaction(reader, card.id, cardTransactionId);
    if (found === undefined) throw cardTransactionUnknown(cardTransactionId);
    return found;
  });
}
