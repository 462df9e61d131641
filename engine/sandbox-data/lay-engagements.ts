import { assert } from '../values/assert.ts';
import { insertEngagement } from '../parties/rows/engagements.ts';
import type { Transaction } from '../ledger/database.ts';
import type { EngagementWanted, JudgedEngagements } from './judge-engagements.ts';

/** Writes judged engagements; every one of those wanted has passed. */
export async function layEngagements(
  tx: Transaction,
  agreementId: number,
  wanted: readonly EngagementWanted[],
  { engagements }: JudgedEngagements,
): Promise<void> {
  for (const [index, { roles }] of wanted.entries()) {
    const engaged = engagements[index];
    assert(engaged !== undefined, 'engagements are laid when none of them has a fault');
    await insertEngagement(tx, {
      agreement_id: agreementId,
      customer_id: engaged.psu.id,
      account_id: engaged.account.id,
      may_view: roles.includes('VIEW') ? 1 : 0,
      may_register: roles.includes('REGISTER') ? 1 : 0,
    });
  }
}
