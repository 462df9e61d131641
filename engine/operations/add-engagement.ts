import { refuseAny } from '../core/bounded-faults.ts';
import { engagementsIn } from '../ledger/engagements.ts';
import type { BankContext } from './shared/bank-context.ts';
import { requireCorporateAgreement } from './shared/find-sandbox-agreement.ts';
import { judgeEngagements, type EngagementWanted } from './shared/judge-engagements.ts';
import { layEngagements } from './shared/lay-engagements.ts';
import { withEngagements, type SandboxAgreement } from './shared/sandbox-agreement.ts';

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
