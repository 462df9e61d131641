import { findCardTransaction, type CardTransaction } from '../ledger/card-transactions.ts';
import type { BankContext } from './shared/bank-context.ts';
import { cardTransactionUnknown, requireCardAccount } from './shared/find-card-account.ts';

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
