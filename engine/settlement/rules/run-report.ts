import type { Instant } from '../../values/instant.ts';

/** What one run did, as counts. */
export interface RunCounts {
  readonly settled: number;
  readonly retried: number;
  readonly rejected: number;
  readonly booked: number;
  /** Occurrences of standing orders scheduled for a later day. */
  readonly registered: number;
}

/** One run as the control plane reports it. */
export interface RunReport extends RunCounts {
  readonly id: string;
  readonly at: Instant;
}
