import type { CardTransactionDetails } from '../../../engine/cards/rules/card-transaction.ts';
import type { CardAccount } from '../../../engine/cards/rows/card-accounts.ts';
import type { CardTransaction } from '../../../engine/cards/rows/card-transactions.ts';
import type { CardTransactionReport } from '../../../engine/consents/list-card-transactions.ts';
import { cardAddress, cardAmount } from './card-account-json.ts';
import { pageLinks } from '../page-links.ts';

/** real-api-facts.md 9.5: GET /v1/card-accounts/{id}/transactions. Leaves out a list that bookingStatus excludes. */
export function cardTransactionReport(report: CardTransactionReport) {
  const { card, booked, pending } = report;
  const formatted = (row: CardTransaction) => cardTransaction(card, row);
  return {
    cardAccount: { maskedPan: card.masked_pan },
    cardTransactions: {
      ...(booked !== null && { booked: booked.map(formatted) }),
      ...(pending !== null && { pending: pending.map(formatted) }),
      _links: pageLinks(`${cardAddress(card)}/transactions`, report),
    },
  };
}

/**
 * One card transaction. transactionAmount is charged to the card, originalAmount is the amount of the purchase in its own
 * currency (interface: Versioning, cardaccount-switch-originalamount-and-transactionamount, on by default).
 */
export function cardTransaction(card: Pick<CardAccount, 'currency'>, row: CardTransaction) {
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
