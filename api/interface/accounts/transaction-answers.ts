import * as Type from 'typebox';
import { remittanceInformationStructuredArray } from '../../bodies/remittance.ts';
import { closed, currency, date, integer, meaning, text } from '../../bodies/schema.ts';
import { story, storyDays } from '../../bodies/examples.ts';
import { amount, anyText, namedAccount, some, transactionId } from '../answer-parts.ts';
import { transactionPageAnswer } from '../transaction-page.ts';

/* Answers about transactions of accounts; account-answers.ts makes them. */

export const exchange = closed(
  {
    instructedAmount: Type.Optional(amount),
    sourceCurrency: currency,
    targetCurrency: currency,
    unitCurrency: meaning('The currency of which one unit is worth the rate.', currency),
    exchangeRate: text('a decimal number above zero, as a string', '11.8305'),
    quotationDate: date,
  },
  { title: 'CurrencyExchange', description: 'An exchange between two currencies.' },
);

export const batchPart = closed(
  {
    transactionAmount: amount,
    creditorName: some,
    creditorAccount: Type.Optional(namedAccount),
    ultimateDebtor: some,
    remittanceInformationUnstructured: some,
    remittanceInformationStructuredArray: Type.Optional(remittanceInformationStructuredArray),
  },
  { title: 'EntryDetails', description: 'One transfer of a batch; its dates are those of the batch.' },
);

/** A transaction besides its amount and dates, in account information and in the test data. */
export const transactionDetails = {
  remittanceInformationUnstructured: some,
  remittanceInformationUnstructuredArray: Type.Optional(
    Type.Array(anyText, { description: 'The texts of the transaction.', minItems: 1, maxItems: 4 }),
  ),
  remittanceInformationStructuredArray: Type.Optional(remittanceInformationStructuredArray),
  creditorId: some,
  creditorName: some,
  creditorAccount: Type.Optional(namedAccount),
  creditorAgent: Type.Optional(text("the BIC of the creditor's bank")),
  ultimateCreditor: some,
  debtorName: some,
  debtorAccount: Type.Optional(namedAccount),
  debtorAgent: Type.Optional(text("the BIC of the debtor's bank")),
  ultimateDebtor: some,
  purposeCode: some,
  bankTransactionCode: some,
  proprietaryBankTransactionCode: some,
  mandateId: some,
  additionalInformation: some,
  additionalInformationProprietaryX: some,
  originalAmount: Type.Optional(meaning('The amount in the currency of the payment.', amount)),
  currencyExchange: Type.Optional(Type.Array(exchange, { description: 'How the amount was exchanged.', minItems: 1 })),
  batchIndicator: Type.Optional(Type.Boolean({ description: 'whether it is a batch' })),
  batchNumberOfTransactions: Type.Optional(integer('how many transfers the batch has', { minimum: 1 })),
  entryDetails: Type.Optional(
    Type.Array(batchPart, {
      description: 'The transfers of the batch, when one transaction is read.',
      minItems: 1,
    }),
  ),
};

/* In the example of a transaction. */
export const shownDates = { bookingDate: storyDays.lastBankingDay, valueDate: storyDays.lastBankingDay };
export const shownDetails = {
  creditorName: 'Aftenposten',
  creditorAccount: { bban: story.creditorBban },
};

const common = {
  transactionAmount: meaning('A credit above zero, a debit below.', amount),
  ...transactionDetails,
};

export const bookedTransaction = closed(
  { transactionId, bookingDate: date, valueDate: date, ...common },
  {
    title: 'BookedTransaction',
    description: 'A transaction that a run has booked. It never changes.',
    examples: [{ ...shownDates, transactionAmount: { amount: '-1500.00', currency: 'NOK' }, ...shownDetails }],
  },
);

export const pendingTransaction = closed(common, {
  title: 'PendingTransaction',
  description: 'A transaction that no run has booked yet, without an id and dates.',
});

export const transactionReportAnswer = closed(
  {
    account: namedAccount,
    transactions: transactionPageAnswer(
      `/v1/accounts/${story.accountId}/transactions`,
      bookedTransaction,
      pendingTransaction,
    ),
  },
  { title: 'TransactionReport', description: 'Transactions of one account.' },
);

export const transactionAnswer = closed(
  { transactionsDetails: bookedTransaction },
  { title: 'TransactionDetails', description: 'One transaction, with the transfers of a batch.' },
);
