import type { OwnedAgreement } from '../../../engine/parties/rows/agreements.ts';

/** interface: GET /v1/agreements, whose members it does not show. `agreementId` goes into PSU-Corporate-ID. */
export function agreementList(agreements: readonly OwnedAgreement[]) {
  return {
    agreements: agreements.map((agreement) => ({
      agreementId: agreement.resource_id,
      name: agreement.name,
      owner: agreement.owner_number,
      ownerName: agreement.owner_name,
    })),
  };
}
