import type { Fault } from '../../values/fault.ts';
import { awaitsSignature, type TransactionStatus } from '../../values/transaction-status.ts';

/** A payment requested for a signing basket. */
export interface BasketCandidate {
  /** Path in the request: `paymentIds[0]`. */
  readonly path: string;
  readonly status: TransactionStatus;
  /** Whether the PSU of the basket may sign it. */
  readonly isOfPsu: boolean;
  /** The holder of the debtor account: the PSU, or the corporation of an agreement. */
  readonly ownerId: number;
  /**
   * The id of the open basket that holds it, which belongs to the same TPP (rules.md P12b); null outside of baskets.
   */
  readonly openBasketId: string | null;
}

/**
 * Checks that one SCA can sign these payments (interface: Endpoints, rule 5). REFERENCE_STATUS_INVALID: a payment takes
 * no signature. RESOURCE_BLOCKED: it is in another open basket. REFERENCE_MIX_INVALID: the PSU may not sign it, or its
 * account has another holder than the first one's. Services and products may be mixed.
 */
export function checkBasketChoice(candidates: readonly BasketCandidate[]): readonly Fault[] {
  const [first] = candidates;
  return candidates.flatMap(({ path, status, isOfPsu, ownerId, openBasketId }): readonly Fault[] => {
    if (!awaitsSignature(status)) {
      const text = `The payment is ${status}: it takes no further signature. Leave it out.`;
      return [{ code: 'REFERENCE_STATUS_INVALID', path, text }];
    }
    if (openBasketId !== null) {
      const text = `The payment waits in the signing basket ${openBasketId}. Sign that one, or leave this payment out.`;
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

/** From the most negative to the most positive: failed, waiting for the PSU, waiting for the bank, paid. */
const byMerit: readonly TransactionStatus[] = [
  'RJCT',
  'CANC',
  'RCVD',
  'PATC',
  'ACTC',
  'ACCP',
  'ACFC',
  'PDNG',
  'ACSP',
  'ACWC',
  'PART',
  'ACWP',
  'ACSC',
  'ACCC',
];

/**
 * The status of a signing basket: the most negative of its payments' statuses, at least one (interface: Transitions).
 */
export function basketStatus(statuses: readonly TransactionStatus[]): TransactionStatus {
  return statuses.reduce((worst, status) => (byMerit.indexOf(status) < byMerit.indexOf(worst) ? status : worst));
}
