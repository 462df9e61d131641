import { listAgreements as list } from '../../../engine/consents/list-agreements.ts';
import type { Endpoint } from '../../pipeline/endpoint.ts';
import { accountRequest } from '../accounts/account-request.ts';
import type { OwnedAgreement } from '../../../engine/parties/rows/agreements.ts';

/** interface: GET /v1/agreements. TPPs of both roles need it, so no role is required (rules.md G7). */
export const listAgreements: Endpoint = {
  method: 'GET',
  path: '/agreements',
  role: null,
  requires: [],
  body: null,
  handle: async (call) => ({ status: 200, body: agreementList(await list(call.bank, accountRequest(call))) }),
};

/** Answer to GET /v1/agreements; the interface does not show its members. `agreementId` is what PSU-Corporate-ID takes. */
function agreementList(agreements: readonly OwnedAgreement[]) {
  return {
    agreements: agreements.map((agreement) => ({
      agreementId: agreement.resource_id,
      name: agreement.name,
      owner: agreement.owner_number,
      ownerName: agreement.owner_name,
    })),
  };
}
