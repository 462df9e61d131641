import { refuseAny } from '../values/bounded-faults.ts';
import { engagementsIn } from '../parties/rows/engagements.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { requireCorporateAgreement } from './find-sandbox-agreement.ts';
import { judgeEngagements, type EngagementWanted } from './judge-engagements.ts';
import { layEngagements } from './lay-engagements.ts';
import { withEngagements, type SandboxAgreement } from './sandbox-agreement.ts';

/**
 * Adds an account to an agreement, for one PSU (interface: POST /v1/sandbox/agreements/{id}/engagements), and gives the
 * agreement with it. Refuses what cannot be, and one that is there already (CONFLICT).
 */
export function addEngagement(
  bank: BankContext,
  agreementId: string,
  wanted: EngagementWanted,
): Promise<SandboxAgreement> {
  return bank.ledger.write(async (tx) => {
    const agreement = await requireCorporateAgreement(tx, agreementId);
    const existing = await engagementsIn(tx, agreement.id);
    const judged = await judgeEngagements(tx, agreement, [wanted], { existing, pathOf: () => '' });
    refuseAny(judged.faults);
    await layEngagements(tx, agreement.id, [wanted], judged);
    return withEngagements(tx, agreement);
  });
}
