import { choice, closed, flag, listOf, meaning, optional, titled } from '../../bodies/schema.ts';
import { currency, date, maskedPan, name } from '../../bodies/values.ts';
import { story, storyDays } from '../../bodies/examples.ts';
import { amount, idLike, resourceId, links, some } from '../answer-parts.ts';
import { transactionPageAnswer, transactionPage } from '../transaction-page.ts';
import type { AnswerValue } from '../../bodies/written.ts';
import type { CardTransactionDetails } from '../../../engine/cards/rules/card-transaction.ts';
import type { CardAccount, CardTransaction } from '../../../engine/cards/rows/cards.ts';
import { type CardTransactionReport, listCardTransactions } from '../../../engine/consents/list-transactions.ts';
import { listCardAccounts, readCardAccount } from '../../../engine/consents/read-account.ts';
import { assert } from '../../../engine/values/assert.ts';
import { formattedAmount } from '../../../engine/values/money.ts';
import { endpoint, link } from '../../pipeline/endpoint.ts';
import { accountRequest, balanceParameters, reportParameters, reportQuery } from '../accounts/account-request.ts';

const path = `/v1/card-accounts/${story.cardId}`;

const balances = listOf(
  titled('CardBalance', 'What may still be spent.').closed({
    balanceAmount: amount,
    balanceType: choice('which balance it is', ['forwardAvailable']),
  }),
  'A list of one balance.',
  { minItems: 1, maxItems: 1 },
);

const cardAccount = titled('CardAccount', 'A card account that the TPP may read.', {
  examples: [{ product: 'Basic Credit', name: 'Kredittkort', creditLimit: { amount: '30000.00', currency: 'NOK' } }],
}).closed({
  resourceId: resourceId(story.cardId),
  maskedPan,
  currency,
  product: optional(name),
  name,
  creditLimit: amount,
  balances: optional(balances),
  _links: links(path, ['self', 'balances', 'transactions']),
});

const cardListAnswer = titled('CardAccountList', 'The card accounts that the PSU has given consent to.').closed({
  cardAccounts: listOf(cardAccount, 'The card accounts of the consent.'),
});

const cardAnswer = titled('OneCardAccount', 'One card account.').closed({ cardAccount });

const card = closed({ maskedPan }, { description: 'Which card it is.' });

const cardBalanceAnswer = titled('CardBalanceReport', 'The balance of one card account.').closed({
  cardAccount: card,
  balances,
  _links: links(`${path}/balances`, ['self']),
});

const cardExample = {
  transactionDate: storyDays.lastBankingDay,
  transactionAmount: { amount: '120.00', currency: 'NOK' },
  transactionDetails: 'Kaffebrenneriet',
  invoiced: false,
};
const bookedExample = { bookingDate: storyDays.lastBankingDay, ...cardExample };

const cardTransactionMembers = {
  cardTransactionId: idLike('enc!!Z-s_r67ypVBtesCWd4QAY4nxZbMjdiXiNL0PnHsZsQ=='),
  transactionDate: date,
  transactionAmount: meaning('What the card is charged: a purchase above zero, a refund below.', amount),
  originalAmount: optional(meaning('The amount in the currency of the purchase.', amount)),
  terminalId: some,
  merchantCategoryCode: some,
  markupFee: optional(amount),
  markupFeePercentage: some,
  cardAcceptorId: some,
  cardAcceptorAddress: optional(
    closed(
      { street: some, buildingNumber: some, postalCode: some, city: some, country: some },
      { description: 'Where the goods were bought.' },
    ),
  ),
  maskedPan: some,
  transactionDetails: some,
  invoiced: flag('whether it is on an invoice'),
  proprietaryBankTransactionCode: some,
};

/** A card transaction of the test data. */
export const cardTransactionAnswer = titled('CardTransactionOfTestData', 'A purchase or a refund.', {
  examples: [bookedExample],
}).closed({
  ...cardTransactionMembers,
  bookingDate: optional(meaning('Left out: the transaction is pending.', date)),
});

const bookedCardTransaction = titled('BookedCardTransaction', 'A purchase or a refund that is booked.', {
  examples: [bookedExample],
}).closed({ ...cardTransactionMembers, bookingDate: date });

const pendingCardTransaction = titled('PendingCardTransaction', 'A purchase or a refund that is not booked yet.', {
  examples: [cardExample],
}).closed(cardTransactionMembers);

const cardReportAnswer = titled('CardTransactionReport', 'Transactions of one card account.').closed({
  cardAccount: card,
  cardTransactions: transactionPageAnswer(`${path}/transactions`, bookedCardTransaction, pendingCardTransaction),
});

const common = { role: 'PSP_AI' } as const;
const one = { ...common, names: 'account' } as const;

