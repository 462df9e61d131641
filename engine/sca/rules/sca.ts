import type { Fault } from '../../values/fault.ts';
import type { Instant } from '../../values/instant.ts';
import type { TransactionStatus } from '../../values/transaction-status.ts';

/** Lifetime of an SCA link in ms of the wall clock (rules.md A4b). */
export const scaLifetime = 15 * 60 * 1000;

/** The number of wrong national identity numbers that ends an SCA (rules.md A2c). */
export const wrongNumbersAllowed = 3;

/** How an SCA ends. It fails when it is answered after its payment, PSU or agreement is gone (rules.md D2, P12). */
export type ScaOutcome = 'approved' | 'cancelled' | 'failed';

const ends: Readonly<Record<ScaOutcome, string>> = {
  approved: 'it was approved, and its link works once',
  cancelled: 'it was cancelled by the PSU, and its link works once',
  failed: 'it failed, and its link works once',
};

/**
 * Why an SCA can no longer be used, or null. It has ended: SCA_INVALID, with the payment's current status in the text.
 * Its link is older than 15 minutes: SCA_EXPIRED.
 */
export function checkSca(
  sca: {
    readonly createdAt: Instant;
    readonly outcome: ScaOutcome | null;
    /** Status of its payment; null without a payment. */
    readonly status: TransactionStatus | null;
  },
  wall: Instant,
): Fault | null {
  if (sca.outcome !== null) {
    const end = sca.status === 'CANC' ? 'the payment is cancelled' : ends[sca.outcome];
    const payment = sca.status === null || sca.status === 'CANC' ? '' : ` The payment is ${sca.status} by now.`;
    return {
      code: 'SCA_INVALID',
      text: `This SCA has ended: ${end}.${payment} Start a new authorisation if one is needed.`,
    };
  }
  return wall - sca.createdAt <= scaLifetime ? null : scaExpired;
}

/** Fault of an SCA link that has run out (rules.md A4b). */
export const scaExpired: Fault = {
  code: 'SCA_EXPIRED',
  text: 'This SCA link is older than 15 minutes. Start a new authorisation.',
};

/** The latest start of an SCA whose link has run out at `wall`. */
export function expiredStart(wall: Instant): Instant {
  return (wall - scaLifetime - 1) as Instant;
}
