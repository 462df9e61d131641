import * as Type from 'typebox';
import { sandboxMoney } from '../../bodies/amount.ts';
import { closed, meaning, type Static } from '../../bodies/schema.ts';
import { storyDays } from '../../bodies/story.ts';
import { date, mockBookingDate, sandboxText } from '../../bodies/values.ts';

const text = Type.Optional(sandboxText);

/** An empty text means unknown. Amounts are parsed by parseSandboxAmount. */
const cardTransaction = closed(
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
export const cardTransactionsBody = Type.Array(cardTransaction, {
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

export type CardTransaction = Static<typeof cardTransaction>;
