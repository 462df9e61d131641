import {
  addCardTransactions,
  listSandboxCardTransactions,
  readSandboxCardTransaction,
  removeCardTransactions,
} from '../../../engine/cards/cards.ts';
import { type CardTransaction, cardTransactionsBody } from './card-transactions-body.ts';
import { cardTransactionAnswer } from '../cards/card-answers.ts';
import { cardTransaction } from '../cards/card-json.ts';
import { mockTransactions } from './mock-transactions.ts';
import type { CardTransactionDetails, MockCardTransaction } from '../../../engine/cards/rules/card-transaction.ts';
import { amountOf, formatMoney } from './sandbox-amount.ts';

/** interface: /v1/sandbox/card-accounts/{id}/transactions; real-api-facts.md 10. */
export const cardTransactions = mockTransactions({
  path: '/sandbox/card-accounts/:cardId/transactions',
  ids: ['cardId', 'cardTransactionId'],
  summaries: {
    add: 'Add transactions to a card account',
    list: 'List transactions of a card account of the test data',
    removeAll: 'Delete all transactions of a card account',
    read: 'Read a transaction of a card account of the test data',
    remove: 'Delete a transaction of a card account',
  },
  all: 'transactions of the card account',
  answer: cardTransactionAnswer,
  body: cardTransactionsBody,
  faultPaths: { CONFLICT: '[0].cardTransactionId' },
  add: async (bank, cardId, body) => {
    const { card, added } = await addCardTransactions(bank, cardId, body.map(mockCardTransactionOf));
    return added.map((row) => cardTransaction(card, row));
  },
  list: async (bank, cardId, window) => {
    const { card, transactions } = await listSandboxCardTransactions(bank, cardId, window);
    return transactions.map((row) => cardTransaction(card, row));
  },
  removeAll: (bank, cardId) => removeCardTransactions(bank, cardId, null),
  read: async (bank, cardId, id) => {
    const { card, transaction } = await readSandboxCardTransaction(bank, cardId, id);
    return cardTransaction(card, transaction);
  },
  remove: removeCardTransactions,
});

/** One item of the body in the engine's terms. Drops empty texts, which the published scripts send for unknown values. */
function mockCardTransactionOf(item: CardTransaction): MockCardTransaction {
  const { cardTransactionId, bookingDate, transactionDate, transactionAmount, originalAmount } = item;
  return {
    cardTransactionId: cardTransactionId || null,
    bookingDate: bookingDate || null,
    transactionDate,
    transactionAmount: amountOf(transactionAmount),
    originalAmount: originalAmount === undefined ? null : amountOf(originalAmount),
    details: detailsOf(item),
  };
}

function detailsOf(item: CardTransaction): CardTransactionDetails {
  const { invoiced, markupFee, cardAcceptorAddress } = item;
  const address = withoutEmpty(cardAcceptorAddress ?? {});
  return {
    ...withoutEmpty({
      terminalId: item.terminalId,
      merchantCategoryCode: item.merchantCategoryCode,
      markupFeePercentage: item.markupFeePercentage,
      cardAcceptorId: item.cardAcceptorId,
      maskedPan: item.maskedPan,
      transactionDetails: item.transactionDetails,
      proprietaryBankTransactionCode: item.proprietaryBankTransactionCode,
    }),
    ...(Object.keys(address).length > 0 && { cardAcceptorAddress: address }),
    ...(markupFee !== undefined && { markupFee: formatMoney(markupFee) }),
    ...(invoiced !== undefined && invoiced !== '' && { invoiced: String(invoiced) === 'true' }),
  };
}

function withoutEmpty(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}
