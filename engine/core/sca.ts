import type { Fault } from './fault.ts';
import type { Instant } from './instant.ts';

/** How long an SCA link lives, in ms of the wall clock (rules.md A4b). */
export const scaLifetime = 15 * 60 * 1000;

/** Why an SCA can no longer be used, or null: it ended (SCA_INVALID) or its link is too old (SCA_EXPIRED). */
export function judgeSca(
  sca: { readonly createdAt: Instant; readonly hasEnded: boolean },
  wall: Instant,
): Fault | null {
  if (sca.hasEnded) {
    const text = 'This SCA has ended: its link works once. Start a new authorisation.';
    return { code: 'SCA_INVALID', text };
  }
  if (wall - sca.createdAt <= scaLifetime) return null;
  return { code: 'SCA_EXPIRED', text: 'This SCA link is older than 15 minutes. Start a new authorisation.' };
}
