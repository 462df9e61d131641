import { cardBalancesOf } from '../../../engine/cards/rules/card-transaction.ts';
import { formatAmount } from '../../../engine/values/money.ts';
import type { CardAccount } from '../../../engine/cards/rows/card-accounts.ts';
import { link } from '../../pipeline/links.ts';

/** The path of a card account in account information. */
export function cardAddress(card: CardAccount): string {
  return `/v1/card-accounts/${card.resource_id}`;
}

/** real-api-facts.md 9.5: one card account of GET /v1/card-accounts, without members that the card has no value for. */
export function cardAccountDetails(card: CardAccount, withBalance: boolean) {
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
export function cardBalanceReport(card: CardAccount) {
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

function cardBalanceList(card: CardAccount) {
  const { forwardAvailable } = cardBalancesOf(card.sum_minor, card.credit_limit_minor);
  return [{ balanceAmount: cardAmount(card, forwardAvailable), balanceType: 'forwardAvailable' }];
}
