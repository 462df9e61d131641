import type { Instant } from '../../core/instant.ts';
import type { RunCounts } from '../../ledger/settlement-runs.ts';

/** One run as the control plane tells it. */
export interface RunReport extends RunCounts {
  readonly id: string;
  readonly at: Instant;
}
