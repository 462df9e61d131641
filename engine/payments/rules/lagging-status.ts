import type { TransactionStatus } from '../../settlement/rules/transaction-status.ts';
import type { Instant } from '../../values/instant.ts';
import { forcedCause } from './due-day.ts';

/** What a TPP reads while the status lags. */
export interface LaggingStatus {
  /** PATC: an earlier signature is shown. */
  readonly status: 'RCVD' | 'PATC';
  /** When the next signature is shown. */
  readonly until: Instant;
}

/** The lag in ms of bank time, and when the payment was signed, oldest first. */
interface Lag {
  readonly lag: number;
  readonly signedAt: readonly Instant[];
}

/**
 * What a TPP reads at `now` of a payment whose signatures are shown `lag` after their SCA (rules.md Q21). Null: its status does not lag,
 * as that of a cancelled payment and a forced one never do.
 */
export function laggingStatus(
  { status, forced_status: forced }: { readonly status: TransactionStatus; readonly forced_status: string | null },
  { lag, signedAt }: Lag,
  now: Instant,
): LaggingStatus | null {
  if (forced !== null || status === 'CANC') return null;
  const shown = signedAt.map((at) => (at + lag) as Instant);
  const until = shown.find((at) => at > now);
  if (until === undefined) return null;
  return { status: shown[0] === until ? 'RCVD' : 'PATC', until };
}

/** From when a TPP reads a line of the history: then, or when the last signature before it is shown. */
export function shownFrom(
  { status, at, cause }: { readonly status: TransactionStatus; readonly at: Instant; readonly cause: string },
  { lag, signedAt }: Lag,
): Instant {
  // RCVD may be as old as the first signature where the clock stands still.
  if (cause === forcedCause || status === 'CANC' || status === 'RCVD') return at;
  const last = signedAt.findLast((signed) => signed <= at);
  return last === undefined ? at : (Math.max(at, last + lag) as Instant);
}
