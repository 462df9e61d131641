import { bankState } from '../bank/rows/bank-state.ts';
import type { LedgerImage } from '../bank/snapshots.ts';
import type { Reader } from '../ledger/database.ts';
import { addDuration } from '../values/duration.ts';
import { findSenselessValue } from './rows/column-values.ts';
import { findContradiction, findMissingPart } from './rows/contradictions.ts';

/** Maximum time between the last run and the image: a server that was off catches up before it answers. */
const maxGap = { months: 120, days: 0, seconds: 0 };

/**
 * The first thing in the rows of an image that makes no sense, in a few words; else null (control-plane.md B2). The books are not
 * checked: a bundle may be there to show that they are wrong.
 */
export async function senselessIn(reader: Reader, { now }: Pick<LedgerImage, 'now'>): Promise<string | null> {
  const found =
    (await findSenselessValue(reader)) ?? (await findMissingPart(reader)) ?? (await findContradiction(reader));
  if (found !== null) return found;
  const { last_run_at: lastRun } = await bankState(reader);
  return lastRun <= now && now <= addDuration(lastRun, maxGap) ? null : 'its last run does not fit its clock';
}
