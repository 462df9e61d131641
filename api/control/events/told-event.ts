import type { Happening } from '../../../engine/bank/outlet.ts';
import type { Instant } from '../../../engine/values/instant.ts';

/** The kinds of the bank's own events. */
export const bankKinds = ['payment', 'run', 'clock', 'sca', 'reset'] as const;

/** A request under /v1 that was answered, or broken off by its client. */
export interface RequestTold {
  readonly kind: 'request';
  /** Bank time of its arrival; null when the ledger could not be read. */
  readonly at: Instant | null;
  /** Key of its journal entry (rules.md G11). */
  readonly requestId: string;
  readonly method: string | null;
  /** Without identity numbers; cut when it is long. */
  readonly target: string | null;
  readonly verdict: 'accepted' | 'refused';
  readonly status: number | null;
  readonly code: string | null;
}

/** The client missed events that are no longer kept: what it knows of the bank may be old. */
interface MissedTold {
  readonly kind: 'reset';
  readonly at: Instant | null;
  readonly cause: 'events missed';
}

/** What the stream tells. */
export type ToldEvent = Extract<Happening, { readonly kind: (typeof bankKinds)[number] }> | RequestTold | MissedTold;
