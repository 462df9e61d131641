import type { Told } from '../../bodies/written.ts';
import * as Type from 'typebox';
import { listAgreements as list } from '../../../engine/consents/read-account.ts';
import { closed, meaning } from '../../bodies/schema.ts';
import { story } from '../../bodies/story.ts';
import { customerNumber, name } from '../../bodies/values.ts';
import { idLike } from '../answer-parts.ts';
import type { Endpoint } from '../../pipeline/endpoint.ts';
import { accountRequest } from '../accounts/account-request.ts';
import type { OwnedAgreement } from '../../../engine/parties/rows/customers.ts';

const agreementListAnswer = closed(
  {
    agreements: Type.Array(
      closed(
        {
          agreementId: idLike(story.agreementId, 'What PSU-Corporate-ID takes.'),
          name,
          owner: meaning('The number of the customer who owns the accounts.', customerNumber),
          ownerName: name,
        },
        {
          title: 'Agreement',
          description: 'An agreement between the bank and a customer.',
          examples: [{ name: 'Corporation 1 AS', owner: story.corporation, ownerName: 'Corporation 1 AS' }],
        },
      ),
      { description: 'Those that the PSU may act under.' },
    ),
  },
  { title: 'AgreementList', description: 'Agreements of the PSU.' },
);

/** interface: GET /v1/agreements. TPPs of both roles need it, so no role is required (rules.md G7). */
export const listAgreements: Endpoint = {
  method: 'GET',
  path: '/agreements',
  summary: 'List the agreements that the PSU may act under',
  answers: { 200: agreementListAnswer },
  role: null,
  requires: [],
  body: null,
  handle: async (call) => ({ status: 200, body: agreementList(await list(call.bank, accountRequest(call))) }),
};

/** Answer to GET /v1/agreements; the interface does not show its members. `agreementId` is what PSU-Corporate-ID takes. */
function agreementList(agreements: readonly OwnedAgreement[]): Told<typeof agreementListAnswer> {
  return {
    agreements: agreements.map((agreement) => ({
      agreementId: agreement.resource_id,
      name: agreement.name,
      owner: agreement.owner_number,
      ownerName: agreement.owner_name,
    })),
  };
}
