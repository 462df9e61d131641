import { formatInstant } from '../../engine/core/instant.ts';
import type { AdvanceReport } from '../../engine/operations/advance-clock.ts';
import { withShownInstant } from './shown.ts';

/** The story of an advance on the wire. */
export function shownAdvance({ from, to, runs, skippedEmptyRuns }: AdvanceReport): object {
  return { from: formatInstant(from), to: formatInstant(to), runs: runs.map(withShownInstant), skippedEmptyRuns };
}
