import type { CardTransactionDetails } from '../../../engine/cards/rules/card-transaction.ts';
import type { CardAccount } from '../../../engine/cards/rows/card-accounts.ts';
import type { CardTransaction } from '../../../engine/cards/rows/card-transactions.ts';
import type { CardTransactionReport } from '../../../engine/consents/list-card-transactions.ts';
import { cardAddress, cardAmount } from './card-account-json.ts';
import { pageLinks } from '../page-links.ts';

/** real-api-facts.md 9.5: GET /v1/card-accounts/{id}/transactions. A list that was not asked for is left out. */
export function cardTransactionReport({ card, booked, pending, query, hasNext }: CardTransactionReport) {
  const shown = (row: CardTransaction) => cardTransaction(card, row);
  return {
    cardAccount: { maskedPan: card.masked_pan },
    cardTransactions: {
      ...(booked !== null && { booked: booked.map(shown) }),
      ...(pending !== null && { pending: pending.map(shown) }),
      _links: pageLinks(`${cardAddress(card)}/transactions`, query, hasNext),
    },
  };
}

/**
 * One transaction of a card. transactionAmount is what the card is charged, originalAmount what was paid where it was
 * bought (interface: Versioning, the switch of the two that is default by now).
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
