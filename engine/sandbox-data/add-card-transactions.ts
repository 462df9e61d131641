import { judgeCardSum, judgeMockCardTransaction, type MockCardTransaction } from '../cards/rules/card-transaction.ts';
import { refuseAny } from '../values/bounded-faults.ts';
import type { Fault } from '../values/fault.ts';
import { osloDate } from '../values/instant.ts';
import type { CardAccount } from '../cards/rows/card-accounts.ts';
import { findCardTransaction, insertCardTransaction, type CardTransaction } from '../cards/rows/card-transactions.ts';
import type { Transaction } from '../ledger/database.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { requireCardAccount } from '../cards/find-card-account.ts';

/** What was added, and the card as it was before. */
export interface AddedCardTransactions {
  readonly card: CardAccount;
  readonly added: readonly CardTransaction[];
}

/** Writes mock transactions to a card (rules.md D3), all or none; every fault is told, with its place in the list (E3). */
export function addCardTransactions(
  bank: BankContext,
  cardAccountId: string,
  wanted: readonly MockCardTransaction[],
): Promise<AddedCardTransactions> {
  return bank.ledger.write(async (tx) => {
    const card = await requireCardAccount(tx, cardAccountId);
    const today = osloDate(await bankNow(bank, tx));
    const judged = { currency: card.currency, today };
    const faults = wanted.flatMap((each, index) => judgeMockCardTransaction(each, judged, `[${index}]`));
    const beyond = judgeCardSum(card.sum_minor, wanted);
    refuseAny([...faults, ...beyond, ...(await idsInUse(tx, card.id, wanted))]);
    const added: CardTransaction[] = [];
    for (const each of wanted) {
      const row = {
        card_account_id: card.id,
        card_transaction_id: each.cardTransactionId ?? bank.ids.resourceId(),
        booking_date: each.bookingDate,
        transaction_date: each.transactionDate,
        amount_minor: each.transactionAmount.minor,
        original_minor: each.originalAmount?.minor ?? null,
        original_currency: each.originalAmount?.currency ?? null,
        details: JSON.stringify(each.details),
      };
      added.push(await insertCardTransaction(tx, row));
    }
    return { card, added };
  });
}

/** A cardTransactionId names one transaction of a card: CONFLICT for one that is there, or twice in the list. */
async function idsInUse(tx: Transaction, cardId: number, wanted: readonly MockCardTransaction[]): Promise<Fault[]> {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const [index, { cardTransactionId: id }] of wanted.entries()) {
    if (id === null) continue;
    if (seen.has(id) || (await findCardTransaction(tx, cardId, id)) !== undefined) {
      const text = `The card has a transaction ${id} already. Send another cardTransactionId, or leave it empty.`;
      faults.push({ code: 'CONFLICT', path: `[${index}].cardTransactionId`, text });
    }
    seen.add(id);
  }
  return faults;
}
