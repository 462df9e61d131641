import type { BankContext } from '../bank/bank-context.ts';
import { allEngagements, type PsuEngagement } from '../accounts/rows/psu-roles.ts';
import { agreements, type OwnedAgreement } from '../parties/rows/agreements.ts';

/** An agreement with who may do what on which account under it. */
export interface InspectedAgreement {
  readonly agreement: OwnedAgreement;
  /** The oldest first. */
  readonly engagements: readonly PsuEngagement[];
}

/** Lists every agreement, private customers' own included, in the order of their creation, for the control plane. */
export function inspectAgreements(bank: BankContext): Promise<InspectedAgreement[]> {
  return bank.ledger.read(async (reader) => {
    const engagements = Map.groupBy(await allEngagements(reader), (engagement) => engagement.agreement_key);
    return (await agreements(reader)).map((agreement) => {
      return { agreement, engagements: engagements.get(agreement.id) ?? [] };
    });
  });
}
