import type { BankContext } from './shared/bank-context.ts';
import { requireAgreement } from './shared/find-sandbox-agreement.ts';
import { withEngagements, type SandboxAgreement } from './shared/sandbox-agreement.ts';

/** One agreement, by the id of a path. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxAgreement(bank: BankContext, agreementId: string): Promise<SandboxAgreement> {
  return bank.ledger.read(async (reader) => withEngagements(reader, await requireAgreement(reader, agreementId)));
}
