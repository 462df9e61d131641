import { Refusal } from '../../core/fault.ts';
import { countedSince, judgeUnattendedRead, type CountedRead } from '../../core/unattended-access.ts';
import { insertUnattendedRead, unattendedReads } from '../../ledger/unattended-reads.ts';
import type { AccountAccess } from './account-access.ts';

/**
 * Counts one read of an account or card account without the PSU; the fifth of its kind in 24 hours is ACCESS_EXCEEDED (rules.md A8). With the
 * PSU nothing is counted. A read that is refused in the end was none: its transaction is undone.
 */
export async function countRead(
  access: AccountAccess,
  account: { readonly resource_id: string },
  kind: CountedRead,
): Promise<void> {
  const { counting, psuKey, now } = access;
  if (counting === null) return;
  const counted = { psuKey, accountId: account.resource_id, kind };
  const fault = judgeUnattendedRead(kind, await unattendedReads(counting, counted, countedSince(now)), now);
  if (fault !== null) throw new Refusal(fault);
  await insertUnattendedRead(counting, counted, now);
}
