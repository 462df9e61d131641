import {
  addCardTransactions,
  listSandboxCardTransactions,
  readSandboxCardTransaction,
  removeCardTransactions,
} from '../../../engine/cards/cards.ts';
import { cardTransactionAnswer, cardTransaction } from '../cards/card-answers.ts';
import { mockTransactions } from './mock-transactions.ts';
import type { CardTransactionDetails, MockCardTransaction } from '../../../engine/cards/rules/card-transaction.ts';
import { amountOf, formatMoney } from './resource.ts';
import * as Type from 'typebox';
import { sandboxMoney } from '../../bodies/amount.ts';
import { closed, date, meaning, mockBookingDate, sandboxText, type Static } from '../../bodies/schema.ts';
import { storyDays } from '../../bodies/story.ts';

const text = Type.Optional(sandboxText);

/** An empty text means unknown. Amounts are parsed by parseSandboxAmount. */
const cardTransactionItem = closed(
  {
    cardTransactionId: text,
    terminalId: text,
    bookingDate: Type.Optional(mockBookingDate),
    transactionDate: date,
    transactionAmount: meaning("A purchase above zero, a refund below; in the card's currency.", sandboxMoney),
    originalAmount: Type.Optional(meaning('The amount in the currency of the purchase.', sandboxMoney)),
    merchantCategoryCode: text,
    markupFee: Type.Optional(sandboxMoney),
    markupFeePercentage: text,
    cardAcceptorId: text,
    cardAcceptorAddress: Type.Optional(
      closed(
        { street: text, buildingNumber: text, postalCode: text, city: text, country: text },
        { description: 'Where the goods were bought.', expected: 'an address; any of it may be left out' },
      ),
    ),
    maskedPan: text,
    transactionDetails: text,
    invoiced: Type.Optional(
      // No enum: generated clients name a member by its text, and have `true` twice then.
      Type.Unsafe<boolean | 'true' | 'false' | ''>({
        description: 'true or false, as a text or a boolean; empty: false',
        type: ['boolean', 'string'],
        pattern: '^(true|false)?$',
      }),
    ),
    proprietaryBankTransactionCode: text,
  },
  { title: 'SandboxCardTransaction', description: 'A purchase or a refund that is to have happened on a card.' },
);

/** interface: /v1/sandbox/card-accounts/{id}/transactions; real-api-facts.md 10. */
export const cardTransactionsBody = Type.Array(cardTransactionItem, {
  title: 'SandboxCardTransactions',
  description: 'Transactions that are to have happened on a card: all of them or none.',
  expected: 'a list of one card transaction or more',
  minItems: 1,
  examples: [
    [
      {
        transactionDate: storyDays.lastBankingDay,
        bookingDate: storyDays.lastBankingDay,
        transactionAmount: { amount: '120.00', currency: 'NOK' },
        transactionDetails: 'Kaffebrenneriet',
      },
    ],
  ],
});

type CardTransaction = Static<typeof cardTransactionItem>;

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
