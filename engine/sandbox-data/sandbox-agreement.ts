import type { OwnedAgreement } from '../parties/rows/agreements.ts';
import type { Reader } from '../ledger/database.ts';
import { engagementsIn, type Engagement } from '../parties/rows/engagements.ts';

/** An agreement as the sandbox data shows it. */
export interface SandboxAgreement {
  readonly agreement: OwnedAgreement;
  readonly engagements: readonly Engagement[];
}

export async function withEngagements(reader: Reader, agreement: OwnedAgreement): Promise<SandboxAgreement> {
  return { agreement, engagements: await engagementsIn(reader, agreement.id) };
}
