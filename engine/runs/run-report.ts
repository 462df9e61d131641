import type { Instant } from '../values/instant.ts';
import type { RunCounts } from '../settlement/rows/settlement-runs.ts';

/** One run as the control plane reports it. */
export interface RunReport extends RunCounts {
  readonly id: string;
  readonly at: Instant;
}
