import { formatInstant } from '../../../engine/values/instant.ts';
import type { AdvanceReport } from '../../../engine/runs/advance-clock.ts';
import { withFormattedInstant } from '../format.ts';

/** The story of an advance on the wire. */
export function formatAdvance({ from, to, runs, skippedEmptyRuns }: AdvanceReport): object {
  return { from: formatInstant(from), to: formatInstant(to), runs: runs.map(withFormattedInstant), skippedEmptyRuns };
}
