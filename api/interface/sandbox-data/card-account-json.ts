import { cardBalancesOf } from '../../../engine/cards/rules/card-balances.ts';
import type { CardAccount } from '../../../engine/cards/rows/card-accounts.ts';
import type { CardDetails } from '../../../engine/cards/open-card-account.ts';
import { cardAmount } from '../cards/card-account-json.ts';
import { link } from '../../pipeline/links.ts';

/** real-api-facts.md 10: POST and GET /v1/sandbox/card-accounts. EXPECTED is the opening balance and all transactions. */
export function sandboxCardAccount(card: CardAccount) {
  const self = `/v1/sandbox/card-accounts/${card.resource_id}`;
  const { expected } = cardBalancesOf(card.sum_minor, card.credit_limit_minor);
  return {
    resourceId: card.resource_id,
    customerNumber: card.customer_number,
    maskedPan: card.masked_pan,
    currency: card.currency,
    name: card.name,
    ...(card.product !== null && { product: card.product }),
    creditLimit: cardAmount(card, card.credit_limit_minor),
    balances: [{ balanceType: 'EXPECTED', balanceAmount: cardAmount(card, expected) }],
    ...(JSON.parse(card.details) as CardDetails),
    _links: {
      self: link(self, 'GET', 'DELETE'),
      transactions: link(`${self}/transactions`, 'GET', 'POST', 'DELETE'),
    },
  };
}