/** real-api-facts.md 9.5: card accounts. Consents cover them like other accounts. */
export const cardAccounts = [
  endpoint('GET /card-accounts', {
    ...common,
    summary: 'List the card accounts of a consent',
    answers: { 200: cardListAnswer },
    query: balanceParameters,
    handle: async (call) => {
      const wanted = call.query.onlyFlag('withBalance');
      const found = await listCardAccounts(call.bank, accountRequest(call), wanted);
      return { status: 200, body: { cardAccounts: found.map((card) => cardAccountDetails(card, wanted)) } };
    },
  }),
  endpoint('GET /card-accounts/:cardId', {
    ...one,
    summary: 'Read a card account',
    answers: { 200: cardAnswer },
    query: balanceParameters,
    handle: async (call) => {
      const wanted = call.query.onlyFlag('withBalance');
      const card = await readCardAccount(call.bank, accountRequest(call), call.params.cardId, wanted);
      return { status: 200, body: { cardAccount: cardAccountDetails(card, wanted) } };
    },
  }),
  endpoint('GET /card-accounts/:cardId/balances', {
    ...one,
    summary: 'Read the balance of a card account',
    answers: { 200: cardBalanceAnswer },
    handle: async (call) => {
      const card = await readCardAccount(call.bank, accountRequest(call), call.params.cardId, true);
      return { status: 200, body: cardBalanceReport(card) };
    },
  }),
  endpoint('GET /card-accounts/:cardId/transactions', {
    ...one,
    summary: 'List transactions of a card account',
    answers: { 200: cardReportAnswer },
    query: reportParameters,
    faultPaths: { PARAMETER_NOT_CONSISTENT: 'dateFrom', PERIOD_INVALID: 'dateFrom' },
    handle: async (call) => {
      const query = reportQuery(call.query);
      const report = await listCardTransactions(call.bank, accountRequest(call), call.params.cardId, query);
      return { status: 200, body: cardTransactionReport(report) };
    },
  }),
];

/** The path of a card account in account information. */
function cardAddress(card: CardAccount): string {
  return `/v1/card-accounts/${card.resource_id}`;
}

/** real-api-facts.md 9.5: one card account of GET /v1/card-accounts, without members that the card has no value for. */
function cardAccountDetails(card: CardAccount, withBalance: boolean): AnswerValue<typeof cardAccount> {
  const self = cardAddress(card);
  return {
    resourceId: card.resource_id,
    maskedPan: card.masked_pan,
    currency: card.currency,
    ...(card.product !== null && { product: card.product }),
    name: card.name,
    creditLimit: cardAmount(card, card.credit_limit_minor),
    ...(withBalance && { balances: cardBalanceList(card) }),
    _links: {
      self: link(self, 'GET'),
      balances: link(`${self}/balances`, 'GET'),
      transactions: link(`${self}/transactions?bookingStatus=both`, 'GET'),
    },
  };
}

/** real-api-facts.md 9.5: GET /v1/card-accounts/{id}/balances. */
function cardBalanceReport(card: CardAccount): AnswerValue<typeof cardBalanceAnswer> {
  return {
    cardAccount: { maskedPan: card.masked_pan },
    balances: cardBalanceList(card),
    _links: { self: link(`${cardAddress(card)}/balances`, 'GET') },
  };
}

/** An amount in the card's currency, as JSON; `minor` in minor units. */
export function cardAmount({ currency }: Pick<CardAccount, 'currency'>, minor: bigint) {
  return formattedAmount({ minor, currency });
}

function cardBalanceList(card: CardAccount): AnswerValue<typeof cardBalanceAnswer>['balances'] {
  // What the customer can still spend (real-api-facts.md 9.5): the sum is below zero if the customer owes.
  return [
    { balanceAmount: cardAmount(card, card.credit_limit_minor + card.sum_minor), balanceType: 'forwardAvailable' },
  ];
}

/** real-api-facts.md 9.5: GET /v1/card-accounts/{id}/transactions. */
function cardTransactionReport(report: CardTransactionReport): AnswerValue<typeof cardReportAnswer> {
  const { card } = report;
  const shown = (row: CardTransaction) => cardTransaction(card, row);
  const booked = (row: CardTransaction) => {
    assert(row.booking_date !== null, 'the transaction is booked');
    return { ...shown(row), bookingDate: row.booking_date };
  };
  return {
    cardAccount: { maskedPan: card.masked_pan },
    cardTransactions: transactionPage(`${cardAddress(card)}/transactions`, report, booked, shown),
  };
}

/**
 * One card transaction. transactionAmount is charged to the card, originalAmount is the amount of the purchase in its
 * own currency (interface: Versioning, cardaccount-switch-originalamount-and-transactionamount, on by default).
 */
export function cardTransaction(
  card: Pick<CardAccount, 'currency'>,
  row: CardTransaction,
): AnswerValue<typeof cardTransactionAnswer> {
  const details = JSON.parse(row.details) as CardTransactionDetails;
  const { original_minor: original, original_currency: currency } = row;
  return {
    cardTransactionId: row.card_transaction_id,
    ...(row.booking_date !== null && { bookingDate: row.booking_date }),
    transactionDate: row.transaction_date,
    transactionAmount: cardAmount(card, row.amount_minor),
    ...(original !== null && currency !== null && { originalAmount: cardAmount({ currency }, original) }),
    ...details,
    invoiced: details.invoiced ?? false,
  };
}
