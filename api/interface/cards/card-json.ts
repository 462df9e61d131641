import type { AnswerValue } from '../../bodies/written.ts';
import type { cardAccount, cardBalanceAnswer, cardTransactionAnswer, cardReportAnswer } from './card-answers.ts';
import { cardBalancesOf, type CardTransactionDetails } from '../../../engine/cards/rules/card-transaction.ts';
import type { CardAccount, CardTransaction } from '../../../engine/cards/rows/cards.ts';
import type { CardTransactionReport } from '../../../engine/consents/list-transactions.ts';
import { formatAmount } from '../../../engine/values/money.ts';
import { link } from '../../pipeline/endpoint.ts';
import { transactionPage } from '../transaction-page.ts';

/** The path of a card account in account information. */
function cardAddress(card: CardAccount): string {
  return `/v1/card-accounts/${card.resource_id}`;
}

/** real-api-facts.md 9.5: one card account of GET /v1/card-accounts, without members that the card has no value for. */
export function cardAccountDetails(card: CardAccount, withBalance: boolean): AnswerValue<typeof cardAccount> {
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
export function cardBalanceReport(card: CardAccount): AnswerValue<typeof cardBalanceAnswer> {
  return {
    cardAccount: { maskedPan: card.masked_pan },
    balances: cardBalanceList(card),
    _links: { self: link(`${cardAddress(card)}/balances`, 'GET') },
  };
}

/** An amount in the card's currency, as JSON; `minor` in minor units. */
export function cardAmount({ currency }: Pick<CardAccount, 'currency'>, minor: bigint) {
  return { amount: formatAmount({ minor, currency }), currency };
}

function cardBalanceList(card: CardAccount): AnswerValue<typeof cardBalanceAnswer>['balances'] {
  const { forwardAvailable } = cardBalancesOf(card.sum_minor, card.credit_limit_minor);
  return [{ balanceAmount: cardAmount(card, forwardAvailable), balanceType: 'forwardAvailable' }];
}

/** real-api-facts.md 9.5: GET /v1/card-accounts/{id}/transactions. */
export function cardTransactionReport(report: CardTransactionReport): AnswerValue<typeof cardReportAnswer> {
  const { card } = report;
  const shown = (row: CardTransaction) => cardTransaction(card, row);
  return {
    cardAccount: { maskedPan: card.masked_pan },
    cardTransactions: transactionPage(`${cardAddress(card)}/transactions`, report, shown, shown),
  };
}

/**
 * One card transaction. transactionAmount is charged to the card, originalAmount is the amount of the purchase in its own
 * currency (interface: Versioning, cardaccount-switch-originalamount-and-transactionamount, on by default).
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
