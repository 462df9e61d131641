import * as Type from 'typebox';
import { choice, closed, currency, date, maskedPan, meaning, name } from '../../bodies/schema.ts';
import { story, storyDays } from '../../bodies/story.ts';
import { amount, idLike, links, some } from '../answer-parts.ts';
import { transactionPageAnswer } from '../transaction-page.ts';

/* Answers about cards; card-json.ts makes them. */

const path = `/v1/card-accounts/${story.cardId}`;

const balances = Type.Array(
  closed(
    { balanceAmount: amount, balanceType: choice('which balance it is', ['forwardAvailable']) },
    { title: 'CardBalance', description: 'What may still be spent.' },
  ),
  { description: 'A list of one balance.', minItems: 1, maxItems: 1 },
);

export const cardAccount = closed(
  {
    resourceId: idLike(story.cardId),
    maskedPan,
    currency,
    product: Type.Optional(name),
    name,
    creditLimit: amount,
    balances: Type.Optional(balances),
    _links: links(path, ['self', 'balances', 'transactions']),
  },
  {
    title: 'CardAccount',
    description: 'A card account that the TPP may read.',
    examples: [{ product: 'Basic Credit', name: 'Kredittkort', creditLimit: { amount: '30000.00', currency: 'NOK' } }],
  },
);

export const cardListAnswer = closed(
  { cardAccounts: Type.Array(cardAccount, { description: 'The card accounts of the consent.' }) },
  { title: 'CardAccountList', description: 'The card accounts that the PSU has given consent to.' },
);

export const cardAnswer = closed({ cardAccount }, { title: 'OneCardAccount', description: 'One card account.' });

const card = closed({ maskedPan }, { description: 'Which card it is.' });

export const cardBalanceAnswer = closed(
  { cardAccount: card, balances, _links: links(`${path}/balances`, ['self']) },
  { title: 'CardBalanceReport', description: 'The balance of one card account.' },
);

/** A card transaction, in account information and in the test data. */
export const cardTransactionAnswer = closed(
  {
    cardTransactionId: idLike('enc!!Z-s_r67ypVBtesCWd4QAY4nxZbMjdiXiNL0PnHsZsQ=='),
    bookingDate: Type.Optional(meaning('Left out: the transaction is pending.', date)),
    transactionDate: date,
    transactionAmount: meaning('What the card is charged: a purchase above zero, a refund below.', amount),
    originalAmount: Type.Optional(meaning('The amount in the currency of the purchase.', amount)),
    terminalId: some,
    merchantCategoryCode: some,
    markupFee: Type.Optional(amount),
    markupFeePercentage: some,
    cardAcceptorId: some,
    cardAcceptorAddress: Type.Optional(
      closed(
        { street: some, buildingNumber: some, postalCode: some, city: some, country: some },
        { description: 'Where the goods were bought.' },
      ),
    ),
    maskedPan: some,
    transactionDetails: some,
    invoiced: Type.Boolean({ description: 'whether it is on an invoice' }),
    proprietaryBankTransactionCode: some,
  },
  {
    title: 'CardTransaction',
    description: 'A purchase or a refund.',
    examples: [
      {
        bookingDate: storyDays.lastBankingDay,
        transactionDate: storyDays.lastBankingDay,
        transactionAmount: { amount: '120.00', currency: 'NOK' },
        transactionDetails: 'Kaffebrenneriet',
        invoiced: false,
      },
    ],
  },
);

export const cardReportAnswer = closed(
  {
    cardAccount: card,
    cardTransactions: transactionPageAnswer(`${path}/transactions`, cardTransactionAnswer, cardTransactionAnswer),
  },
  { title: 'CardTransactionReport', description: 'Transactions of one card account.' },
);
