import * as Type from 'typebox';
import { choice, closed, meaning } from '../../bodies/schema.ts';
import { currency, date, maskedPan, name } from '../../bodies/values.ts';
import { amount, id, links, text } from '../answer-parts.ts';

/* Answers about cards; card-account-json.ts and card-transaction-json.ts make them. */

const some = Type.Optional(text);

const balances = Type.Array(
  closed(
    { balanceAmount: amount, balanceType: choice('which balance it is', ['forwardAvailable']) },
    { title: 'CardBalance', description: 'What may still be spent.' },
  ),
  { description: 'A list of one balance.', minItems: 1, maxItems: 1 },
);

const cardAccount = closed(
  {
    resourceId: id,
    maskedPan,
    currency,
    product: Type.Optional(name),
    name,
    creditLimit: amount,
    balances: Type.Optional(balances),
    _links: links(['self', 'balances', 'transactions']),
  },
  { title: 'CardAccount', description: 'A card account that the TPP may read.' },
);

export const cardListAnswer = closed(
  { cardAccounts: Type.Array(cardAccount, { description: 'The card accounts of the consent.' }) },
  { title: 'CardAccountList', description: 'The card accounts that the PSU has given consent to.' },
);

export const cardAnswer = closed({ cardAccount }, { title: 'OneCardAccount', description: 'One card account.' });

const card = closed({ maskedPan }, { description: 'Which card it is.' });

export const cardBalanceAnswer = closed(
  { cardAccount: card, balances, _links: links(['self']) },
  { title: 'CardBalanceReport', description: 'The balance of one card account.' },
);

/** Of account information, and of the test data. */
export const cardTransactionAnswer = closed(
  {
    cardTransactionId: id,
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
  { title: 'CardTransaction', description: 'A purchase or a refund.' },
);

export const cardReportAnswer = closed(
  {
    cardAccount: card,
    cardTransactions: closed(
      {
        booked: Type.Optional(Type.Array(cardTransactionAnswer, { description: 'The newest first.' })),
        pending: Type.Optional(Type.Array(cardTransactionAnswer, { description: 'All that are pending.' })),
        _links: links(['self'], ['next', 'previous']),
      },
      { description: 'One page; a list that bookingStatus excludes is left out.' },
    ),
  },
  { title: 'CardTransactionReport', description: 'Transactions of one card account.' },
);
