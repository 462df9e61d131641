import type { Fault } from '../../values/fault.ts';
import { awaitsSignature, type TransactionStatus } from '../../settlement/rules/transaction-status.ts';

/** A payment that is to go into a signing basket. */
export interface BasketCandidate {
  /** Where the request names it: `paymentIds[0]`. */
  readonly path: string;
  readonly status: TransactionStatus;
  /** Whether it is one that the PSU of the basket can sign. */
  readonly isOfPsu: boolean;
  /** Whose account pays: the PSU's own, or the other party of an agreement. */
  readonly ownerId: number;
  readonly isInOpenBasket: boolean;
}

/**
 * What stands against signing these payments with one SCA (interface: Endpoints, rule 5). One SCA has one PSU and one
 * context: REFERENCE_MIX_INVALID. A payment that takes no signature any more: REFERENCE_STATUS_INVALID. One that waits
 * in another basket: RESOURCE_BLOCKED. Services and products mix freely: the interface asks for payments only.
 */
export function checkBasketChoice(candidates: readonly BasketCandidate[]): readonly Fault[] {
  const [first] = candidates;
  return candidates.flatMap(({ path, status, isOfPsu, ownerId, isInOpenBasket }): readonly Fault[] => {
    if (!awaitsSignature(status)) {
      const text = `The payment is ${status}: it takes no further signature. Leave it out.`;
      return [{ code: 'REFERENCE_STATUS_INVALID', path, text }];
    }
    if (isInOpenBasket) {
      const text = 'The payment waits in another signing basket. Sign that one, or leave this payment out.';
      return [{ code: 'RESOURCE_BLOCKED', path, text }];
    }
    if (!isOfPsu) {
      const text =
        'The payment belongs to another PSU, and the one of this basket cannot sign it. A signing basket is tied to one ' +
        'PSU: make two.';
      return [{ code: 'REFERENCE_MIX_INVALID', path, text }];
    }
    if (ownerId === first?.ownerId) return [];
    const text =
      'The payment is made from an account of another owner than the first one, and one SCA has one context, ' +
      'private or one agreement. Make a basket for each.';
    return [{ code: 'REFERENCE_MIX_INVALID', path, text }];
  });
}
