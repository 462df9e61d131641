import { basketStatus } from '../../../engine/approval/rules/basket-status.ts';
import { awaitsSignature } from '../../../engine/settlement/rules/transaction-status.ts';
import type { BasketView } from '../../../engine/approval/read-signing-basket.ts';
import { link } from '../../pipeline/links.ts';
import { visibleStatus } from '../visible-status.ts';

/** real-api-facts.md 7. `startAuthorisation` is there as long as the basket can be signed; nothing deletes a basket. */
export function signingBasket({ basket, payments }: BasketView) {
  const self = `/v1/signing-baskets/${basket.resource_id}`;
  const isOpen = basket.signed_at === null && payments.some(({ status }) => awaitsSignature(status));
  return {
    basketId: basket.resource_id,
    transactionStatus: basketStatus(payments.map(visibleStatus)),
    paymentIds: payments.map((payment) => payment.resource_id),
    _links: {
      self: link(self, 'GET'),
      ...(isOpen && { startAuthorisation: link(`${self}/authorisations`, 'POST') }),
    },
  };
}
