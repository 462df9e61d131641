import type { BankContext } from '../bank/bank-context.ts';
import { requireAgreement } from './find-sandbox-agreement.ts';
import { withEngagements, type SandboxAgreement } from './sandbox-agreement.ts';

/** One agreement, by the id of a path. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxAgreement(bank: BankContext, agreementId: string): Promise<SandboxAgreement> {
  return bank.ledger.read(async (reader) => withEngagements(reader, await requireAgreement(reader, agreementId)));
}
