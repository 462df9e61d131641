import * as Type from 'typebox';
import { remittanceInformationStructuredArray } from '../../bodies/remittance.ts';
import { closed, meaning } from '../../bodies/schema.ts';
import { currency, date } from '../../bodies/values.ts';
import { amount, id, links, namedAccount, text } from '../answer-parts.ts';

/* Answers about transactions of accounts; transaction-json.ts makes them. */

const some = Type.Optional(text);

const exchange = closed(
  {
    instructedAmount: Type.Optional(amount),
    sourceCurrency: currency,
    targetCurrency: currency,
    unitCurrency: meaning('The currency of which one unit is worth the rate.', currency),
    exchangeRate: Type.String({ description: 'a decimal number above zero, as a string', examples: ['11.8305'] }),
    quotationDate: date,
  },
  { title: 'CurrencyExchange', description: 'An exchange between two currencies.' },
);

const batchPart = closed(
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
  remittanceInformationStructuredArray: Type.Optional(remittanceInformationStructuredArray),
  creditorId: some,
  creditorName: some,
  creditorAccount: Type.Optional(namedAccount),
  creditorAgent: Type.Optional(Type.String({ description: "the BIC of the creditor's bank" })),
  ultimateCreditor: some,
  debtorName: some,
  debtorAccount: Type.Optional(namedAccount),
  debtorAgent: Type.Optional(Type.String({ description: "the BIC of the debtor's bank" })),
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
  batchNumberOfTransactions: Type.Optional(
    Type.Integer({ description: 'how many transfers the batch has', minimum: 1 }),
  ),
  entryDetails: Type.Optional(
    Type.Array(batchPart, {
      description: 'The transfers of the batch, when one transaction is read.',
      minItems: 1,
    }),
  ),
};

const common = {
  transactionAmount: meaning('A credit above zero, a debit below.', amount),
  ...transactionDetails,
  remittanceInformationUnstructuredArray: Type.Optional(
    Type.Array(text, { description: 'The text of the payment.', minItems: 1, maxItems: 1 }),
  ),
};

const bookedTransaction = closed(
  { transactionId: id, bookingDate: date, valueDate: date, ...common },
  { title: 'BookedTransaction', description: 'A transaction that a run has booked. It never changes.' },
);

const pendingTransaction = closed(common, {
  title: 'PendingTransaction',
  description: 'A transaction that no run has booked yet, without an id and dates.',
});

export const transactionReportAnswer = closed(
  {
    account: namedAccount,
    transactions: closed(
      {
        booked: Type.Optional(Type.Array(bookedTransaction, { description: 'The newest first.' })),
        pending: Type.Optional(Type.Array(pendingTransaction, { description: 'All that are pending.' })),
        _links: links(['self'], ['next', 'previous']),
      },
      { description: 'One page; a list that bookingStatus excludes is left out.' },
    ),
  },
  { title: 'TransactionReport', description: 'Transactions of one account.' },
);

export const transactionAnswer = closed(
  { transactionsDetails: bookedTransaction },
  { title: 'TransactionDetails', description: 'One transaction, with the transfers of a batch.' },
);
